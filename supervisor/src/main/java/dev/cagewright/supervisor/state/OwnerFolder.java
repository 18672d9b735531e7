package dev.cagewright.supervisor.state;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A folder for its owner alone, mode 0700, in one that is.
public final class OwnerFolder {
    private OwnerFolder() {}

    /// Creates `folder` where it is not there.
    ///
    /// @throws IOException if something else stands there, a link too, or it cannot be created
    public static void make(Path folder) throws IOException {
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
    }
}
