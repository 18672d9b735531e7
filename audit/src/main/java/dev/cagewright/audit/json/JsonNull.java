package dev.cagewright.audit.json;

/// `null`.
public record JsonNull() implements JsonValue {}
