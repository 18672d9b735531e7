package dev.cagewright.audit.read;

import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.event.LogLine;

/// What a reader meets between two line ends.
public sealed interface StoredLine {
    /// A line that can be read.
    record Whole(LogLine line) implements StoredLine {}

    /// Bytes that are no line. They are always shown, whatever is asked for, so that nothing hides behind a filter.
    ///
    /// @param reason one sentence without a full stop
    record Damaged(String reason) implements StoredLine {}

    /// Reads what it can.
    ///
    /// @param bytes without the line end
    static StoredLine of(byte[] bytes) {
        try {
            return new Whole(LineFormat.parse(bytes));
        } catch (LineSyntaxException e) {
            return new Damaged(String.valueOf(e.getMessage()));
        }
    }
}
