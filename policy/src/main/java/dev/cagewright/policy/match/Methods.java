package dev.cagewright.policy.match;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// HTTP methods as bits: the registered ones first, others as policies name them.
final class Methods {
    static final long ALL = -1;

    /// Stands for every method that no entry names.
    private static final long UNNAMED = 1L << 63;

    private static final int MOST = 63;

    private final Map<String, Long> bits = new HashMap<>();

    /// The bit of `method`, which gets one if it has none.
    ///
    /// @throws IllegalArgumentException if there are more than 63 methods
    long nameAndGet(String method) {
        var name = method.toUpperCase(Locale.ROOT);
        var known = bits.get(name);
        if (known != null) {
            return known;
        }
        if (bits.size() == MOST) {
            throw new IllegalArgumentException(
                    "methods: " + (MOST + 1) + " different ones (expected: at most " + MOST + ")");
        }
        long bit = 1L << bits.size();
        bits.put(name, bit);
        return bit;
    }

    /// The bit of a method in upper case.
    long get(String method) {
        var bit = bits.get(method);
        return bit == null ? UNNAMED : bit;
    }
}
