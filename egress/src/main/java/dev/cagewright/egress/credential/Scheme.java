package dev.cagewright.egress.credential;

/// Under what a request goes out.
public enum Scheme {
    HTTPS,
    /// In the clear: whoever is on the way reads it.
    HTTP
}
