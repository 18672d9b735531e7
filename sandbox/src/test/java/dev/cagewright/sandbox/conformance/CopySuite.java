package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.Streams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A workspace whose writes go elsewhere: the program sees them, the host's directory does not.
public abstract class CopySuite extends RuntimeConformance {
    private static final String DAMAGE = """
            echo new > plain; echo more >> twin; ln twin third; rm other; echo x > link; rm link; ln -s nowhere link
            chmod 700 sub; touch sub; mv sub/deep/leaf sub/leaf; rm -rf sub/deep; mkdir sub/deep; touch -d @1 marked
            printf end | dd of=sparse bs=1 seek=9000000 conv=notrunc 2>/dev/null; rm pipe; mkdir pipe; chmod 0 plain
            touch new; echo done""";

    private Path layers(String name) throws IOException {
        var folder = Files.createDirectories(scratch.toRealPath().resolve(name));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        Files.createDirectories(folder.resolve("upper"));
        Files.createDirectories(folder.resolve("work"));
        return folder;
    }

    private Path upper() throws IOException {
        return scratch.toRealPath().resolve("layers/upper");
    }

    private static Diversion overlay(ByteString at, Path folder) throws ConfinementException {
        return new Diversion(
                at, Diversion.Kind.OVERLAY, HostDirectory.open(ByteString.of(folder.toString()), Access.READ_WRITE));
    }

    private CageSpec copied() throws IOException, ConfinementException {
        var spec = spec();
        return spec.withDiversions(List.of(overlay(spec.workspace().path(), layers("layers"))));
    }

