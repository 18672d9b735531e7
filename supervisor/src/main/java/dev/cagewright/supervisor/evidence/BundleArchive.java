package dev.cagewright.supervisor.evidence;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.receipt.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.zip.CRC32;

/// The entries of a bundle that is read. Its whole structure is checked before any entry is: both headers of each
/// entry say the same, entries follow each other without a gap, and nothing is encrypted, compressed, a link, named
/// twice or named to leave. For one thread; the caller closes what it reads from.
public final class BundleArchive {
    /// The largest bundle, bytes.
    public static final long MAX_BYTES = 1L << 30;

    /// The most entries.
    public static final int MAX_ENTRIES = 20_000;

    private static final int PIECE = 64 << 10;

    private final Source source;
    private final SequencedMap<String, ZipForm.Entry> entries = new LinkedHashMap<>();

    private BundleArchive(Source source, List<ZipForm.Entry> entries) {
        this.source = source;
        entries.forEach(entry -> this.entries.put(entry.name(), entry));
    }

    /// Where the bytes come from.
    public interface Source {
        long size() throws IOException;

        /// Fills `piece` from `position` on.
        ///
        /// @throws IOException also if there are not so many bytes
        void read(long position, byte[] piece) throws IOException;

        /// An open file.
        static Source of(FileChannel file) {
            return new Source() {
                @Override
                public long size() throws IOException {
                    return file.size();
                }

                @Override
                public void read(long position, byte[] piece) throws IOException {
                    var into = ByteBuffer.wrap(piece);
                    while (into.hasRemaining()) {
                        if (file.read(into, position + into.position()) < 0) {
                            throw new IOException("the file became shorter while it was read");
                        }
                    }
                }
            };
        }

        /// Bytes in memory.
        static Source of(byte[] bytes) {
            return new Source() {
                @Override
                public long size() {
                    return bytes.length;
                }

                @Override
                public void read(long position, byte[] piece) {
                    System.arraycopy(bytes, (int) position, piece, 0, piece.length);
                }
            };
        }
    }

    /// Reads the structure.
    ///
    /// @throws BundleException if it is not a bundle's
    public static BundleArchive open(Source source) throws IOException, BundleException {
        return new BundleArchive(source, new Structure(source).entries());
    }

    /// In their order, which is that of their names.
    List<String> names() {
        return List.copyOf(entries.sequencedKeySet());
    }

    Optional<Long> size(String name) {
        return find(name).map(ZipForm.Entry::size);
    }

