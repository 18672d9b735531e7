package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the folders of a session's copies, before there is a cage.
public final class CopyFolders {
    /// The cage's user, who is not always the folder's owner, has to get through; nobody else gets through the
    /// session's own folder above.
    private static final String PASSABLE = "rwx--x--x";

    private final Path session;
    private final CopyQuota quota;

    /// Makes nothing yet.
    ///
    /// @param session the session's folder
    /// @param quota what whole copies may hold
    public CopyFolders(Path session, CopyQuota quota) {
        this.session = session;
        this.quota = quota;
    }

    /// Makes empty layers, or where there is `noOverlay` a whole copy, and writes down what it is of.
    ///
    /// @param number of the copy in the session, from 0
    /// @param noOverlay why there can be no overlay; empty to make layers for one
    /// @throws IOException if it cannot be made; nothing may run
    public SessionCopy make(CopyPlace place, int number, Optional<String> noOverlay)
            throws IOException, ConfinementException {
        var folder = SessionCopy.folderOf(session, number);
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(PASSABLE));
        var upper = Files.createDirectories(folder.resolve("upper"));
        give(upper, path(place.source()));
        var copy = noOverlay.isPresent() ? whole(place, folder, noOverlay.get()) : overlay(place, folder);
        copy.store();
        return copy;
    }

    /// What would be hidden by an overlay over `place`: the first of the things that are mounted below it.
    public static Optional<String> obstacle(CopyPlace place) throws IOException {
        return MountsBelow.first(place.source().path()).map(point -> "something is mounted below, at " + point);
    }

    private SessionCopy whole(CopyPlace place, Path folder, String noOverlay) throws IOException, ConfinementException {
        var made = made(place, folder);
        try (var from = HostFolder.open(place.source().path());
                var to = HostFolder.open(ByteString.of(made.upper().toString()))) {
            var result = TreeCopy.of(from, to, quota);
            dress(path(place.source()), made.upper());
            return made.by(result.mechanism()).withHeld(result.leftOut());
        } catch (IOException e) {
            discard(made);
            throw new ConfinementException(
                    "copy",
                    "copy(" + place.source().path() + ")",
                    String.valueOf(e.getMessage()),
                    "an overlay would need no copy, and there is none: " + noOverlay);
        }
    }

    private static SessionCopy overlay(CopyPlace place, Path folder) throws IOException {
        var lower = path(place.source());
        give(Files.createDirectories(folder.resolve("work")), lower);
        dress(lower, folder.resolve("upper"));
        return made(place, folder);
    }

    /// Makes what only a mounted overlay needs, for another cage.
    static void renewWork(SessionCopy copy, CopyPlace place) throws IOException {
        if (copy.mechanism() == Mechanism.OVERLAY) {
            removeWork(copy);
            give(Files.createDirectories(copy.work()), path(place.source()));
        }
    }

    private static void dress(Path lower, Path upper) throws IOException {
        Files.setAttribute(upper, "unix:mode", Files.getAttribute(lower, "unix:mode"));
        var times = Files.readAttributes(lower, BasicFileAttributes.class);
        Files.getFileAttributeView(upper, BasicFileAttributeView.class)
                .setTimes(times.lastModifiedTime(), times.lastAccessTime(), null);
    }

    private static SessionCopy made(CopyPlace place, Path folder) throws IOException {
        var identity = place.source().identity();
        return new SessionCopy(
                folder,
                place.source().path(),
                place.at(),
                Mechanism.OVERLAY,
                new SessionCopy.Root(identity.device(), identity.inode()),
                ((FileTime) Files.getAttribute(folder.resolve("upper"), "unix:ctime")).toInstant(),
                List.of());
    }

    /// To the owner of `like`, as far as this user may: an ordinary one keeps what is made here.
    private static void give(Path folder, Path like) throws IOException {
        for (String number : List.of("unix:uid", "unix:gid")) {
            var wanted = Files.getAttribute(like, number);
            try {
                if (!Files.getAttribute(folder, number).equals(wanted)) {
                    Files.setAttribute(folder, number, wanted, LinkOption.NOFOLLOW_LINKS);
                }
            } catch (IOException e) {
                if ((Integer) Files.getAttribute(folder, "unix:uid") == 0) {
                    throw e;
                }
            }
        }
    }

    private static Path path(HostDirectory directory) throws IOException {
        return Path.of(directory.path().utf8().orElseThrow(() -> new IOException(directory.path() + ": not UTF-8")));
    }

    /// Removes what only a mounted overlay needs. No cage may have it any more.
    public static void removeWork(SessionCopy copy) {
        var inner = copy.work().resolve("work");
        try {
            if (Files.isDirectory(inner, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("rwx------"));
                empty(inner);
            }
            Files.deleteIfExists(inner);
            Files.deleteIfExists(copy.work());
        } catch (IOException _) {
            return; // it goes with the session's folder
        }
    }

    /// The kernel keeps a removed name there, for later ones, and what it was copying when a cage was killed.
    private static void empty(Path folder) throws IOException {
        try (var entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                Files.delete(entry);
            }
        }
    }

    /// Removes a copy that no program has worked on.
    ///
    /// @throws IOException if something is left
    public static void discard(SessionCopy copy) throws IOException {
        Files.deleteIfExists(copy.folder().resolve(CopyFile.NAME));
        removeWork(copy);
        Files.walkFileTree(copy.folder(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// What a cage has to be told about `copies`.
    ///
    /// @throws ConfinementException if a folder is not there any more
    public static List<Diversion> diversions(List<SessionCopy> copies) throws ConfinementException {
        var diversions = new ArrayList<Diversion>();
        for (SessionCopy copy : copies) {
            var overlay = copy.mechanism() == Mechanism.OVERLAY;
            var folder = overlay ? copy.folder() : copy.upper();
            diversions.add(new Diversion(
                    ByteString.of(copy.at().value()),
                    overlay ? Diversion.Kind.OVERLAY : Diversion.Kind.REPLACEMENT,
                    HostDirectory.open(ByteString.of(folder.toString()), Access.READ_WRITE)));
        }
        return diversions;
    }
}
