package dev.cagewright.sandbox.host;

import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.MemoryFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// Runs the probes of the cage's helper, from memory, in a process of its own.
final class ProbeProgram {
    private static final long PATIENCE_SECONDS = 60;
    private static final int OUTPUT_LIMIT = 1 << 16;

    private ProbeProgram() {}

    /// What the probes say, one line each; empty if the helper cannot be run at all.
    static String run() {
        try {
            int file = MemoryFile.executable("cagewright-probe", image());
            try {
                return output("/proc/" + ProcessHandle.current().pid() + "/fd/" + file);
            } finally {
                FileControl.close(file);
            }
        } catch (IOException _) {
            return "";
        }
    }

    private static byte[] image() throws IOException {
        var arch = System.getProperty("os.arch", "").equals("aarch64") ? "aarch64" : "x86_64";
        var name = "/native/linux-" + arch + "/cagewright-init";
        try (var in = ProbeProgram.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("resource " + name + ": missing");
            }
            return in.readAllBytes();
        }
    }

    private static String output(String program) throws IOException {
        var builder = new ProcessBuilder(program, "probe").redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        var process = builder.start();
        process.getOutputStream().close();
        try (var _ = new Watch(process)) {
            var bytes = process.getInputStream().readNBytes(OUTPUT_LIMIT);
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /// Kills the process when it is closed or when time is up, whatever is first.
    private record Watch(Process process) implements AutoCloseable {
        Watch(Process process) {
            this.process = process;
            Thread.ofVirtual().start(() -> killLate(process));
        }

        private static void killLate(Process process) {
            try {
                if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            process.destroyForcibly();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