    private Optional<ZipForm.Entry> find(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    /// The bytes of an entry; empty if there is none.
    ///
    /// @throws BundleException if it is larger than `most`, or its bytes are not those of its checksum
    Optional<byte[]> bytes(String name, int most) throws IOException, BundleException {
        var found = find(name);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var entry = found.get();
        if (entry.size() > most) {
            throw new BundleException(name + " has " + entry.size() + " bytes (at most " + most + ")");
        }
        var bytes = new byte[(int) entry.size()];
        source.read(entry.data(), bytes);
        var crc = new CRC32();
        crc.update(bytes);
        requireChecksum(entry, crc);
        return Optional.of(bytes);
    }

    /// The digest of an entry that is there.
    ///
    /// @throws BundleException if its bytes are not those of its checksum
    String sha256(String name) throws IOException, BundleException {
        var entry = find(name).orElseThrow(() -> new BundleException(name + " is missing"));
        var sha = Sha256.fresh();
        var crc = new CRC32();
        for (long done = 0; done < entry.size(); done += PIECE) {
            var piece = new byte[(int) Math.min(PIECE, entry.size() - done)];
            source.read(entry.data() + done, piece);
            sha.update(piece);
            crc.update(piece);
        }
        requireChecksum(entry, crc);
        return Sha256.of(sha);
    }

    private static void requireChecksum(ZipForm.Entry entry, CRC32 crc) throws BundleException {
        if ((int) crc.getValue() != entry.crc()) {
            throw new BundleException(entry.name() + " is damaged: its checksum is another one");
        }
    }

    /// One pass over the headers.
    private static final class Structure {
        private static final int COMMENT = 0xffff;

        private final Source source;
        private final long size;

        Structure(Source source) throws IOException {
            this.source = source;
            this.size = source.size();
        }

        List<ZipForm.Entry> entries() throws IOException, BundleException {
            if (size > MAX_BYTES) {
                throw new BundleException("it has " + size + " bytes (at most " + MAX_BYTES + ")");
            }
            if (size < ZipForm.END_LENGTH) {
                throw new BundleException("it is no zip archive");
            }
            var end = ZipForm.reading(read(size - ZipForm.END_LENGTH, ZipForm.END_LENGTH));
            if (end.getInt() != ZipForm.END) {
                throw new BundleException(whyNoEnd());
            }
            return directory(end);
        }

        private byte[] read(long at, int length) throws IOException {
            var bytes = new byte[length];
            source.read(at, bytes);
            return bytes;
        }

        private String whyNoEnd() throws IOException {
            int length = (int) Math.min(size, COMMENT + ZipForm.END_LENGTH);
            var tail = ZipForm.reading(read(size - length, length));
            for (int at = length - 4; at >= 0; at--) {
                if (tail.getInt(at) == ZipForm.END) {
                    return length - at < ZipForm.END_LENGTH
                            ? "the archive is cut"
                            : "there is something behind the archive's end";
                }
            }
            return ZipForm.reading(read(0, 4)).getInt() == ZipForm.LOCAL
                    ? "the archive is cut"
                    : "it is no zip archive";
        }

        private List<ZipForm.Entry> directory(ByteBuffer end) throws IOException, BundleException {
            int disk = end.getInt();
            int here = end.getShort() & 0xffff;
            int count = end.getShort() & 0xffff;
            int length = end.getInt();
            int at = end.getInt();
            if (count == ZipForm.ZIP64_COUNT || length == ZipForm.ZIP64_SIZE || at == ZipForm.ZIP64_SIZE) {
                throw new BundleException("it is in zip64 form, which bundles never are");
            }
            if (disk != 0 || here != count) {
                throw new BundleException("it is one part of several");
            }
            if (count > MAX_ENTRIES) {
                throw new BundleException("it has " + count + " entries (at most " + MAX_ENTRIES + ")");
            }
            if (length < 0 || at < 0 || (long) at + length != size - ZipForm.END_LENGTH || end.getShort() != 0) {
                throw new BundleException("its directory is not where its end says");
            }
            return listed(ZipForm.reading(read(at, length)), count, at);
        }

        private List<ZipForm.Entry> listed(ByteBuffer directory, int count, long end)
                throws IOException, BundleException {
            var found = new ArrayList<ZipForm.Entry>();
            long at = 0;
            for (int i = 0; i < count; i++) {
                var entry = new Header(directory).entry(i + 1);
                requireName(found, entry.name());
                if (entry.at() != at) {
                    throw new BundleException(entry.name() + " does not stand behind the entry before it");
                }
                if (entry.end() > end) {
                    throw new BundleException(entry.name() + " is said to be longer than the archive");
                }
                var local = ZipForm.local(entry);
                if (!Arrays.equals(read(at, local.length), local)) {
                    throw new BundleException(entry.name() + ": its two headers say different things");
                }
                found.add(entry);
                at = entry.end();
            }
            if (directory.hasRemaining() || at != end) {
                throw new BundleException("there are bytes that belong to no entry");
            }
            return List.copyOf(found);
        }

        private static void requireName(List<ZipForm.Entry> before, String name) throws BundleException {
            int order = before.isEmpty() ? -1 : before.getLast().name().compareTo(name);
            if (order > 0 && before.stream().noneMatch(entry -> entry.name().equals(name))) {
                throw new BundleException("its entries are not in the order of their names, at " + name);
            }
            if (order >= 0) {
                throw new BundleException("it names " + name + " twice");
            }
        }
    }

    /// One entry of the directory.
    private record Header(ByteBuffer from) {
        private static final int MODE_SHIFT = 16;
        private static final int TYPE = 0170000;
        private static final int LINK = 0120000;
        private static final int FOLDER = 0040000;

        ZipForm.Entry entry(int number) throws BundleException {
            if (from.remaining() < ZipForm.CENTRAL_LENGTH || from.getInt() != ZipForm.CENTRAL) {
                throw new BundleException("its directory is cut at entry " + number);
            }
            int madeBy = from.getShort();
            int needed = from.getShort();
            int flags = from.getShort();
            int method = from.getShort();
            int time = from.getShort();
            int date = from.getShort();
            int crc = from.getInt();
            int stored = from.getInt();
            int size = from.getInt();
            int nameLength = from.getShort() & 0xffff;
            int extra = from.getShort();
            int comment = from.getShort();
            int place = from.getInt();
            int attributes = from.getInt();
            int at = from.getInt();
            var name = name(nameLength, number);
            requirePlain(name, flags, method, attributes);
            if (stored == ZipForm.ZIP64_SIZE || size == ZipForm.ZIP64_SIZE || at == ZipForm.ZIP64_SIZE) {
                throw new BundleException(name + " is in zip64 form, which bundles never are");
            }
            if (stored != size || size < 0 || at < 0) {
                throw new BundleException(name + ": its sizes cannot be");
            }
            boolean usual = madeBy == ZipForm.MADE_BY
                    && needed == ZipForm.VERSION
                    && time == 0
                    && date == ZipForm.DATE
                    && extra == 0
                    && comment == 0
                    && place == 0
                    && attributes == ZipForm.ATTRIBUTES;
            if (!usual) {
                throw new BundleException(name + " has fields that bundles do not have");
            }
            return new ZipForm.Entry(name, crc, size, at);
        }

        private String name(int length, int number) throws BundleException {
            if (length > from.remaining()) {
                throw new BundleException("its directory is cut at entry " + number);
            }
            var bytes = new byte[length];
            from.get(bytes);
            var name = new String(bytes, StandardCharsets.ISO_8859_1);
            if (length > EntryName.LONGEST || !EntryName.isPlain(name)) {
                var shown = ByteString.copyOf(Arrays.copyOf(bytes, Math.min(length, EntryName.LONGEST)));
                throw new BundleException("entry " + number + " has a name that no bundle has: " + shown);
            }
            return name;
        }

        private static void requirePlain(String name, int flags, int method, int attributes) throws BundleException {
            if ((flags & ZipForm.ENCRYPTED) != 0) {
                throw new BundleException(name + " is encrypted");
            }
            if (method != 0) {
                throw new BundleException(name + " is compressed, which nothing in a bundle is");
            }
            if ((flags & ZipForm.DESCRIPTOR) != 0) {
                throw new BundleException(name + " does not say its size in front");
            }
            if (flags != 0) {
                throw new BundleException(name + " has flags that bundles do not have");
            }
            switch (attributes >>> MODE_SHIFT & TYPE) {
                case LINK -> throw new BundleException(name + " is a link");
                case FOLDER -> throw new BundleException(name + " is a folder");
                default -> {}
            }
        }
    }
}
