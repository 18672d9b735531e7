package dev.cagewright.audit.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/// The kernel's files, whose flushes fail while told so.
final class FailingDisk implements Channels {
    volatile boolean fails;

    @Override
    public FileChannel open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return StoppingChannel.beforeFlush(FileChannel.open(path, options, attributes), () -> {
            if (fails) {
                throw new UncheckedIOException(new IOException("No space left on device"));
            }
        });
    }
}
