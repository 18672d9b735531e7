package dev.cagewright.sandbox.protect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/// What a directory entry is; a link is a link and nobody looked behind it.
enum Shape {
    DIRECTORY,
    FILE,
    LINK,
    SOCKET,
    /// A pipe or a device: something that acts when it is opened.
    SPECIAL,
    ABSENT;

    private static final int TYPE = 0170000;
    private static final int SOCKET_TYPE = 0140000;

    static Shape of(Path path) {
        try {
            return of(path, Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException _) {
            return ABSENT;
        }
    }

    static Shape of(Path path, BasicFileAttributes attributes) {
        if (attributes.isSymbolicLink()) {
            return LINK;
        }
        if (attributes.isDirectory()) {
            return DIRECTORY;
        }
        return attributes.isRegularFile() ? FILE : other(path);
    }

    private static Shape other(Path path) {
        try {
            int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & TYPE) == SOCKET_TYPE ? SOCKET : SPECIAL;
        } catch (IOException _) {
            return SPECIAL;
        }
    }
}
