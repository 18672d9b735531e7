package dev.cagewright.secrets.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a store knows of its secrets as bytes: numbers big-endian, texts as `DataOutput.writeUTF` has them, lists with
/// their
/// length before them. Times are milliseconds since 1970; [#NEVER] is none.
final class IndexCode {
    private static final long NEVER = Long.MIN_VALUE;
    private static final int MOST_ENTRIES = 4_096;

    private IndexCode() {}

    /// One entry, and the sizes of its sealed values.
    record Entry(Stored secret, List<Integer> sizes) {}

    /// All of it.
    record Index(long next, List<Entry> entries) {}

    static byte[] write(Contents contents) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeLong(contents.next());
            out.writeInt(contents.items().size());
            for (Item item : contents.items().values()) {
                write(out, item);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a store's index does not fit its form", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Item item) throws IOException {
        var secret = item.secret();
        out.writeUTF(secret.name());
        texts(out, secret.binding().useWith());
        texts(out, secret.binding().in());
        texts(out, secret.binding().env().stream().toList());
        texts(out, secret.binding().prepare());
        texts(out, secret.refresh().map(Refresh::command).orElse(List.of()));
        out.writeLong(
                secret.refresh().flatMap(Refresh::lasts).map(Duration::toMillis).orElse(NEVER));
        time(out, secret.lastUsed());
        out.writeLong(secret.decoys());
        out.writeInt(secret.versions().size());
        for (int i = 0; i < secret.versions().size(); i++) {
            var version = secret.versions().get(i);
            out.writeLong(version.number());
            time(out, Optional.of(version.since()));
            time(out, version.expires());
            out.writeInt(item.values().get(i).bytes().length);
        }
    }

    private static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            out.writeUTF(text);
        }
    }

    private static void time(DataOutputStream out, Optional<Instant> time) throws IOException {
        out.writeLong(time.map(Instant::toEpochMilli).orElse(NEVER));
    }

    /// @throws IOException if this is no index
    static Index read(byte[] bytes) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            long next = in.readLong();
            int count = count(in);
            var entries = new ArrayList<Entry>();
            for (int i = 0; i < count; i++) {
                entries.add(entry(in));
            }
            if (in.available() > 0) {
                throw new IOException(in.available() + " bytes follow the index");
            }
            return new Index(next, entries);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static Entry entry(DataInputStream in) throws IOException {
        var name = in.readUTF();
        var useWith = texts(in);
        var places = texts(in);
        var env = texts(in).stream().findFirst();
        var prepare = texts(in);
        var command = texts(in);
        long lasts = in.readLong();
        var refresh = command.isEmpty()
                ? Optional.<Refresh>empty()
                : Optional.of(new Refresh(
                        command, lasts == NEVER ? Optional.empty() : Optional.of(Duration.ofMillis(lasts))));
        var lastUsed = time(in);
        long decoys = in.readLong();
        int count = count(in);
        var versions = new ArrayList<Stored.Version>();
        var sizes = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            long number = in.readLong();
            var since = time(in).orElseThrow(() -> new IOException("a version of " + name + " has no time"));
            versions.add(new Stored.Version(number, since, time(in)));
            sizes.add(in.readInt());
        }
        var binding = new Binding(useWith, places, env, prepare);
        return new Entry(new Stored(name, binding, refresh, versions, lastUsed, decoys), sizes);
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        int count = count(in);
        var texts = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            texts.add(in.readUTF());
        }
        return texts;
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MOST_ENTRIES) {
            throw new IOException("a list of " + count + " (expected: at most " + MOST_ENTRIES + ")");
        }
        return count;
    }

    private static Optional<Instant> time(DataInputStream in) throws IOException {
        long millis = in.readLong();
        return millis == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
