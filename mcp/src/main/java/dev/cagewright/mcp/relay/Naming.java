package dev.cagewright.mcp.relay;

/// What the things of a server are called outside.
public enum Naming {
    /// What the server calls them, which is alone.
    OWN,
    /// By [Names], with their server's in front.
    PREFIXED
}
