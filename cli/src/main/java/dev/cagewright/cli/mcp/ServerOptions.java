package dev.cagewright.cli.mcp;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.run.RunOptions;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.mcp.guest.GuestProgram;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.pin.Pins;
import dev.cagewright.mcp.remote.RemoteAddress;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.mcpconfig.Variables;
import dev.cagewright.supervisor.state.StateFolders;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/// How one server is run and spoken to, as somebody gave it on a command line or in a file of servers.
final class ServerOptions {
    private final RunOptions options = new RunOptions();

    private final OptionSpec name = CommandText.text(
            "NAME", "What the server is called in policies and in the log; by default after its policy.", "--name");

    private final OptionSpec deadline = CommandText.text(
            "SECONDS",
            "How long a request may go without an answer or a word of progress, 1 to 86400; by default 120.",
            "--deadline");

    private final OptionSpec pinFirst = pinFirst();

    private final OptionSpec url = CommandText.text(
            "URL",
            "A server elsewhere, in the place of a program: where its Streamable HTTP is, https:// or this machine.",
            "--url");

    private final OptionSpec header = OptionSpec.builder("--header")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel("NAME: VALUE")
            .description("A field that goes with each request to --url; a secret of the policy by its name, in braces"
                    + " behind a $. May be given several times.")
            .build();

    static OptionSpec pinFirst() {
        return CommandText.text(
                "trust|ask",
                "What becomes of the first tools of a server, and of what it says of itself: trust, by default, takes"
                        + " them as they are; ask holds them until cagewright mcp pin accepts them.",
                "--pin-first");
    }

    OptionSpec[] described() {
        return Stream.concat(Arrays.stream(options.ofServer()), Stream.of(name, deadline, pinFirst, url, header))
                .toArray(OptionSpec[]::new);
    }

    /// The server that was meant.
    ///
    /// @param words of the program; none for one elsewhere, or where the policy has them
    /// @param caller the variables of whoever wants it
    /// @throws IllegalArgumentException saying what is wrong
    GuestProgram program(Ground ground, List<ByteString> words, Map<ByteString, ByteString> caller) {
        var address = CommandText.given(url);
        if (address.isEmpty()) {
            if (!headers().isEmpty()) {
                throw new IllegalArgumentException("--header: without --url (expected: both, or none)");
            }
            var order = new ServerProgram.Order(options.quietly(), words, caller);
            return new ServerProgram(ground.console(), ground.folders(), name(ground, words), order);
        }
        if (!words.isEmpty()) {
            throw new IllegalArgumentException("--url, PROGRAM: both (expected: one of them)");
        }
        var there = RemoteAddress.parse(new Variables(name ->
                        Optional.ofNullable(caller.get(ByteString.of(name))).map(ByteString::latin1))
                .in("--url", address.get()));
        var order = new RemoteProgram.Order(options.quietly(), there, headers(), caller);
        var called = name(ground, List.of(ByteString.of(there.at().host().value())));
        return new RemoteProgram(ground.console(), ground.folders(), called, order);
    }

    /// Where it is to run.
    ///
    /// @param name what a file calls it; empty where no file does
    record Ground(Console console, StateFolders folders, Optional<String> name) {}

    private List<String> headers() {
        List<String> given = header.getValue();
        return given == null ? List.of() : given;
    }

    private String name(Ground ground, List<ByteString> words) {
        return ground.name().or(() -> CommandText.given(name)).orElseGet(() -> ServerName.of(options.policy(), words));
    }

    /// @throws IllegalArgumentException saying what is wrong with them
    ServerHouse.Manners manners() {
        return new ServerHouse.Manners(first(), patience());
    }

    /// @throws IllegalArgumentException naming the words
    private Pins.First first() {
        var wanted = CommandText.given(pinFirst).orElse("trust");
        return switch (wanted) {
            case "trust" -> Pins.First.TRUST;
            case "ask" -> Pins.First.ASK;
            default -> throw new IllegalArgumentException("--pin-first: \"" + wanted + "\" (expected: trust or ask)");
        };
    }

    /// @throws IllegalArgumentException naming the bounds
    private Patience patience() {
        return CommandText.given(deadline)
                .map(text -> Patience.USUAL.withQuiet(seconds(text)))
                .orElse(Patience.USUAL);
    }

    private static Duration seconds(String text) {
        if (!text.matches("[1-9][0-9]{0,4}") || Integer.parseInt(text) > 86_400) {
            throw new IllegalArgumentException("--deadline: \"" + text + "\" (expected: 1 to 86400, seconds)");
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }
}
