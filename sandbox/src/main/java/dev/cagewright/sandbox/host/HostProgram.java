package dev.cagewright.sandbox.host;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A program of the host that the product asks something, outside of any cage and with the person's own rights and
/// variables. Never one that a cage or a policy names.
///
/// @param argv its name, looked up on the person's `PATH`, and arguments
/// @param patience how long it may take
/// @param most the most that it may say, bytes
/// @param complaints what becomes of its standard error
public record HostProgram(List<String> argv, Duration patience, int most, Complaints complaints) {
    /// What becomes of a program's standard error.
    public enum Complaints {
        /// The person sees it.
        SHOWN,
        DROPPED
    }

    /// How it ended. Whoever gets it closes it, which wipes what the program wrote.
    public static final class Answer implements AutoCloseable {
        private final int status;
        private final byte[] out;

        private Answer(int status, byte[] out) {
            this.status = status;
            this.out = out;
        }

        /// Its exit code.
        public int status() {
            return status;
        }

        public boolean isGood() {
            return status == 0;
        }

        /// What it wrote, until [#close].
        public byte[] out() {
            return out;
        }

        @Override
        public void close() {
            Arrays.fill(out, (byte) 0);
        }
    }

    public HostProgram {
        argv = List.copyOf(argv);
    }

    /// Runs it to its end.
    ///
    /// @param in what it reads; small enough for a pipe
    /// @throws IOException if there is no such program, or it took too long or said too much; nothing of it lives
    ///     then
    public Answer ask(byte[] in) throws IOException {
        var process = started();
        var late = new AtomicBoolean();
        Thread.ofVirtual().start(() -> {
            if (isOverdue(process)) {
                late.set(true);
                kill(process);
            }
        });
        var buffer = new byte[most + 1];
        try {
            feed(process, in);
            int read = process.getInputStream().readNBytes(buffer, 0, buffer.length);
            if (read > most) {
                throw new IOException(argv.getFirst() + " said more than " + most + " bytes");
            }
            int status = process.waitFor();
            if (late.get()) {
                throw new IOException(argv.getFirst() + " took longer than " + patience.toSeconds() + " s");
            }
            return new Answer(status, Arrays.copyOf(buffer, read));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + argv.getFirst() + " ran", e);
        } finally {
            kill(process);
            Arrays.fill(buffer, (byte) 0);
        }
    }

    private boolean isOverdue(Process process) {
        try {
            return !process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            return false;
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private Process started() throws IOException {
        var builder = new ProcessBuilder(argv);
        builder.redirectError(
                complaints == Complaints.SHOWN ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.DISCARD);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException(argv.getFirst() + ": no such program that can be started", e);
        }
    }

    /// What it is told is small and fits into the pipe, so nobody waits here.
    private static void feed(Process process, byte[] in) {
        try (OutputStream to = process.getOutputStream()) {
            to.write(in);
        } catch (IOException _) {
            return; // it does not want to know; what it answers counts
        }
    }
}
