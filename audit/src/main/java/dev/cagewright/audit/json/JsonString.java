package dev.cagewright.audit.json;

/// A JSON string. May hold lone surrogates: they are written as escapes and read back unchanged.
public record JsonString(String value) implements JsonValue {}
