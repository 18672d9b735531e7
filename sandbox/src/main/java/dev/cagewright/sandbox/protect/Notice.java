package dev.cagewright.sandbox.protect;

import dev.cagewright.policy.action.ByteString;

/// Something about one path that a person should know; never a failure of the run.
///
/// @param path relative to the workspace, empty for the workspace itself
/// @param sentence what it is and what to do, without the path
public record Notice(Kind kind, ByteString path, String sentence) {

    /// What a notice is about.
    public enum Kind {
        /// The scan stopped early, so protection may have gaps.
        BOUND_HIT,
        /// Could not be looked at.
        UNREADABLE,
        /// A protected name is a link that leads out of the workspace.
        LINK_OUTSIDE,
        /// Protected, but a link: it is watched and pinned instead of masked.
        LINK,
        /// The object under a protected name is something that acts when opened; it is hidden.
        ODD_OBJECT,
        /// Cannot be protected.
        UNPROTECTED,
        /// A repository of which a part lies elsewhere.
        REPOSITORY
    }

    /// One line, safe on a terminal.
    public String line() {
        return (path.size() == 0 ? "." : path.printable()) + ": " + sentence;
    }
}
