package dev.cagewright.cli.token;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.UnverifiedToken;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.TokenFiles;
import dev.cagewright.supervisor.token.TokenJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright token ...`: capabilities that can only be narrowed.
@Command(
        name = "token",
        description = "Makes, narrows, revokes and shows tokens: rights that can only shrink as they are handed on.",
        mixinStandardHelpOptions = true)
public final class TokenCommands {
    private final Console console;
    private final StateFolders folders;

    private TokenCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    /// All of them.
    public static CommandLine of(Console console, StateFolders folders) {
        return new CommandLine(new TokenCommands(console, folders))
                .addSubcommand(new MintCommand(console, folders))
                .addSubcommand(new AttenuateCommand(console, folders))
                .addSubcommand(new TreeCommand(console, folders));
    }

    @Command(
            name = "keygen",
            description = "Makes the host's key, PREFIX.key.hex, mode 0600. Whoever has it can make any token.",
            mixinStandardHelpOptions = true)
    int keygen(
            @Option(names = "--out-prefix", paramLabel = "PREFIX", required = true, description = "Where it goes.")
                    Path prefix)
            throws IOException {
        var file = Path.of(prefix + ".key.hex").toAbsolutePath();
        try (var key = TokenFiles.create(file)) {
            console.out().println("key " + key.id());
            console.out()
                    .println("  " + Visible.text(file.toString()) + "  makes and verifies tokens; keep it to yourself");
        }
        return ExitCode.OK.code();
    }

    @Command(
            name = "inspect",
            description = {
                "Shows a token's chain and rights, never the token itself.",
                "Without --key-hex nobody has verified what is shown."
            },
            mixinStandardHelpOptions = true)
    int inspect(
            @Parameters(paramLabel = "FILE", description = "The token, or - for the standard input.") String from,
            @Option(names = "--key-hex", paramLabel = "FILE", description = "The key to verify it with.")
                    Optional<Path> keyFile,
            @Option(names = "--json", description = "Print one JSON object.") boolean json)
            throws IOException {
        var text = TokenFiles.read(from);
        if (keyFile.isEmpty()) {
            var read = UnverifiedToken.read(text).map(UnverifiedToken::claimed);
            if (read.isEmpty()) {
                console.say("this is no token");
                return ExitCode.CHECK_FAILED.code();
            }
            show(read.get(), json ? Shape.JSON : Shape.TEXT, "not verified");
            return ExitCode.OK.code();
        }
        try (var key = TokenFiles.key(keyFile.get().toAbsolutePath())) {
            var options = new KeyOption();
            var verifier = options.office(folders, key).verifier();
            return switch (verifier.read(text)) {
                case Verification.Refused refused -> refused(refused);
                case Verification.Genuine(Token token) -> {
                    var fault = verifier.fault(token);
                    show(
                            token,
                            json ? Shape.JSON : Shape.TEXT,
                            fault.map(one -> one.fault().word()).orElse("holds"));
                    fault.ifPresent(one -> console.say(Visible.text(one.why())));
                    yield fault.isPresent() ? ExitCode.CHECK_FAILED.code() : ExitCode.OK.code();
                }
            };
        }
    }

    private enum Shape {
        TEXT,
        JSON
    }

    private void show(Token token, Shape shape, String standing) {
        if (shape == Shape.JSON) {
            var json = Json.object().put("standing", standing);
            TokenJson.of(token).members().forEach(json::put);
            console.out().println(json.build().write());
        } else {
            new TokenShown(console).show(token);
            console.out().println("standing  " + standing);
        }
    }

    @Command(
            name = "verify",
            description = {
                "Says whether a token holds: genuine, in its time, not revoked.",
                "Ends with 0 when it does, 1 when it does not; the rule says why."
            },
            mixinStandardHelpOptions = true)
    int verify(
            @Parameters(paramLabel = "FILE", description = "The token, or - for the standard input.") String from,
            @Mixin KeyOption options)
            throws IOException {
        var text = TokenFiles.read(from);
        try (var key = options.key()) {
            return switch (options.office(folders, key).verifier().verify(text)) {
                case Verification.Refused refused -> refused(refused);
                case Verification.Genuine(Token token) -> {
                    console.out()
                            .println(console.palette().good("ok") + ": "
                                    + token.head().rev() + ", "
                                    + token.links().size() + (token.links().size() == 1 ? " link" : " links")
                                    + ", until " + Instant.ofEpochSecond(token.expires()));
                    yield ExitCode.OK.code();
                }
            };
        }
    }

    private int refused(Verification.Refused refused) {
        console.out()
                .println(console.palette().bad("refused") + ": "
                        + refused.fault().rule() + ": " + Visible.text(refused.why()));
        return ExitCode.CHECK_FAILED.code();
    }

    @Command(
            name = "revoke",
            description = {
                "Puts a token's name on the signed list of what is revoked: it, and everything delegated from it, is"
                        + " worth nothing from then on, in sessions that run too.",
                "The list's counter grows with each; an older list is refused wherever a newer one was seen."
            },
            mixinStandardHelpOptions = true)
    int revoke(
            @Option(names = "--rev", paramLabel = "NAME", description = "The name of the link to revoke.")
                    Optional<String> rev,
            @Option(
                            names = "--token",
                            paramLabel = "FILE",
                            description = "Revoke this token, or - for the standard input.")
                    Optional<String> from,
            @Option(names = "--out", paramLabel = "FILE", description = "The same as --revocation-file.")
                    Optional<Path> out,
            @Option(names = "--begin", description = "Only begin the list, where this machine never had one.")
                    boolean begin,
            @Mixin KeyOption options)
            throws IOException {
        try (var key = options.key()) {
            var chosen = out.isPresent() ? options.at(out.get()) : options;
            if (begin) {
                chosen.revocations(folders, key).beginIfNew();
                return ExitCode.OK.code();
            }
            var office = chosen.office(folders, key);
            var name = rev.isPresent()
                    ? new RevId(rev.get())
                    : nameOf(office.verifier().read(text(from)));
            var list = office.revoke(name);
            console.out()
                    .println("revoked " + name + ", list " + list.counter() + ": "
                            + Visible.text(
                                    chosen.revocations(folders, key).path().toString()));
            return ExitCode.OK.code();
        }
    }

    private static byte[] text(Optional<String> from) throws IOException {
        return TokenFiles.read(from.orElseThrow(
                () -> new IllegalArgumentException("token revoke: --rev NAME or --token FILE says what to revoke")));
    }

    private static RevId nameOf(Verification read) {
        return switch (read) {
            case Verification.Genuine(Token token) -> token.head().rev();
            case Verification.Refused refused ->
                throw new IllegalArgumentException("--token: " + refused.why() + " (expected: a token of this key)");
        };
    }
}