    /// One of everything that a directory can hold and an ordinary user can make.
    private void furnish() throws IOException, InterruptedException {
        Files.writeString(workspace.resolve("plain"), "old\n");
        Files.writeString(workspace.resolve("twin"), "two names\n");
        Files.createLink(workspace.resolve("other"), workspace.resolve("twin"));
        Files.createSymbolicLink(workspace.resolve("link"), Path.of("plain"));
        Files.createDirectories(workspace.resolve("sub/deep"));
        Files.writeString(workspace.resolve("sub/deep/leaf"), "leaf\n");
        try (var sparse = Files.newByteChannel(
                workspace.resolve("sparse"),
                EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE))) {
            sparse.position(8 << 20).write(ByteBuffer.wrap(new byte[] {1}));
        }
        assertThat(new ProcessBuilder("mkfifo", workspace.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        var marked = Files.writeString(workspace.resolve("marked"), "m");
        Files.getFileAttributeView(marked, UserDefinedFileAttributeView.class)
                .write("origin", ByteBuffer.wrap(new byte[] {7, 0, 7}));
        for (var name : List.of("plain", "sub/deep/leaf", "marked", "sub/deep", "sub")) {
            Files.setLastModifiedTime(
                    workspace.resolve(name), FileTime.from(Instant.parse("2001-02-03T04:05:06.123456789Z")));
        }
    }

    @Test
    void the_program_sees_what_it_writes_and_the_host_does_not()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "old\n");
        Files.writeString(workspace.resolve("gone"), "gone\n");
        var said = ok(copied(), "echo new > kept; rm gone; mkdir d; echo x > d/y; cat kept; ls; test -O kept");
        assertThat(said).isEqualTo("new\nd\nkept\n");
        assertThat(workspace.resolve("kept")).hasContent("old\n");
        assertThat(workspace.resolve("gone")).hasContent("gone\n");
        assertThat(workspace.resolve("d")).doesNotExist();
        assertThat(upper().resolve("kept")).hasContent("new\n");
        assertThat(upper().resolve("d/y")).hasContent("x\n");
        assertThat(Files.getOwner(upper().resolve("d/y"))).isEqualTo(Files.getOwner(workspace));
    }

    @Test
    void without_a_diversion_the_same_write_reaches_the_host()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "old\n");
        ok(spec(), "echo new > kept");
        assertThat(workspace.resolve("kept")).hasContent("new\n");
    }

    @Test
    void nothing_of_the_hosts_directory_changes_whatever_the_program_does()
            throws IOException, ConfinementException, InterruptedException {
        furnish();
        var before = Manifest.of(workspace);
        assertThat(ok(copied(), DAMAGE)).isEqualTo("done\n");
        assertThat(Manifest.of(workspace)).isEqualTo(before);
        assertThat(before).hasSize(11);
        assertThat(upper().resolve("sub/leaf")).hasContent("leaf\n");
    }

    @Test
    void nothing_of_it_changes_when_the_cage_is_killed_in_the_middle_and_the_next_one_goes_on()
            throws IOException, ConfinementException, InterruptedException {
        furnish();
        var before = Manifest.of(workspace);
        var said = new CountDownLatch(1);
        try (var cage = runtime().create(copied())) {
            var out = new OutputStream() {
                @Override
                public void write(int b) {
                    said.countDown();
                }
            };
            var script = "echo new > plain; while :; do echo x > n$((i=i+1)); rm n$((i-5)) 2>/dev/null; echo; done";
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pipes(new ByteArrayInputStream(new byte[0]), out, OutputStream.nullOutputStream()),
                    "/bin/sh",
                    "-c",
                    script);
            said.await();
            cage.kill(KillReason.REQUESTED);
            run.await();
        }
        assertThat(Manifest.of(workspace)).isEqualTo(before);
        assertThat(ok(copied(), "cat plain")).isEqualTo("new\n");
    }

    @Test
    void masks_hold_on_the_copy_as_on_the_host() throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.writeString(workspace.resolve(".git/config"), "mine\n");
        Files.writeString(workspace.resolve("secret"), "secret\n");
        var masks = List.of(
                new Mask(ByteString.of(".git/hooks"), Mask.Kind.READ_ONLY),
                new Mask(ByteString.of(".git/config"), Mask.Kind.READ_ONLY),
                new Mask(ByteString.of("secret"), Mask.Kind.HIDDEN));
        var ran = script(
                copied().withMasks(masks),
                "touch .git/hooks/x; echo y > .git/config; mv .git away; rm -rf .git/hooks; cat secret; rm secret; "
                        + "echo z > .git/index && cat .git/index");
        assertThat(ran.err())
                .contains("'.git/hooks/x': Read-only file system")
                .contains(".git/config: Read-only file system")
                .contains("'.git' to 'away': Device or resource busy")
                .contains("'.git/hooks': Device or resource busy")
                .contains("secret: Permission denied")
                .contains("'secret': Device or resource busy");
        assertThat(ran.out()).isEqualTo("z\n");
        assertThat(upper().resolve(".git")).isDirectoryContaining(path -> path.endsWith("index"));
        assertThat(upper().resolve(".git/hooks")).doesNotExist();
    }

    @Test
    void a_mask_can_sit_on_what_only_the_copy_has() throws IOException, ConfinementException, InterruptedException {
        var spec = copied().withMasks(List.of(new Mask(ByteString.of(".envrc"), Mask.Kind.READ_ONLY)));
        Files.createDirectory(upper().resolve(".envrc"));
        var ran = script(spec, "touch .envrc/x; rmdir .envrc; mv .envrc y; echo a > free; ls -A");
        assertThat(ran.err()).contains("Read-only file system").contains("Device or resource busy");
        assertThat(ran.out()).isEqualTo(".envrc\nfree\n");
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void only_named_programs_of_the_copy_are_executed() throws IOException, ConfinementException, InterruptedException {
        Attempts.copyTo(workspace);
        Files.copy(workspace.resolve("attempts"), workspace.resolve("second"));
        Files.setPosixFilePermissions(workspace.resolve("second"), PosixFilePermissions.fromString("rwxr-xr-x"));
        var named =
                List.of("/usr/bin/dash", "/bin/cp", "/bin/mv", "/usr/lib", "/lib64", workspace + "/attempts").stream()
                        .map(ByteString::of)
                        .toList();
        var ran = script(
                copied().withExec(new ExecRights.Only(named)),
                "./attempts memory-exec /bin/cp; ./second memory-exec /bin/cp; cp attempts new; ./new memory-exec x; "
                        + "mv second attempts; ./attempts memory-exec x");
        assertThat(ran.out()).isEqualTo("memory-exec EACCES\n");
        assertThat(ran.err())
                .contains("./second: Permission denied")
                .contains("./new: Permission denied")
                .contains("./attempts: Permission denied");
    }

    @Test
    void a_hosts_socket_in_the_workspace_is_not_reached_through_the_copy()
            throws IOException, ConfinementException, InterruptedException {
        Attempts.copyTo(workspace);
        var place = workspace.resolve("listening.sock");
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(place));
            assertThat(ok(copied(), "./attempts path-socket " + place)).isEqualTo("path-socket ECONNREFUSED\n");
        }
    }

    @Test
    void odd_bytes_in_the_workspaces_name_are_no_options_of_the_overlay()
            throws IOException, ConfinementException, InterruptedException {
        workspace = Files.createDirectory(scratch.toRealPath().resolve(" a\nb,c:d\\e,upperdir=f'\"ü --help"));
        assertThat(ok(copied(), "echo x > y; pwd")).isEqualTo(workspace + "\n");
        assertThat(workspace).isEmptyDirectory();
        assertThat(upper().resolve("y")).hasContent("x\n");
    }

    @Test
    void further_mounts_have_copies_of_their_own() throws IOException, ConfinementException, InterruptedException {
        var data = Files.createDirectory(scratch.toRealPath().resolve("data"));
        Files.writeString(data.resolve("d"), "old\n");
        var mount = new Mount(
                new GuestPath("/srv/data"), new Mount.HostPath(ByteString.of(data.toString())), Access.READ_WRITE);
        var spec = copied().withMounts(List.of(mount));
        var both = List.of(spec.diversions().getFirst(), overlay(ByteString.of("/srv/data"), layers("second")));
        assertThat(ok(spec.withDiversions(both), "echo a > a; echo new > /srv/data/d; cat /srv/data/d"))
                .isEqualTo("new\n");
        assertThat(data.resolve("d")).hasContent("old\n");
        assertThat(scratch.resolve("second/upper/d")).hasContent("new\n");
        assertThat(upper().resolve("a")).exists();
        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void renaming_a_directory_of_the_host_works_by_copying_what_is_in_it()
            throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve("from/inner"));
        Files.writeString(workspace.resolve("from/inner/file"), "f\n");
        assertThat(ok(copied(), "mv from to && cat to/inner/file && ls")).isEqualTo("f\nto\n");
        assertThat(workspace.resolve("from/inner/file")).exists();
        assertThat(workspace.resolve("to")).doesNotExist();
    }

    @Test
    void a_replacement_is_seen_instead_of_the_place() throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("host"), "h");
        var tree = Files.createDirectory(scratch.toRealPath().resolve("tree"));
        Files.writeString(tree.resolve("copy"), "c");
        var folder = HostDirectory.open(ByteString.of(tree.toString()), Access.READ_WRITE);
        var spec = spec();
        var replaced = spec.withDiversions(
                List.of(new Diversion(spec.workspace().path(), Diversion.Kind.REPLACEMENT, folder)));
        assertThat(ok(replaced, "ls; echo x > y")).isEqualTo("copy\n");
        assertThat(tree.resolve("y")).exists();
        assertThat(workspace.resolve("y")).doesNotExist();
    }

    @Test
    void layers_that_cannot_be_used_are_refused_by_name_and_nothing_runs() throws IOException, ConfinementException {
        var spec = copied();
        Files.delete(scratch.toRealPath().resolve("layers/work"));
        assertThatThrownBy(() -> runtime().create(spec))
                .isInstanceOf(ConfinementException.class)
                .hasMessageStartingWith("overlay: fsconfig(")
                .hasMessageContaining("No such file or directory");
    }

    @Test
    void layers_inside_of_the_directory_itself_are_refused() throws IOException, ConfinementException {
        var inside = Files.createDirectories(workspace.resolve("state"));
        Files.setPosixFilePermissions(inside, PosixFilePermissions.fromString("rwx--x--x"));
        Files.createDirectory(inside.resolve("upper"));
        Files.createDirectory(inside.resolve("work"));
        var spec = spec();
        var nested = spec.withDiversions(List.of(overlay(spec.workspace().path(), inside)));
        assertThatThrownBy(() -> runtime().create(nested))
                .isInstanceOf(ConfinementException.class)
                .hasMessage("copy: divert(" + workspace + "): it holds the folder of its own copy, " + inside);
    }

    @Test
    void a_place_that_is_not_written_cannot_be_diverted() throws IOException, ConfinementException {
        var folder = layers("layers");
        var spec = spec(Access.READ_ONLY);
        assertThatThrownBy(() ->
                        spec.withDiversions(List.of(overlay(spec.workspace().path(), folder))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("diversion: " + workspace
                        + " (expected: the workspace or a mount of the host's, writable, once)");
    }
}
