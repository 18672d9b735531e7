package dev.cagewright.cli.evidence;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.evidence.BundleArchive;
import dev.cagewright.supervisor.evidence.BundleException;
import dev.cagewright.supervisor.evidence.EvidenceCheck;
import dev.cagewright.supervisor.evidence.EvidenceExport;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright evidence ...`: everything about one run in one file, and the check of such a file.
@Command(
        name = "evidence",
        description = "Puts what proves a run into one file, and checks such a file offline.",
        mixinStandardHelpOptions = true)
public final class EvidenceCommands {
    private final Console console;
    private final StateFolders folders;

    public EvidenceCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Command(
            name = "export",
            description = "Writes policy, receipt, log lines with proofs and changes of a session into one file.",
            mixinStandardHelpOptions = true)
    int export(
            @Parameters(paramLabel = "SESSION", description = "A session's id.") String session,
            @Option(
                            names = {"-o", "--out"},
                            required = true,
                            paramLabel = "FILE",
                            description = "The bundle; must not exist.")
                    Path out,
            @Option(
                            names = "--with-files",
                            description = "Add the contents of changed files, but of those whose names look secret.")
                    boolean withFiles,
            @Option(names = "--json", description = "Print one JSON object.") boolean json)
            throws IOException {
        var record = new SessionStore(folders)
                .find(new SessionId(session))
                .orElseThrow(() -> new IOException(
                        "there is no session " + session + " (expected: one that `cagewright ls` shows)"));
        var contents = withFiles ? EvidenceExport.Contents.INCLUDED : EvidenceExport.Contents.LISTED;
        var written = new EvidenceExport(folders, record, contents).to(out.toAbsolutePath());
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("bundle", out.toString())
                            .put("bytes", written.bytes())
                            .put("absent", written.absent())
                            .build()
                            .write());
        } else {
            console.out().println(Visible.text(out.toString()) + ": " + written.bytes() + " bytes");
            written.absent().forEach(one -> line("absent, " + one));
        }
        return ExitCode.OK.code();
    }

    @Command(
            name = "verify",
            description = {
                "Checks a bundle offline: its form, the receipt's signature, and that everything agrees.",
                "Ends with 0 when everything holds, 1 when something does not, 6 when everything agrees but no --key"
                        + " was named, so that only the bundle itself vouches for it."
            },
            mixinStandardHelpOptions = true)
    int verify(
            @Parameters(paramLabel = "FILE", description = "The bundle.") Path file,
            @Option(
                            names = {"--key", "--pubkey"},
                            paramLabel = "PUB",
                            description = "The public key that must have signed the receipt.")
                    Optional<Path> key,
            @Option(
                            names = "--log-key",
                            paramLabel = "PUB",
                            description = "The public key that must have signed the log's checkpoint.")
                    Optional<Path> logKey,
            @Option(names = "--json", description = "Print one JSON object.") boolean json)
            throws IOException {
        var format = json ? Format.JSON : Format.TEXT;
        var keys = new EvidenceCheck.Keys(read(key), read(logKey));
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var archive = BundleArchive.open(BundleArchive.Source.of(channel));
            return tell(EvidenceCheck.check(archive, keys), format);
        } catch (BundleException e) {
            return format.refused(console, "no bundle", e);
        }
    }

    private static Optional<PinnedKey> read(Optional<Path> file) throws IOException {
        return file.isPresent() ? Optional.of(PinnedKey.read(file.get())) : Optional.empty();
    }

    private void line(String sentence) {
        console.item(Visible.text(sentence));
    }

    private int tell(EvidenceCheck.Answer answer, Format format) {
        boolean holds = answer.complaints().isEmpty();
        boolean isPinned = answer.trust() == EvidenceCheck.Trust.PINNED;
        if (format == Format.JSON) {
            console.out()
                    .println(Json.object()
                            .put("valid", holds)
                            .put("pinned", isPinned)
                            .put("session", answer.session())
                            .put("wrong", answer.complaints())
                            .put("found", answer.findings())
                            .build()
                            .write());
        } else {
            var word = holds ? console.palette().good("ok") : console.palette().bad("does not hold");
            console.out().println(word + ": evidence of session " + Visible.text(answer.session()));
            answer.complaints().forEach(one -> line("wrong: " + one));
            answer.findings().forEach(this::line);
            if (!isPinned) {
                line("unpinned: name the machine's public key, from elsewhere, with --key");
            }
        }
        if (!holds) {
            return ExitCode.CHECK_FAILED.code();
        }
        return (isPinned ? ExitCode.OK : ExitCode.UNANCHORED).code();
    }
}
