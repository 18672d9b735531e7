package dev.cagewright.mcp.door;

/// A request under way, as its client sees it.
interface Pending {
    /// The client takes it back or is gone. Nothing more is sent for it.
    void cancel();
}
