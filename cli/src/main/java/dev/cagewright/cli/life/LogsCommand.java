package dev.cagewright.cli.life;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.sandbox.terminal.Terminal;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.ResidentClient;
import dev.cagewright.supervisor.resident.log.RollingLog;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright logs`: what the own program of a named cage wrote.
@Command(
        name = "logs",
        description = {
            "Prints what the program of a named cage, command: of its policy, has written: its last 1 to 2 MiB.",
            "On a terminal control characters are shown and not obeyed."
        },
        mixinStandardHelpOptions = true)
public final class LogsCommand implements Callable<Integer> {
    private static final long PAUSE_MILLIS = 200;

    /// Between two questions whether the cage is still up, in pauses.
    private static final int PAUSES = 5;

    private final Background background;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "The cage.")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on, with what it writes, until it is stopped.")
    private boolean follow;

    @Option(names = "--raw", description = "Print its bytes as they are, on a terminal too.")
    private boolean raw;

    public LogsCommand(Background background) {
        this.background = background;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, InterruptedException {
        var cages = NamedCages.of(background.folders());
        cages.find(name);
        var file = cages.state(name).resolve(RollingLog.NAME);
        var out = raw || !Terminal.at(1).isPresent() ? new FileOutputStream(FileDescriptor.out) : new Shown(background);
        copy(RollingLog.before(file), 0, out);
        var reading = new Reading(file);
        reading.more(out);
        for (int pauses = 1; follow; pauses++) {
            boolean isLast = pauses % PAUSES == 0 && !ResidentClient.isUp(background.folders(), name);
            reading.more(out);
            if (isLast) {
                break;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return ExitCode.OK.code();
    }

    /// @return where it ended
    private static long copy(Path file, long from, OutputStream out) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            channel.position(from);
            var buffer = ByteBuffer.allocate(64 << 10);
            while (channel.read(buffer) > 0) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            out.flush();
            return channel.position();
        } catch (NoSuchFileException _) {
            return from;
        }
    }

    /// A log that is added to, and begins anew now and then.
    private static final class Reading {
        private final Path file;
        private Object identity = "";
        private long position;

        Reading(Path file) {
            this.file = file;
        }

        void more(OutputStream out) throws IOException {
            var now = identity();
            if (!now.equals(identity) && !identity.equals("")) {
                copy(RollingLog.before(file), position, out);
                position = 0;
            }
            identity = now;
            position = copy(file, position, out);
        }

        private Object identity() throws IOException {
            try {
                var key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .fileKey();
                return Objects.requireNonNull(key, "every file of Linux has a key");
            } catch (NoSuchFileException _) {
                return "";
            }
        }
    }

    /// Lines for a person's terminal.
    private static final class Shown extends OutputStream {
        private static final int LONGEST = 64 << 10;

        private final Background background;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        Shown(Background background) {
            this.background = background;
        }

        @Override
        public void write(int one) {
            if (one == '\n' || line.size() == LONGEST) {
                background.console().out().println(Visible.text(line.toString(StandardCharsets.UTF_8)));
                line.reset();
            }
            if (one != '\n' && one != '\r') {
                line.write(one);
            }
        }
    }
}
