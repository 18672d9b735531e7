package dev.cagewright.sandbox.environment;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// The environment this process was started with, as bytes. `System.getenv` decodes with the locale's
/// charset and loses what does not fit.
public final class CallerEnvironment {
    private static final ByteString LOCALE = ByteString.of("LC_ALL");

    /// Where the start script keeps the caller's `LC_ALL`, empty for none: the JVM itself needs UTF-8.
    private static final ByteString LOCALE_BEFORE = ByteString.of("CAGEWRIGHT_CALLER_LC_ALL");

    private CallerEnvironment() {}

    /// Reads `/proc/self/environ`: the variables at the start of this process, first one wins as in the C
    /// library.
    ///
    /// @throws IOException if /proc is not mounted or not readable
    public static Map<ByteString, ByteString> read() throws IOException {
        return parse(Files.readAllBytes(Path.of("/proc/self/environ")));
    }

    /// Splits `block`, NUL-terminated `name=value` entries; entries without a name or `=` are left out.
    static Map<ByteString, ByteString> parse(byte[] block) {
        var variables = new LinkedHashMap<ByteString, ByteString>();
        int start = 0;
        while (start < block.length) {
            int end = indexOf(block, (byte) 0, start);
            int equals = indexOf(block, (byte) '=', start);
            if (equals > start && equals < end) {
                variables.putIfAbsent(
                        ByteString.copyOf(Arrays.copyOfRange(block, start, equals)),
                        ByteString.copyOf(Arrays.copyOfRange(block, equals + 1, end)));
            }
            start = end + 1;
        }
        return withOwnLocale(variables);
    }

    private static Map<ByteString, ByteString> withOwnLocale(Map<ByteString, ByteString> variables) {
        var before = variables.remove(LOCALE_BEFORE);
        if (before != null && before.equals(ByteString.of(""))) {
            variables.remove(LOCALE);
        } else if (before != null) {
            variables.put(LOCALE, before);
        }
        return variables;
    }

    private static int indexOf(byte[] block, byte wanted, int from) {
        for (int i = from; i < block.length; i++) {
            if (block[i] == wanted) {
                return i;
            }
        }
        return block.length;
    }
}
