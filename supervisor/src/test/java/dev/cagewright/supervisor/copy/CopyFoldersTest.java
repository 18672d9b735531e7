package dev.cagewright.supervisor.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyFoldersTest {
    private static final Instant LONG_AGO = Instant.parse("2001-02-03T04:05:06.123456789Z");
    private static final Optional<String> WHOLE = Optional.of("a test asks for it");

    @TempDir
    private Path folder;

    private Path lower = Path.of("/");
    private Path session = Path.of("/");

    @BeforeEach
    void folders() throws IOException {
        lower = Files.createDirectory(folder.resolve("lower")).toRealPath();
        session = Files.createDirectory(folder.resolve("session"));
    }

    private CopyPlace place() throws ConfinementException {
        var at = ByteString.of(lower.toString());
        return new CopyPlace(new GuestPath(lower.toString()), HostDirectory.open(at, Access.READ_WRITE));
    }

    private SessionCopy make(Optional<String> noOverlay, CopyQuota quota) throws IOException, ConfinementException {
        return new CopyFolders(session, quota).make(place(), 0, noOverlay);
    }

    @Test
    void layers_of_an_overlay_are_empty_and_their_top_is_like_the_hosts_directory()
            throws IOException, ConfinementException {
        Files.writeString(lower.resolve("file"), "x");
        Files.setPosixFilePermissions(lower, PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setLastModifiedTime(lower, FileTime.from(LONG_AGO));

        var copy = make(Optional.empty(), CopyQuota.DEFAULT);

        assertThat(copy.upper()).isEmptyDirectory();
        assertThat(copy.work()).isEmptyDirectory();
        assertThat(Files.getPosixFilePermissions(copy.upper())).isEqualTo(PosixFilePermissions.fromString("rwxr-x--x"));
        assertThat(Files.getLastModifiedTime(copy.upper())).isEqualTo(FileTime.from(LONG_AGO));
        assertThat(SessionCopy.load(copy.folder())).contains(copy);
        Files.writeString(lower.resolve("file"), "later");
        assertThat(((FileTime) Files.getAttribute(lower.resolve("file"), "unix:ctime")).toInstant())
                .isAfterOrEqualTo(copy.made());
    }

    @Test
    void a_whole_copy_has_files_links_holes_permissions_and_times_and_tells_what_it_left_out()
            throws IOException, ConfinementException, InterruptedException {
        var deep = Files.createDirectories(lower.resolve("a/b"));
        Files.writeString(deep.resolve("tool"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(deep.resolve("tool"), PosixFilePermissions.fromString("rwxr-x---"));
        Files.setLastModifiedTime(deep.resolve("tool"), FileTime.from(LONG_AGO));
        Files.setPosixFilePermissions(deep, PosixFilePermissions.fromString("r-xr-x---"));
        Files.createSymbolicLink(lower.resolve("link"), Path.of("a/b/../nowhere"));
        Files.createFile(lower.resolve("empty"));
        try (var sparse = Files.newByteChannel(
                lower.resolve("sparse"),
                EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE))) {
            sparse.position(8 << 20).write(ByteBuffer.wrap(new byte[] {1}));
        }
        assertThat(new ProcessBuilder("mkfifo", lower.resolve("a/pipe").toString())
                        .start()
                        .waitFor())
                .isZero();

        var copy = make(WHOLE, CopyQuota.DEFAULT);

        assertThat(copy.mechanism()).isIn(Mechanism.COPY, Mechanism.REFLINK);
        assertThat(copy.held()).containsExactly(ByteString.of("a/pipe"));
        var tool = copy.upper().resolve("a/b/tool");
        assertThat(tool).hasContent("#!/bin/sh\n");
        assertThat(Files.getPosixFilePermissions(tool)).isEqualTo(PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(Files.getLastModifiedTime(tool)).isEqualTo(FileTime.from(LONG_AGO));
        assertThat(Files.getPosixFilePermissions(tool.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("r-xr-x---"));
        assertThat(Files.readSymbolicLink(copy.upper().resolve("link"))).isEqualTo(Path.of("a/b/../nowhere"));
        assertThat(copy.upper().resolve("sparse")).hasSameBinaryContentAs(lower.resolve("sparse"));
        assertThat(Files.exists(copy.upper().resolve("a/pipe"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
        assertThat(SessionCopy.load(copy.folder())).contains(copy);
        Files.setPosixFilePermissions(deep, PosixFilePermissions.fromString("rwxr-x---"));
        Files.setPosixFilePermissions(tool.getParent(), PosixFilePermissions.fromString("rwxr-x---"));
    }

    private void script(String text) throws IOException, InterruptedException {
        var shell = new ProcessBuilder("sh", "-c", text).directory(lower.toFile());
        assertThat(shell.start().waitFor()).isZero();
    }

    private static List<ByteString> names(Path directory) throws IOException {
        try (var folder = HostFolder.open(ByteString.of(directory.toString()))) {
            return folder.names(100).stream().sorted().toList();
        }
    }

    @Test
    void B125_links_are_copied_as_links_and_none_is_followed()
            throws IOException, ConfinementException, InterruptedException {
        script("mkdir sub node; ln -s /etc/passwd abs; ln -s ../../up rel; ln -s nowhere dangling; ln -s /usr dir; "
                + "ln -s ../sub node/bin");

        var upper = make(WHOLE, CopyQuota.DEFAULT).upper();

        for (String name : List.of("abs", "rel", "dangling", "dir", "node/bin")) {
            assertThat(Files.readSymbolicLink(upper.resolve(name)))
                    .isEqualTo(Files.readSymbolicLink(lower.resolve(name)));
        }
    }

    @Test
    void B126_names_are_copied_byte_for_byte() throws IOException, ConfinementException, InterruptedException {
        script("for n in 'a\\r' 'a' 'b\\nc' ' lead' 'x\\\\' 'b\\377y' 'e\\314\\201' '\\303\\251'; do "
                + "f=$(printf \"$n\"; echo .); f=${f%.}; f=${f%\"$(printf '\\n')\"}; echo \"$n\" > \"./$f\"; done; "
                + "echo h > ./--help; echo l > $(printf '%0255d' 7)");

        var upper = make(WHOLE, CopyQuota.DEFAULT).upper();

        assertThat(names(lower)).hasSize(10).contains(ByteString.copyOf(new byte[] {'b', (byte) 0xff, 'y'}));
        assertThat(names(upper)).isEqualTo(names(lower));
    }

    @Test
    void the_folder_that_only_a_mounted_overlay_needs_is_removed_with_what_the_kernel_left()
            throws IOException, ConfinementException {
        var copy = make(Optional.empty(), CopyQuota.DEFAULT);
        var inner = Files.createDirectory(copy.work().resolve("work"));
        Files.createFile(inner.resolve("#1a"));
        Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString("---------"));

        CopyFolders.removeWork(copy);
        CopyFolders.removeWork(copy);

        assertThat(copy.work()).doesNotExist();
        assertThat(copy.upper()).exists();
    }

    @Test
    void a_tree_within_the_quota_is_copied_and_one_beyond_is_refused_and_leaves_nothing()
            throws IOException, ConfinementException {
        for (String name : List.of("1", "2", "3")) {
            Files.writeString(lower.resolve(name), "ten bytes.");
        }
        assertThat(make(WHOLE, new CopyQuota(30, 3)).upper().resolve("3")).exists();

        for (CopyQuota quota : List.of(new CopyQuota(29, 3), new CopyQuota(30, 2))) {
            assertThatThrownBy(() -> new CopyFolders(session, quota).make(place(), 1, WHOLE))
                    .isInstanceOf(ConfinementException.class)
                    .hasMessage("copy: copy(" + lower + "): more than " + quota.entries() + " files or " + quota.bytes()
                            + " bytes would have to be copied (raise resources.files or resources.disk)");
            assertThat(session.resolve("copy-2")).doesNotExist();
        }
    }

    @Test
    void what_lies_too_deep_is_refused_and_counts_as_too_much() throws IOException {
        var deep = lower;
        for (int i = 0; i < CopySize.DEPTH + 1; i++) {
            deep = Files.createDirectory(deep.resolve("d"));
        }
        assertThatThrownBy(() -> make(WHOLE, CopyQuota.DEFAULT)).hasMessageContaining("deeper than 256 directories");
        assertThat(CopySize.of(List.of(lower), CopyQuota.DEFAULT).isOver(CopyQuota.DEFAULT))
                .isTrue();
        assertThat(CopySize.of(List.of(lower.resolve("d/d")), CopyQuota.DEFAULT))
                .isEqualTo(new CopySize(0, CopySize.DEPTH - 1));
    }

    @Test
    void a_size_counts_names_once_an_entry_and_bytes_once_a_file() throws IOException {
        Files.writeString(lower.resolve("one"), "12345");
        Files.createLink(lower.resolve("two"), lower.resolve("one"));
        Files.createDirectory(lower.resolve("d"));
        Files.writeString(lower.resolve("d/three"), "123");
        Files.createSymbolicLink(lower.resolve("out"), Path.of("/usr"));

        assertThat(CopySize.of(List.of(lower), CopyQuota.DEFAULT)).isEqualTo(new CopySize(8, 5));
    }

    @Test
    void mount_points_below_a_directory_are_found_whatever_bytes_they_have() {
        var mountinfo = List.of(
                "22 1 8:1 / / rw - ext4 /dev/root rw",
                "30 22 0:5 / /work rw - tmpfs t rw",
                "31 22 0:6 / /workspace/a\\040b\\134c rw shared:1 - tmpfs t rw",
                "short");
        assertThat(MountsBelow.first(ByteString.of("/workspace"), mountinfo))
                .contains(ByteString.of("/workspace/a b\\c"));
        assertThat(MountsBelow.first(ByteString.of("/work"), mountinfo)).isEmpty();
        assertThat(MountsBelow.first(ByteString.of("/workspace/a b"), mountinfo))
                .isEmpty();
        assertThat(MountsBelow.first(ByteString.of("/"), List.of(mountinfo.getFirst())))
                .contains(ByteString.of("/"));
    }
}
