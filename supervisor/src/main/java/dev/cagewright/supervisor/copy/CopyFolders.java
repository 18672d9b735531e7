package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.HostDirectory;
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
import org.jspecify.annotations.Nullable;

/// Makes the folders of a session's copies, before there is a cage.
public final class CopyFolders {
    /// The cage's user, who is not always the folder's owner, has to get through; nobody else gets through the
    /// session's own folder above.
    private static final String PASSABLE = "rwx--x--x";

    private final Path session;

    /// @param session the session's folder
    public CopyFolders(Path session) {
        this.session = session;
    }

    /// Makes empty layers for each place, in order, and writes down what they are of.
    ///
    /// @throws IOException if they cannot be made; nothing may run
    public List<SessionCopy> overlays(List<CopyPlace> places) throws IOException {
        var copies = new ArrayList<SessionCopy>();
        for (CopyPlace place : places) {
            var copy = overlay(place, SessionCopy.folderOf(session, copies.size()));
            copy.store();
            copies.add(copy);
        }
        return copies;
    }

    private static SessionCopy overlay(CopyPlace place, Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(PASSABLE));
        var lower = path(place.source());
        var upper = Files.createDirectories(folder.resolve("upper"));
        var work = Files.createDirectories(folder.resolve("work"));
        give(work, lower);
        give(upper, lower);
        Files.setAttribute(upper, "unix:mode", Files.getAttribute(lower, "unix:mode"));
        var times = Files.readAttributes(lower, BasicFileAttributes.class);
        Files.getFileAttributeView(upper, BasicFileAttributeView.class)
                .setTimes(times.lastModifiedTime(), times.lastAccessTime(), null);
        var identity = place.source().identity();
        return new SessionCopy(
                folder,
                place.source().path(),
                place.at(),
                Mechanism.OVERLAY,
                new SessionCopy.Root(identity.device(), identity.inode()),
                ((FileTime) Files.getAttribute(upper, "unix:ctime")).toInstant(),
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

    /// Removes what only a mounted overlay needs; what the kernel left in it stays, and harms nobody.
    public static void removeWork(SessionCopy copy) {
        try {
            Files.deleteIfExists(copy.work().resolve("work"));
            Files.deleteIfExists(copy.work());
        } catch (IOException _) {
            return; // it goes with the session's folder
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
