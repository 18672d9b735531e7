package dev.cagewright.bench;

import java.util.Locale;

/// How a figure is written.
enum Unit {
    NANOSECONDS("%,.0f ns", 1),
    MICROSECONDS("%,.0f us", 1e3),
    MILLISECONDS("%,.2f ms", 1e6),
    BYTES("%,.1f B", 1),
    KIBIBYTES("%,.0f KiB", 1024),
    MEBIBYTES("%,.1f", 1 << 20),
    RATIO("%.2fx", 1),
    COUNT("%,.0f", 1);

    private final String format;
    private final double divisor;

    Unit(String format, double divisor) {
        this.format = format;
        this.divisor = divisor;
    }

    String words(double value) {
        return String.format(Locale.ROOT, format, value / divisor);
    }
}
