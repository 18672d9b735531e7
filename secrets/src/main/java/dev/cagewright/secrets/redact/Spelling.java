package dev.cagewright.secrets.redact;

/// A way in which the bytes of a value are written.
public enum Spelling {
    PLAIN,
    /// From its last byte to its first.
    REVERSED,
    BASE64,
    HEX,
    PERCENT,
    /// In a string of JSON.
    ESCAPED
}
