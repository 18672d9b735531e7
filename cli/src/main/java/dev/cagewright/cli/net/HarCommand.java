package dev.cagewright.cli.net;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.capture.CaptureReader;
import dev.cagewright.supervisor.capture.SessionCapture;
import dev.cagewright.supervisor.har.HarFile;
import dev.cagewright.supervisor.har.View;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright har SESSION -o FILE`: a session's capture for a browser's developer tools.
@Command(
        name = "har",
        description = "Writes what a session's cage said to the network as HAR 1.2, if its policy asked for a capture.",
        mixinStandardHelpOptions = true)
public final class HarCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", description = SessionWord.HELP)
    private String session = "";

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "The archive, for its owner alone; must not exist. Standard output when absent.")
    private Optional<Path> out = Optional.empty();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--view",
            paramLabel = "VIEW",
            description = "inbound: what the cage sent and got; outbound: what the gateway sent to origins and got.")
    private String view = "inbound";

    @Option(names = "--setup", description = "What was said during phases.setup.")
    private boolean isSetup;

    public HarCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var side = view();
        var record = SessionWord.find(folders, session);
        if (record.isEmpty()) {
            console.say("no session " + Visible.text(session) + " (cagewright ls lists them)");
            return ExitCode.CHECK_FAILED.code();
        }
        var folder = folders.sessions().resolve(record.get().id().value());
        var capture = CaptureReader.open(isSetup ? folder.resolve(SessionCapture.SETUP) : folder);
        if (capture.isEmpty()) {
            console.say("session " + record.get().id() + (isSetup ? " has no capture of a set-up" : " has no capture")
                    + ": its policy asks for none (capture: {har: true}), or its cage had no network");
            return ExitCode.CHECK_FAILED.code();
        }
        try (var reader = capture.get()) {
            write(new HarFile(reader, side), record.get());
        }
        return ExitCode.OK.code();
    }

    private View view() {
        return switch (view.toLowerCase(Locale.ROOT)) {
            case "inbound" -> View.INBOUND;
            case "outbound" -> View.OUTBOUND;
            default -> throw new IllegalArgumentException("--view: \"" + view + "\" (expected: inbound or outbound)");
        };
    }

    private void write(HarFile archive, SessionRecord record) throws IOException {
        var about = "session " + record.id() + (isSetup ? ", set-up, " : ", ") + view.toLowerCase(Locale.ROOT)
                + "; values of credentials in heads were not kept";
        if (out.isEmpty()) {
            archive.write(console.out(), about);
            return;
        }
        var file = out.get().toAbsolutePath();
        long entries = whole(file, to -> archive.write(to, about));
        console.say(Visible.text(out.get().toString()) + ": " + entries + (entries == 1 ? " exchange" : " exchanges"));
    }

    /// Something that writes an archive and counts.
    @FunctionalInterface
    private interface Writing {
        long to(OutputStream out) throws IOException;
    }

    /// A file that cannot be written whole is not left behind.
    private static long whole(Path file, Writing writing) throws IOException {
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(file, options, mode)) {
            try (var to = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
                return writing.to(to);
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        }
    }
}
