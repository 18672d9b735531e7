package dev.cagewright.supervisor.capture;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.supervisor.receipt.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Set;

/// The file of a capture: lines of JSON, appended one after the other and never changed, for its owner alone. For one
/// thread.
final class CaptureFile implements AutoCloseable {
    /// In the session's folder.
    static final String NAME = "capture.jsonl";

    private final FileChannel channel;
    private final MessageDigest digest = Sha256.fresh();
    private long size;

    private CaptureFile(FileChannel channel) {
        this.channel = channel;
    }

    /// @throws IOException if there is such a file already, or it cannot be made
    static CaptureFile create(Path folder) throws IOException {
        Files.createDirectories(folder);
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        return new CaptureFile(FileChannel.open(folder.resolve(NAME), options, owner));
    }

    /// Appends a line. After an exception the file may end inside of one, and nothing may be appended any more.
    void append(JsonObject line) throws IOException {
        var text = line.bytes();
        var bytes =
                ByteBuffer.allocate(text.length + 1).put(text).put((byte) '\n').flip();
        digest.update(bytes.duplicate());
        while (bytes.hasRemaining()) {
            size += channel.write(bytes);
        }
    }

    long size() {
        return size;
    }

    /// Of all lines so far, 64 digits.
    String sha256Digits() {
        return Sha256.of(digest);
    }

    /// Makes it durable.
    @Override
    public void close() throws IOException {
        try (channel) {
            channel.force(false);
        }
    }
}
