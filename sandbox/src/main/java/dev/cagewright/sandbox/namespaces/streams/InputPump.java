package dev.cagewright.sandbox.namespaces.streams;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.FileControl;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;

/// Carries the caller's stream to a program's standard input until either ends. A read of the caller's
/// stream that never returns keeps one idle thread and one descriptor; there is no way to interrupt it.
final class InputPump {
    private static final int BUFFER_BYTES = 64 * 1024;

    private InputPump() {}

    /// @param target closed when the stream ends or nobody reads any more
    static void start(InputStream source, Descriptor target) {
        PumpThreads.start(() -> run(source, target));
    }

    private static void run(InputStream source, Descriptor target) {
        var buffer = new byte[BUFFER_BYTES];
        try (target;
                var arena = Arena.ofConfined()) {
            var outgoing = arena.allocate(BUFFER_BYTES);
            for (int count = source.read(buffer); count >= 0; count = source.read(buffer)) {
                outgoing.asByteBuffer().put(buffer, 0, count);
                FileControl.writeFully(target.number(), outgoing.asSlice(0, count));
            }
        } catch (IOException _) {
            return; // the program reads no more, or the caller has nothing more
        }
    }
}
