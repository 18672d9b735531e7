package dev.cagewright.cli.named;

import java.util.List;
import java.util.Locale;

/// Amounts of bytes for people.
final class Sizes {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");
    private static final int STEP = 1024;

    private Sizes() {}

    /// E.g. `12 B` and `3.4 MiB`.
    static String text(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= STEP && unit < UNITS.size() - 1) {
            amount /= STEP;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", amount, UNITS.get(unit));
    }
}
