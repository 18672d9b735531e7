package dev.cagewright.supervisor.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// An empty directory that stands in where a policy grants no workspace. The cage sees it read-only.
record Scratch(Path path) implements AutoCloseable {
    static Scratch in(Path folder) throws IOException {
        var path = folder.resolve("no-workspace");
        Files.deleteIfExists(path);
        return new Scratch(Files.createDirectory(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
