package dev.cagewright.supervisor.backup;

import dev.cagewright.supervisor.backup.Kept.Data;
import dev.cagewright.supervisor.receipt.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/// A backup that is open for reading, its manifest checked. Whoever opens it closes it. For one thread.
final class Archive implements AutoCloseable {
    private static final int PIECE = 64 << 10;

    private final ZipFile zip;
    private final Manifest manifest;

    private Archive(ZipFile zip, Manifest manifest) {
        this.zip = zip;
        this.manifest = manifest;
    }

    /// @throws BackupException if it is no backup
    static Archive open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString());
        }
        try {
            var zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8);
            try {
                return new Archive(zip, manifest(zip));
            } catch (IOException | RuntimeException e) {
                zip.close();
                throw e;
            }
        } catch (ZipException e) {
            throw new BackupException("is no zip that can be read: " + e.getMessage());
        }
    }

    private static Manifest manifest(ZipFile zip) throws IOException {
        var bytes = whole(zip, Manifest.NAME, Bounds.MANIFEST);
        var digest = new String(whole(zip, Manifest.DIGEST, 128), StandardCharsets.US_ASCII).strip();
        if (!digest.equals(Sha256.of(bytes))) {
            throw new BackupException("is damaged: its manifest is not that of its digest");
        }
        var manifest = Manifest.read(bytes);
        if (zip.size() != manifest.names()) {
            throw new BackupException("has " + zip.size() + " entries, and its manifest tells of " + manifest.names());
        }
        return manifest;
    }

    Manifest manifest() {
        return manifest;
    }

    private static InputStream stream(ZipFile zip, String name) throws IOException {
        var entry = zip.getEntry(name);
        if (entry == null) {
            throw new BackupException("has no " + name);
        }
        return zip.getInputStream(entry);
    }

    private static byte[] whole(ZipFile zip, String name, int most) throws IOException {
        try (var in = stream(zip, name)) {
            var bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw new BackupException("has more than " + most + " bytes in " + name);
            }
            return bytes;
        } catch (ZipException e) {
            throw new BackupException("is damaged at " + name + ": " + e.getMessage());
        }
    }

    /// One of the cage's own files, or the sealed secrets.
    byte[] file(String name, int most) throws IOException {
        var data = manifest.files().get(name);
        if (data == null) {
            throw new BackupException("has no " + name);
        }
        var bytes = whole(zip, name, most);
        if (bytes.length != data.size() || !Sha256.of(bytes).equals(data.sha256())) {
            throw new BackupException("is damaged: " + name + " is not what its manifest tells");
        }
        return bytes;
    }

    /// Takes the bytes of a file, piece by piece.
    @FunctionalInterface
    interface Sink {
        void take(byte[] piece) throws IOException;
    }

    /// Gives the bytes of `data` to `sink`: as many as told, and when it returns, those that were told.
    void drain(Data data, Sink sink) throws IOException {
        var sha = Sha256.fresh();
        long left = data.size();
        try (var in = stream(zip, data.name())) {
            for (var piece = in.readNBytes(PIECE); piece.length > 0; piece = in.readNBytes(PIECE)) {
                left -= piece.length;
                if (left < 0) {
                    break;
                }
                sha.update(piece);
                sink.take(piece);
            }
        } catch (ZipException e) {
            throw new BackupException("is damaged at " + data.name() + ": " + e.getMessage());
        }
        if (left != 0 || !Sha256.of(sha).equals(data.sha256())) {
            throw new BackupException("is damaged: " + data.name() + " is not what its manifest tells");
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
