package dev.cagewright.cli.net;

import java.util.Locale;

/// Sizes for people.
public final class Amount {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB"};

    private Amount() {}

    /// `812 B`, `1.5 KiB`, `20 MiB`.
    public static String of(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value < 10 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }
}
