package dev.cagewright.supervisor.backup;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.backup.Kept.Data;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes a named cage into one file: its files, its home, and no secret unless sealed ones are handed over. Nothing
/// of the home is followed; what is neither file, folder nor link, and links that leave, are left out. One thread.
public final class CageBackup {
    private final ZipOutputStream out;
    private final Map<String, Data> files = new HashMap<>();
    private final List<Kept> home = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private long bytes;

    private CageBackup(ZipOutputStream out) {
        this.out = out;
    }

    /// Secrets that a passphrase seals.
    ///
    /// @param salt of the passphrase
    /// @param sealed a store of [dev.cagewright.supervisor.vault.CarriedSecrets]
    public record SealedSecrets(ByteString salt, ByteString sealed) {}

    /// What was written.
    ///
    /// @param bytes of the home
    /// @param left what was left out, a sentence each
    public record Written(int entries, long bytes, List<String> left) {
        public Written {
            left = List.copyOf(left);
        }
    }

    /// Writes `name` to `file`, which is new, 0600, and whole or not there.
    ///
    /// @throws IOException if it cannot be written, the file is there, or the home has more than an archive may
    public static Written write(NamedCages cages, String name, Path file, Optional<SealedSecrets> secrets)
            throws IOException {
        cages.requireThere(name);
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(file, options, owner)) {
            try {
                var written = write(cages, name, channel, secrets);
                channel.force(true);
                return written;
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        }
    }

    private static Written write(NamedCages cages, String name, FileChannel channel, Optional<SealedSecrets> secrets)
            throws IOException {
        // the stream stays open: the channel is flushed and closed by whoever opened it
        var out = new ZipOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16));
        var backup = new CageBackup(out);
        backup.file(Manifest.FORM, OwnerFile.read(cages.form(name), Bounds.TEXT));
        backup.file(Manifest.POLICY, OwnerFile.read(cages.policyFile(name).toRealPath(), Bounds.TEXT));
        if (secrets.isPresent()) {
            backup.file(Manifest.SECRETS, secrets.get().sealed().toByteArray());
        }
        var folder = cages.home(name).folder();
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try (var open = HostFolder.open(ByteString.of(folder.toString()))) {
                backup.below(open, RelativePath.TOP);
            }
        }
        var salt = secrets.map(some -> HexFormat.of().formatHex(some.salt().toByteArray()));
        var manifest = new Manifest(name, Instant.now(), backup.files, salt, backup.home).write();
        backup.entry(Manifest.NAME, manifest);
        backup.entry(Manifest.DIGEST, (Sha256.of(manifest) + "\n").getBytes(StandardCharsets.US_ASCII));
        out.finish();
        out.flush();
        return new Written(backup.home.size(), backup.bytes, backup.left);
    }

    private void file(String name, byte[] text) throws IOException {
        entry(name, text);
        files.put(name, new Data(name, text.length, Sha256.of(text)));
    }

    private void entry(String name, byte[] text) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(text);
        out.closeEntry();
    }

    private void below(HostFolder folder, RelativePath at) throws IOException {
        var names = folder.names(Bounds.ENTRIES + 1).stream().sorted().toList();
        for (ByteString name : names) {
            var path = at.child(name);
            var entry = folder.look(name);
            if (home.size() >= Bounds.ENTRIES) {
                throw new IOException("the home has more than " + Bounds.ENTRIES + " files (expected: fewer; remove"
                        + " caches from it)");
            }
            if (entry.isPresent()) {
                add(folder, path, entry.get());
            }
        }
    }

    private void add(HostFolder folder, RelativePath path, HostEntry entry) throws IOException {
        int mode = entry.permissions() & 0777;
        switch (entry.kind()) {
            case FOLDER -> {
                if (path.names().size() >= Bounds.DEPTH) {
                    throw new IOException("the home is deeper than " + Bounds.DEPTH + " folders at " + path);
                }
                home.add(new Kept.Folder(path, mode));
                var inner = folder.ownFolder(path.name());
                if (inner.isPresent()) {
                    try (var open = inner.get()) {
                        below(open, path);
                    }
                }
            }
            case FILE -> home.add(new Kept.File(path, mode, entry.modified(), data(folder, path.name())));
            case LINK -> {
                var text = folder.linkText(path.name());
                if (Kept.stays(path, text)) {
                    home.add(new Kept.Link(path, text));
                } else {
                    left.add(path + " is a link that leaves the home, to " + text);
                }
            }
            case WHITEOUT, FIFO, SOCKET, DEVICE -> left.add(path + " is neither file, folder nor link");
        }
    }

    private Data data(HostFolder folder, ByteString name) throws IOException {
        var called = "home/" + home.size();
        out.putNextEntry(new ZipEntry(called));
        var sha = Sha256.fresh();
        long before = bytes;
        try (var file = folder.readOwn(name)) {
            file.drainTo((piece, count) -> {
                bytes += count;
                if (bytes > Bounds.BYTES) {
                    throw new IOException("the home has more than " + Bounds.BYTES + " bytes (expected: less; remove"
                            + " caches from it)");
                }
                sha.update(piece, 0, count);
                write(out, piece, count);
            });
        }
        out.closeEntry();
        return new Data(called, bytes - before, Sha256.of(sha));
    }

    private static void write(OutputStream to, byte[] piece, int count) throws IOException {
        to.write(piece, 0, count);
    }
}
