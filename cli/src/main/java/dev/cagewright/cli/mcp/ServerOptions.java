package dev.cagewright.cli.mcp;

import dev.cagewright.cli.CommandText;
import dev.cagewright.cli.run.RunOptions;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.pin.Pins;
import dev.cagewright.policy.action.ByteString;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

    static OptionSpec pinFirst() {
        return CommandText.text(
                "trust|ask",
                "What becomes of the first tools of a server, and of what it says of itself: trust, by default, takes"
                        + " them as they are; ask holds them until cagewright mcp pin accepts them.",
                "--pin-first");
    }

    OptionSpec[] described() {
        return Stream.concat(Arrays.stream(options.ofServer()), Stream.of(name, deadline, pinFirst))
                .toArray(OptionSpec[]::new);
    }

    ServerProgram.Order order(List<ByteString> words, Map<ByteString, ByteString> caller) {
        return new ServerProgram.Order(options.quietly(), words, caller);
    }

    String name(List<ByteString> words) {
        return CommandText.given(name).orElseGet(() -> ServerName.of(options.policy(), words));
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
