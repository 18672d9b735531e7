package dev.cagewright.supervisor.token;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// One at a time, among the threads of this process and among processes, for what is known about tokens.
final class TokenLock implements AutoCloseable {
    private static final long PATIENCE = 10;

    /// A lock of a file is the whole process's.
    private static final ReentrantLock HERE = new ReentrantLock();

    private final FileChannel file;

    private TokenLock(FileChannel file) {
        this.file = file;
    }

    /// @throws IOException if others have had it for too long
    static TokenLock take(Path file) throws IOException {
        try {
            if (!HERE.tryLock(PATIENCE, TimeUnit.SECONDS)) {
                throw new IOException(file + ": locked by this process for more than " + PATIENCE + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(file + ": interrupted while it was locked", e);
        }
        try {
            return new TokenLock(lockedFile(file));
        } catch (IOException | RuntimeException e) {
            HERE.unlock();
            throw e;
        }
    }

    private static FileChannel lockedFile(Path file) throws IOException {
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var channel = FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), owner);
        try {
            var _ = channel.lock();
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            HERE.unlock();
        }
    }
}
