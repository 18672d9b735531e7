package dev.cagewright.cli.secret;

import dev.cagewright.secrets.store.Stored;
import dev.cagewright.secrets.value.SecretValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A `.env` file: lines of `NAME=VALUE`, with or without `export` before them; `#` begins a comment. A value stands
/// bare,
/// in single quotes, or in double quotes with `\"`, `\\`, `\$` and `` \` `` in them; behind a bare value ` #` begins a
/// comment. Variables in values are not put in.
///
/// @param empty the names that have no value
record EnvFile(List<Entry> entries, List<String> empty) implements AutoCloseable {
    private static final int MOST = 1 << 20;

    /// One line.
    ///
    /// @param value owned by the file
    record Entry(String name, SecretValue value) {}

    /// @throws IllegalArgumentException naming the line that is none, without its text
    static EnvFile read(Path file) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST + 1);
        }
        try {
            if (bytes.length > MOST) {
                throw new IllegalArgumentException(file + ": has more than " + MOST + " bytes (expected: fewer)");
            }
            return parsed(file, bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static EnvFile parsed(Path file, byte[] bytes) {
        var entries = new ArrayList<Entry>();
        var empty = new ArrayList<String>();
        int number = 0;
        try {
            for (int start = 0; start < bytes.length; ) {
                number++;
                int end = start;
                while (end < bytes.length && bytes[end] != '\n') {
                    end++;
                }
                line(Arrays.copyOfRange(bytes, start, end), entries, empty);
                start = end + 1;
            }
            return new EnvFile(entries, empty);
        } catch (IllegalArgumentException e) {
            entries.forEach(entry -> entry.value().close());
            throw new IllegalArgumentException(file + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    private static void line(byte[] line, List<Entry> entries, List<String> empty) {
        try {
            int end = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
            int start = blanks(line, 0, end);
            if (start == end || line[start] == '#') {
                return;
            }
            if (startsWith(line, start, "export ")) {
                start = blanks(line, start + "export ".length(), end);
            }
            int equals = start;
            while (equals < end && line[equals] != '=') {
                equals++;
            }
            if (equals == end) {
                throw new IllegalArgumentException("is not NAME=VALUE (expected: that, a comment, or nothing)");
            }
            var name = new String(line, start, equals - start, StandardCharsets.US_ASCII).strip();
            Stored.requireName(name);
            add(name, value(line, blanks(line, equals + 1, end), end), entries, empty);
        } finally {
            Arrays.fill(line, (byte) 0);
        }
    }

    private static void add(String name, byte[] value, List<Entry> entries, List<String> empty) {
        try {
            if (value.length == 0) {
                empty.add(name);
            } else {
                entries.add(new Entry(name, SecretValue.copyOf(value)));
            }
        } finally {
            Arrays.fill(value, (byte) 0);
        }
    }

    private static int blanks(byte[] line, int from, int end) {
        int at = from;
        while (at < end && (line[at] == ' ' || line[at] == '\t')) {
            at++;
        }
        return at;
    }

    private static boolean startsWith(byte[] line, int at, String word) {
        var bytes = word.getBytes(StandardCharsets.US_ASCII);
        return line.length - at >= bytes.length && Arrays.equals(line, at, at + bytes.length, bytes, 0, bytes.length);
    }

    private static byte[] value(byte[] line, int start, int end) {
        if (start < end && (line[start] == '"' || line[start] == '\'')) {
            return quoted(line, start, end);
        }
        int stop = start;
        while (stop < end && !(line[stop] == '#' && stop > start && line[stop - 1] == ' ')) {
            stop++;
        }
        while (stop > start && (line[stop - 1] == ' ' || line[stop - 1] == '\t')) {
            stop--;
        }
        return Arrays.copyOfRange(line, start, stop);
    }

    private static byte[] quoted(byte[] line, int start, int end) {
        byte quote = line[start];
        var out = new ByteArrayOutputStream(end - start);
        int at = start + 1;
        while (at < end && line[at] != quote) {
            boolean isEscape = quote == '"' && line[at] == '\\' && at + 1 < end && "\"\\$`".indexOf(line[at + 1]) >= 0;
            at += isEscape ? 1 : 0;
            out.write(line[at++]);
        }
        if (at >= end) {
            throw new IllegalArgumentException(
                    "a quote is not closed (expected: " + (char) quote + " on the same line)");
        }
        int rest = blanks(line, at + 1, end);
        if (rest < end && line[rest] != '#') {
            throw new IllegalArgumentException("something follows the closing quote (expected: nothing)");
        }
        return out.toByteArray();
    }

    @Override
    public void close() {
        entries.forEach(entry -> entry.value().close());
    }
}
