package dev.cagewright.supervisor.evidence;

import dev.cagewright.supervisor.receipt.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/// Writes the entries of a bundle, in the order of their names, into a file that is new and empty. The same entries
/// make the same bytes. The caller closes the file; for one thread.
final class BundleWriter {
    private final FileChannel file;
    private final List<ZipForm.Entry> entries = new ArrayList<>();
    private final List<Sections.Item> items = new ArrayList<>();
    private long at;

    BundleWriter(FileChannel file) {
        this.file = file;
    }

    /// Gives bytes to a sink, piece by piece.
    @FunctionalInterface
    interface Content {
        void to(Sink sink) throws IOException;
    }

    /// Takes pieces.
    @FunctionalInterface
    interface Sink {
        /// The first `count` of `bytes`.
        void take(byte[] bytes, int count) throws IOException;
    }

    /// What was written so far.
    List<Sections.Item> items() {
        return List.copyOf(items);
    }

    void add(String name, byte[] bytes) throws IOException {
        add(name, sink -> sink.take(bytes, bytes.length));
    }

    /// Adds an entry.
    ///
    /// @throws IOException also if the bundle would become larger than [BundleArchive#MAX_BYTES]
    void add(String name, Content content) throws IOException {
        add(name, content, "");
    }

    /// Adds an entry if its bytes have this digest; otherwise the bundle is as it was.
    ///
    /// @param sha256 empty for any
    /// @return whether it was added
    boolean add(String name, Content content, String sha256) throws IOException {
        requireOrder(name);
        var start = new ZipForm.Entry(name, 0, 0, at);
        var written = new Written(start.data());
        content.to(written::take);
        var digest = Sha256.of(written.sha);
        if (!sha256.isEmpty() && !digest.equals(sha256)) {
            file.truncate(at);
            return false;
        }
        var entry = new ZipForm.Entry(name, (int) written.crc.getValue(), written.end - start.data(), at);
        put(at, ByteBuffer.wrap(ZipForm.local(entry)));
        entries.add(entry);
        items.add(new Sections.Item(name, entry.size(), digest));
        at = entry.end();
        return true;
    }

    private void requireOrder(String name) {
        if (!EntryName.isPlain(name)
                || (!entries.isEmpty() && entries.getLast().name().compareTo(name) >= 0)) {
            throw new IllegalArgumentException("entry: " + name + " (expected: a plain name, behind the last one)");
        }
    }

    /// Writes the directory; nothing can be added afterwards.
    void finish() throws IOException {
        long directory = at;
        for (var entry : entries) {
            var header = ZipForm.central(entry);
            put(at, ByteBuffer.wrap(header));
            at += header.length;
        }
        put(at, ByteBuffer.wrap(ZipForm.end(entries.size(), at - directory, directory)));
    }

    private void put(long position, ByteBuffer bytes) throws IOException {
        long next = position;
        while (bytes.hasRemaining()) {
            next += file.write(bytes, next);
        }
    }

    /// The bytes of one entry, behind its header.
    private final class Written {
        private final CRC32 crc = new CRC32();
        private final MessageDigest sha = Sha256.fresh();
        private long end;

        Written(long start) {
            this.end = start;
        }

        void take(byte[] bytes, int count) throws IOException {
            if (end + count > BundleArchive.MAX_BYTES || entries.size() >= BundleArchive.MAX_ENTRIES) {
                throw new IOException("a bundle holds at most " + BundleArchive.MAX_BYTES + " bytes in "
                        + BundleArchive.MAX_ENTRIES + " entries (expected: less; leave --with-files away)");
            }
            crc.update(bytes, 0, count);
            sha.update(bytes, 0, count);
            put(end, ByteBuffer.wrap(bytes, 0, count));
            end += count;
        }
    }
}
