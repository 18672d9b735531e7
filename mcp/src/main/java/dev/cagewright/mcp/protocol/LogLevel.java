package dev.cagewright.mcp.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How much a line of log matters, least first: RFC 5424, section 6.2.1.
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    /// As it stands in messages.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The level of that text.
    public static Optional<LogLevel> of(String text) {
        return Arrays.stream(values())
                .filter(level -> level.text().equals(text))
                .findFirst();
    }

    /// All, least first, for messages.
    public static String all() {
        return String.join(", ", Arrays.stream(values()).map(LogLevel::text).toList());
    }
}
