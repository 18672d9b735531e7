package dev.cagewright.cli.evidence;

import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.receipt.ReceiptSyntaxException;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.receipt.issue.ReceiptKey;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright receipt ...`: shows and verifies the signed summary of a run.
@Command(name = "receipt", description = "Shows and verifies receipts of runs.", mixinStandardHelpOptions = true)
public final class ReceiptCommands {
    private final Console console;
    private final StateFolders folders;

    public ReceiptCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Command(
            name = "show",
            description = "Prints what a receipt states. Does not verify it.",
            mixinStandardHelpOptions = true)
    int show(
            @Parameters(paramLabel = "SESSION|FILE", description = "A session's id, last, or a receipt's file.")
                    String which,
            @Option(names = "--json", description = "Print the statement as one JSON object.") boolean json)
            throws IOException {
        try {
            var signed = SignedReceipt.parse(ReceiptChoice.of(folders, which).bytes());
            if (json) {
                console.out().println(signed.envelope().payload().utf8().orElseThrow());
            } else {
                new ReceiptText(signed).lines().forEach(console.out()::println);
            }
            return ExitCode.OK.code();
        } catch (ReceiptSyntaxException e) {
            return (json ? Format.JSON : Format.TEXT).refused(console, "no receipt", e);
        }
    }

    @Command(
            name = "verify",
            description = {
                "Checks a receipt's form and signature and, against the log, what it says of its run.",
                "A session is checked against its own log; a file against --log, if that is given.",
                "Ends with 0 when everything holds, 1 when something does not."
            },
            mixinStandardHelpOptions = true)
    int verify(
            @Parameters(paramLabel = "SESSION|FILE", description = "A session's id, last, or a receipt's file.")
                    String which,
            @Option(
                            names = {"--key", "--pubkey"},
                            paramLabel = "PUB",
                            description = "The public key that must have signed; by default this machine's own.")
                    Optional<Path> key,
            @Option(
                            names = {"--log", "--audit"},
                            paramLabel = "LOG",
                            description = "The log that must agree.")
                    Optional<Path> log,
            @Option(names = "--json", description = "Print one JSON object.") boolean json)
            throws IOException {
        var format = json ? Format.JSON : Format.TEXT;
        var choice = ReceiptChoice.of(folders, which);
        try {
            var signed = SignedReceipt.parse(choice.bytes());
            var check = new ReceiptCheck(signed, key(key), log.or(choice::log));
            return tell(check.run(), format);
        } catch (ReceiptSyntaxException e) {
            return format.refused(console, "no receipt", e);
        }
    }

    private PinnedKey key(Optional<Path> named) throws IOException {
        if (named.isPresent()) {
            return PinnedKey.read(named.get());
        }
        var own = ReceiptKey.publicFile(folders);
        if (!Files.exists(own)) {
            throw new IOException("this machine has no receipt key yet (expected: --key with the public key of the"
                    + " machine that signed)");
        }
        return PinnedKey.read(own);
    }

    private int tell(ReceiptCheck.Answer answer, Format format) {
        if (format == Format.JSON) {
            console.out().println(answer.toJson().write());
        } else {
            var word = answer.holds()
                    ? console.palette().good("ok")
                    : console.palette().bad("does not hold");
            console.out().println(word + ": receipt of session " + answer.session());
            answer.complaints().forEach(line -> console.item("wrong: " + Visible.text(line)));
            answer.remarks().forEach(line -> console.item(Visible.text(line)));
        }
        return (answer.holds() ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }
}
