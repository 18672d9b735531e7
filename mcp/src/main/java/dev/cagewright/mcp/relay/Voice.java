package dev.cagewright.mcp.relay;

/// Who tells a person what servers say outside of calls. Safe for all threads.
public interface Voice {
    /// A line of a server's own, as it came.
    void said(String server, String line);

    /// Something about a server, a clause that goes on behind its name.
    void told(String server, String clause);
}
