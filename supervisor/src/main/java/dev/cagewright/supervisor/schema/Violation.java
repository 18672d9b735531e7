package dev.cagewright.supervisor.schema;

/// Why a value does not fit.
///
/// @param pointer where in the value, RFC 6901; empty for all of it
/// @param why what would fit, for people; never the value itself
public record Violation(String pointer, String why) {
    /// E.g. `/path: longer than 4096 characters`.
    @Override
    public String toString() {
        return pointer.isEmpty() ? why : pointer + ": " + why;
    }
}
