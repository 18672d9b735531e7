package dev.cagewright.supervisor.evidence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Bundles as somebody hostile makes them: other entries, or single fields changed.
final class ZipPatch {
    /// Offsets in a header of the directory, APPNOTE 4.3.12.
    static final int FLAGS = 8;

    static final int METHOD = 10;
    static final int CRC = 16;
    static final int STORED = 20;
    static final int SIZE = 24;
    static final int EXTRA = 30;
    static final int MODE = 40;
    static final int PLACE = 42;

    private final byte[] bytes;
    private final ByteBuffer buffer;

    private ZipPatch(byte[] bytes) {
        this.bytes = bytes;
        this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static ZipPatch of(byte[] zip) {
        return new ZipPatch(zip.clone());
    }

    /// The entries of a bundle that is right.
    static NavigableMap<String, byte[]> entries(byte[] zip) throws IOException, BundleException {
        var archive = BundleArchive.open(BundleArchive.Source.of(zip));
        var found = new TreeMap<String, byte[]>();
        for (String name : archive.names()) {
            found.put(name, archive.bytes(name, 1 << 20).orElseThrow());
        }
        return found;
    }

    /// A bundle of exactly these entries.
    static byte[] zip(Path folder, Map<String, byte[]> entries) throws IOException {
        var file = Files.createTempFile(folder, "made", ".zip");
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var writer = new BundleWriter(channel);
            for (var entry : new TreeMap<>(entries).entrySet()) {
                writer.add(entry.getKey(), entry.getValue());
            }
            writer.finish();
        }
        return Files.readAllBytes(file);
    }

    /// The offset of the directory.
    int directory() {
        return buffer.getInt(bytes.length - 6);
    }

    /// The offset of the directory's header of `name`.
    int header(String name) {
        var text = new String(bytes, ISO_8859_1);
        return text.indexOf(name, directory()) - ZipForm.CENTRAL_LENGTH;
    }

    ZipPatch shortAt(String name, int field, int value) {
        buffer.putShort(header(name) + field, (short) value);
        return this;
    }

    ZipPatch intAt(String name, int field, int value) {
        buffer.putInt(header(name) + field, value);
        return this;
    }

    /// Counted from the end of the file.
    ZipPatch shortFromEnd(int back, int value) {
        buffer.putShort(bytes.length - back, (short) value);
        return this;
    }

    /// Replaces a text of the same length wherever it stands.
    ZipPatch text(String from, String to) {
        var changed = new String(bytes, ISO_8859_1).replace(from, to).getBytes(ISO_8859_1);
        return new ZipPatch(changed);
    }

    byte[] bytes() {
        return bytes.clone();
    }
}
