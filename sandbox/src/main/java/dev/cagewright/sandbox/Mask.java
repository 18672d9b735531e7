package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;

/// Protection of one path of the workspace. It sits on the object by a mount, so neither rename nor
/// another system call gets around it; every directory between the workspace and the path is pinned.
///
/// @param path relative to the workspace, or absolute for a place below another mount; bytes,
///     canonical: no empty, `.` or `..` component
/// @param text where a LINK leads, absolute; empty for the others
public record Mask(ByteString path, Kind kind, ByteString text) {
    private static final ByteString NOTHING = ByteString.of("");

    public enum Kind {
        /// Can be read, cannot be changed, moved or replaced.
        READ_ONLY,
        /// Cannot be read either; something unreadable and empty stands in its place.
        HIDDEN,
        /// Stays where it is: cannot be renamed, removed or replaced, but what is inside can change.
        /// Directories only; needed where something inside may not come into being.
        PIN,
        /// A link stands in its place, which cannot be changed, moved or replaced: who opens the name gets what the
        /// link
        /// leads to, and the object itself is out of reach. Files only.
        LINK
    }

    public Mask {
        var written = path.latin1();
        for (String name : (written.startsWith("/") ? written.substring(1) : written).split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("mask: " + path + " (expected: canonical, no NUL)");
            }
        }
        if ((kind == Kind.LINK) != (text.size() > 0 && text.at(0) == '/')) {
            throw new IllegalArgumentException("mask: " + path + " leads to \"" + text
                    + "\" (expected: an absolute path for a link, else nothing)");
        }
    }

    /// One that is no link.
    public Mask(ByteString path, Kind kind) {
        this(path, kind, NOTHING);
    }

    /// A link to `text`, absolute, in the place of the file at `path`.
    public static Mask link(ByteString path, ByteString text) {
        return new Mask(path, Kind.LINK, text);
    }

    /// Is the path absolute?
    public boolean isElsewhere() {
        return path.at(0) == '/';
    }
}
