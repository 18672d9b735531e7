package dev.cagewright.audit.json;

/// `true` or `false`.
public record JsonBoolean(boolean value) implements JsonValue {}
