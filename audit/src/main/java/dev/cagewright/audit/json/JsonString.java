package dev.cagewright.audit.json;

/// A JSON string. May hold lone surrogates: they are written as escapes and read back unchanged.
public record JsonString(String value) implements JsonValue {
    private static final int BRIEF = 64;

    /// The start of this string, quoted and escaped, for messages.
    public String brief() {
        return value.length() <= BRIEF ? write() : new JsonString(value.substring(0, BRIEF) + "...").write();
    }
}
