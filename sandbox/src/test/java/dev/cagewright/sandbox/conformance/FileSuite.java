package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Mount;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a cage sees of the host's files.
public abstract class FileSuite extends RuntimeConformance {
    private static Mount bind(String at, Path source, Access access) {
        return new Mount(new GuestPath(at), new Mount.HostPath(ByteString.of(source.toString())), access);
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(scratch.toRealPath().resolve(name));
    }

    @Test
    void a_read_only_workspace_can_be_read_and_not_written()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "here\n");
        var ran = script(spec(Access.READ_ONLY), "cat kept; echo x > new");
        assertThat(ran.out()).isEqualTo("here\n");
        assertThat(ran.err()).contains("Read-only file system");
        assertThat(workspace.resolve("new")).doesNotExist();
    }

    @Test
    void nothing_of_the_host_but_the_system_is_visible()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(folder("elsewhere").resolve("secret"), "secret");
        var ran = script(spec(), "ls -a " + scratch.toRealPath() + "; ls / ; ls -a /home/cage /run /root /sys");
        assertThat(ran.out().lines())
                .contains("workspace", "usr", "etc", "proc", "dev", "tmp")
                .doesNotContain("elsewhere", "sys", "boot", "root", "mnt", "srv");
        assertThat(ran.err()).contains("/root': No such file").contains("/sys': No such file");
    }

    @Test
    void the_administrators_secrets_are_hidden_and_names_are_the_cages_own()
            throws ConfinementException, InterruptedException {
        var ran = script(
                spec(), "cat /etc/shadow /etc/sudoers /etc/gshadow; cat /etc/passwd; hostname; cat /etc/hostname");
        assertThat(ran.err()).contains("/etc/shadow: Permission denied");
        assertThat(ran.out()).contains("cage:x:").doesNotContain("daemon").endsWith("cage\ncage\n");
    }

    @Test
    void the_system_cannot_be_changed_and_private_places_can() throws ConfinementException, InterruptedException {
        var ran = script(
                spec(), "for d in /usr /etc /opt / /run /dev /var; do touch $d/x 2>/dev/null && echo $d; done; true");
        assertThat(ran.out()).isEmpty();
        assertThat(ok(spec(), "for d in /tmp ~ /dev/shm /var/tmp; do echo a > $d/x && cat $d/x; done"))
                .isEqualTo("a\na\na\na\n");
    }

    @Test
    void what_a_cage_writes_outside_its_workspace_is_gone_with_it() throws ConfinementException, InterruptedException {
        ok(spec(), "echo left > /tmp/left; echo left > ~/left");
        assertThat(script(spec(), "cat /tmp/left ~/left").exit().status()).isEqualTo(1);
        assertThat(Path.of("/tmp/left")).doesNotExist();
    }

    @Test
    void files_made_in_the_workspace_belong_to_its_owner()
            throws IOException, ConfinementException, InterruptedException {
        ok(spec(), "echo x > made; mkdir dir; test -O made && test $(id -u) != 0");
        assertThat(Files.getOwner(workspace.resolve("made"))).isEqualTo(Files.getOwner(workspace));
        assertThat(Files.getOwner(workspace.resolve("dir"))).isEqualTo(Files.getOwner(workspace));
    }

    @Test
    void B101_no_socket_of_the_host_is_reachable_and_a_socket_is_no_mount()
            throws IOException, ConfinementException, InterruptedException {
        Attempts.copyTo(workspace);
        var place = folder("sockets").resolve("listening.sock");
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(place));
            assertThat(ok(spec(), "./attempts path-socket " + place)).isEqualTo("path-socket ENOENT\n");
            assertThat(ok(spec(), "./attempts path-socket /proc/self/root" + place))
                    .isEqualTo("path-socket ENOENT\n");
            var spec = spec().withMounts(List.of(bind("/run/listening.sock", place, Access.READ_ONLY)));
            assertThatThrownBy(() -> runtime().create(spec))
                    .isInstanceOf(ConfinementException.class)
                    .hasMessageStartingWith("mounts: open(" + place + "): a socket or pipe: ");
        }
        assertThat(ok(spec(), "ls -A /run")).isEmpty();
    }

    @Test
    void B121_mounts_in_any_order_give_the_same_tree() throws IOException, ConfinementException, InterruptedException {
        var outer = folder("outer");
        Files.createDirectories(outer.resolve("out/tmp"));
        var inner = folder("inner");
        Files.createDirectories(inner.resolve("tmp"));
        var mounts = List.of(
                bind("/srv/work/out", inner, Access.READ_WRITE),
                bind("/srv/work", outer, Access.READ_ONLY),
                new Mount(new GuestPath("/srv/work/out/tmp"), new Mount.Tmpfs(1 << 20), Access.READ_WRITE));
        for (int turn = 0; turn < 6; turn++) {
            var order = new ArrayList<>(mounts);
            Collections.rotate(order, turn % 3);
            if (turn >= 3) {
                Collections.reverse(order);
            }
            var ran = script(
                    spec().withMounts(order),
                    "echo a > /srv/work/out/a" + turn + "; echo b > /srv/work/b; echo c > /srv/work/out/tmp/c");
            assertThat(ran.err()).contains("/srv/work/b: Read-only file system").doesNotContain("out");
            assertThat(inner.resolve("a" + turn)).hasContent("a\n");
        }
        assertThat(outer.resolve("b")).doesNotExist();
        assertThat(inner.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void B121_two_mounts_at_one_place_are_refused() throws IOException {
        var folder = folder("twice");
        assertThatThrownBy(() -> spec().withMounts(List.of(
                        bind("/srv/a", folder, Access.READ_ONLY), bind("/srv/a", folder, Access.READ_WRITE))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("mounts: /srv/a twice (expected: one mount a place)");
    }

    @Test
    void B128_single_files_of_others_are_mounted_read_only() throws ConfinementException, InterruptedException {
        var spec = spec().withMounts(List.of(
                bind("/srv/true", Path.of("/usr/bin/true"), Access.READ_ONLY),
                bind("/srv/release", Path.of("/etc/os-release"), Access.READ_ONLY)));
        assertThat(ok(spec, "/srv/true && head -c 3 /srv/release | wc -c").strip())
                .isEqualTo("3");
        assertThat(script(spec, "echo x > /srv/release").err()).contains("cannot create");
    }

    @Test
    void B119_an_absent_exec_path_takes_nothing_from_the_others() throws ConfinementException, InterruptedException {
        var named = List.of(
                        "/does-not-exist", "/var/lib/private/secret", "/usr/bin/dash", "/bin/cat", "/usr/lib", "/lib64")
                .stream()
                .map(ByteString::of)
                .toList();
        var ran = script(spec().withExec(new ExecRights.Only(named)), "cat /etc/hostname; ls /");
        assertThat(ran.out()).isEqualTo("cage\n");
        assertThat(ran.err()).contains("ls: Permission denied");
        assertThat(ran.exit().status()).isEqualTo(126);
    }

    @Test
    void only_named_programs_are_executed_also_copied_or_from_memory()
            throws IOException, ConfinementException, InterruptedException {
        Attempts.copyTo(workspace);
        var named = new ArrayList<ByteString>();
        for (var path : List.of("/usr/bin/dash", "/bin/cp", "/usr/lib", "/lib64", workspace + "/attempts")) {
            named.add(ByteString.of(path));
        }
        var spec = spec().withExec(new ExecRights.Only(named));
        var ran = script(spec, "cp /usr/bin/id here; ./here; ./attempts memory-exec,sealed-memory-exec /usr/bin/id");
        assertThat(ran.err()).contains("./here: Permission denied");
        assertThat(ran.out()).isEqualTo("memory-exec EACCES\nsealed-memory-exec EACCES\n");
        assertThat(ok(spec(), "cp /usr/bin/id here2; ./here2 -un")).isEqualTo("cage\n");
    }

    @Test
    void a_workspace_with_odd_bytes_in_its_name_is_mounted_at_its_own_path()
            throws IOException, ConfinementException, InterruptedException {
        workspace = folder(" a\nb\r'\"\\ü --help");
        assertThat(ok(spec(), "echo x > y; pwd")).isEqualTo(workspace + "\n");
        assertThat(workspace.resolve("y")).hasContent("x\n");
    }

    @Test
    void a_workspace_that_holds_the_system_is_refused() throws ConfinementException {
        for (var place : List.of("/", "/usr", "/etc", "/tmp", "/proc", "/dev", "/home")) {
            var spec = CageSpec.of("test", HostDirectory.open(ByteString.of(place), Access.READ_ONLY));
            assertThatThrownBy(() -> runtime().create(spec))
                    .isInstanceOf(ConfinementException.class)
                    .hasMessage("workspace: mount(" + place + "): it holds places that belong to the system");
        }
    }

    @Test
    void a_workspace_that_was_replaced_is_refused() throws IOException, ConfinementException {
        var spec = spec();
        Files.move(workspace, workspace.resolveSibling("moved"));
        Files.createDirectory(workspace);
        assertThatThrownBy(() -> runtime().create(spec))
                .isInstanceOf(ConfinementException.class)
                .hasMessageContaining("another object stands there now");
    }

    @Test
    void a_missing_mount_source_is_refused_with_its_name() throws ConfinementException {
        var spec = spec().withMounts(List.of(bind("/srv/a", Path.of("/does/not/exist"), Access.READ_ONLY)));
        assertThatThrownBy(() -> runtime().create(spec))
                .isInstanceOf(ConfinementException.class)
                .hasMessage("mounts: open(/does/not/exist): No such file or directory");
    }
}
