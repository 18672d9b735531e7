package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;

/// Protection of one path of the workspace. It sits on the object by a mount, so neither rename nor
/// another system call gets around it; every directory between the workspace and the path is pinned.
///
/// @param path relative to the workspace, bytes, canonical: no empty, `.` or `..` component
public record Mask(ByteString path, Kind kind) {
    public enum Kind {
        /// Can be read, cannot be changed, moved or replaced.
        READ_ONLY,
        /// Cannot be read either; something unreadable and empty stands in its place.
        HIDDEN,
        /// Stays where it is: cannot be renamed, removed or replaced, but what is inside can change.
        /// Directories only; needed where something inside may not come into being.
        PIN
    }

    public Mask {
        for (String name : path.latin1().split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("mask: " + path + " (expected: relative, canonical, no NUL)");
            }
        }
    }
}
