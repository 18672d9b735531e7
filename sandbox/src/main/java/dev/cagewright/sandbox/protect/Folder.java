package dev.cagewright.sandbox.protect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An open directory of the workspace: names are looked up from its descriptor and links are never followed.
/// The caller closes it; for one thread.
record Folder(Path path, SecureDirectoryStream<Path> stream) implements Closeable {
    /// As much of a configuration file as is read.
    static final int READ_LIMIT = 1 << 20;

    /// Opens `path`, the top of a workspace, which its owner named.
    @SuppressWarnings("StreamResourceLeak") // handed to the caller
    static Folder open(Path path) throws IOException {
        return new Folder(path, secure(path, Files.newDirectoryStream(path)));
    }

    /// Opens `path` if it is the very directory that `identity`, a file key, belongs to.
    ///
    /// @throws NotDirectoryException if another object stands there by now
    static Folder open(Path path, @Nullable Object identity) throws IOException {
        var folder = open(path);
        try {
            var own = folder.stream
                    .getFileAttributeView(BasicFileAttributeView.class)
                    .readAttributes();
            if (Objects.equals(own.fileKey(), identity)) {
                return folder;
            }
        } catch (IOException e) {
            folder.close();
            throw e;
        }
        folder.close();
        throw new NotDirectoryException(path.toString());
    }

    /// Opens the directory at `at` below `root`, name by name.
    static Folder descend(Path root, TreePath at) throws IOException {
        var folder = open(root);
        for (String name : at.names()) {
            try (var above = folder) {
                var next = new TreePath(name).on(Path.of("/"));
                folder = new Folder(
                        at.on(root),
                        secure(at.on(root), above.stream.newDirectoryStream(last(next), LinkOption.NOFOLLOW_LINKS)));
            }
        }
        return folder;
    }

    private static Path last(Path path) {
        var name = path.getFileName();
        if (name == null) {
            throw new IllegalArgumentException("path: " + path + " (expected: at least one name)");
        }
        return name;
    }

    private static SecureDirectoryStream<Path> secure(Path path, DirectoryStream<Path> stream) throws IOException {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException(path + ": the file system gives no descriptors (expected: Linux)");
    }

    Iterator<Path> entries() {
        return stream.iterator();
    }

    BasicFileAttributes look(Path name) throws IOException {
        return stream.getFileAttributeView(last(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    /// The first [#READ_LIMIT] bytes of the regular file `name`, one char each.
    ///
    /// @throws NoSuchFileException if it is not there or not a regular file
    String read(Path name) throws IOException {
        if (!look(name).isRegularFile()) {
            throw new NoSuchFileException(name.toString());
        }
        var options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (var channel = stream.newByteChannel(last(name), options)) {
            var buffer = ByteBuffer.allocate((int) Math.min(READ_LIMIT, channel.size() + 1));
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
            return StandardCharsets.ISO_8859_1.decode(buffer.flip()).toString();
        }
    }

    /// The first `most` bytes of the regular file `name`.
    ///
    /// @throws NoSuchFileException if it is not there or not a regular file
    byte[] head(Path name, int most) throws IOException {
        if (!look(name).isRegularFile()) {
            throw new NoSuchFileException(name.toString());
        }
        var options = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try (var channel = stream.newByteChannel(last(name), options)) {
            var buffer = ByteBuffer.allocate(most);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
            return Arrays.copyOf(buffer.array(), buffer.position());
        }
    }

    /// rmdir(2): an empty directory or nothing.
    void removeDirectory(Path name) throws IOException {
        stream.deleteDirectory(last(name));
    }

    /// unlink(2): anything but a directory.
    void removeFile(Path name) throws IOException {
        stream.deleteFile(last(name));
    }

    /// renameat(2) of `name` into another open folder; nothing is followed or opened.
    void move(Path name, Folder to, Path newName) throws IOException {
        stream.move(last(name), to.stream, newName);
    }

    /// Takes set-user-id and set-group-id from the file `name`, through its descriptor.
    void dropSetId(Path name) throws IOException {
        var view = stream.getFileAttributeView(last(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        view.setPermissions(view.readAttributes().permissions());
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
