package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Mask;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Protected paths of a writable workspace stay what they are, whatever is tried.
public abstract class MaskSuite extends RuntimeConformance {
    private CageSpec masked(Mask.Kind kind, String... paths) throws ConfinementException {
        var masks = new ArrayList<Mask>();
        for (var path : paths) {
            masks.add(new Mask(ByteString.of(path), kind));
        }
        return spec().withMasks(masks);
    }

    private void makeRepository() throws IOException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.writeString(workspace.resolve(".git/config"), "[core]\n");
        Files.writeString(workspace.resolve(".git/hooks/sample"), "old\n");
    }

    @Test
    void B105_the_mask_fits_what_stands_there() throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve("dir"));
        Files.writeString(workspace.resolve("file"), "x");
        Files.createSymbolicLink(
                workspace.resolve("link"), workspace.getFileSystem().getPath("dir"));
        Files.createSymbolicLink(
                workspace.resolve("dangling"), workspace.getFileSystem().getPath("nowhere"));
        new ProcessBuilder("mkfifo", workspace.resolve("pipe").toString())
                .start()
                .waitFor();
        try (var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(workspace.resolve("socket")));
            Attempts.copyTo(workspace);
            var all = new String[] {"dir", "file", "link", "dangling", "pipe", "socket"};
            for (var kind : EnumSet.complementOf(EnumSet.of(Mask.Kind.LINK))) {
                for (var name : all) {
                    ok(masked(kind, name), "true");
                }
                ok(masked(kind, all), "true");
            }
            var tried = ok(
                    masked(Mask.Kind.READ_ONLY, all), "./attempts path-socket,unlinkat socket; ./attempts openat pipe");
            assertThat(tried).isEqualTo("path-socket EACCES\nunlinkat EBUSY\nopenat EACCES\n");
        }
    }

    @Test
    void a_link_that_is_masked_cannot_be_replaced() throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve("dir"));
        Files.writeString(workspace.resolve("dir/inside"), "x\n");
        Files.createSymbolicLink(
                workspace.resolve("link"), workspace.getFileSystem().getPath("dir"));
        var ran = script(
                masked(Mask.Kind.READ_ONLY, "link", "dir"),
                "rm link; mv link other; ln -sfn /tmp link; cat link/inside");
        assertThat(ran.out()).isEqualTo("x\n");
        assertThat(ran.err()).contains("busy");
        assertThat(workspace.resolve("link")).isSymbolicLink();
    }

    @Test
    void B108_nothing_new_appears_at_a_protected_name() throws IOException, ConfinementException, InterruptedException {
        makeRepository();
        Attempts.copyTo(workspace);
        script(masked(Mask.Kind.READ_ONLY, ".git/hooks", ".git/config"), """
                echo evil > .git/x; mv .git/x .git/hooks/pre-commit
                ln -s /tmp .git/hooks/post-commit; ln .git/x .git/hooks/y
                mkdir hooks.new; echo evil > hooks.new/pre-push; mv .git/hooks hooks.old; mv hooks.new .git/hooks
                mv hooks.new/* .git/hooks/; echo evil > .git/hooks/sample; mknod .git/hooks/z p
                ./attempts exchange .git/hooks hooks.new; ./attempts renameat2 .git/config hooks.new/pre-push
                rm -rf .git; mv .git moved; echo evil >> .git/config
                """);
        try (var hooks = Files.list(workspace.resolve(".git/hooks"))) {
            assertThat(hooks.map(path -> path.getFileName().toString())).containsExactly("sample");
        }
        assertThat(workspace.resolve(".git/hooks/sample")).hasContent("old\n");
        assertThat(workspace.resolve(".git/config")).hasContent("[core]\n");
    }

    @Test
    void an_unmasked_repository_can_be_worked_in() throws IOException, ConfinementException, InterruptedException {
        makeRepository();
        ok(masked(Mask.Kind.READ_ONLY, ".git/hooks", ".git/config"), "echo ref > .git/HEAD; mkdir -p .git/objects/aa");
        assertThat(workspace.resolve(".git/HEAD")).hasContent("ref\n");
    }

    @Test
    void B109_moving_a_parent_takes_no_protection_away()
            throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve("w/a"));
        Files.writeString(workspace.resolve("w/a/.env"), "secret");
        var ran = script(
                masked(Mask.Kind.HIDDEN, "w/a/.env"),
                "mv w/a w/b; mv w v; cat w/a/.env w/b/.env v/a/.env; cp -r w copy");
        assertThat(ran.err()).contains("busy").contains("w/a/.env: Permission denied");
        assertThat(ran.out()).isEmpty();
        assertThat(workspace.resolve("w/a/.env")).hasContent("secret");
        assertThat(workspace.resolve("copy/a/.env")).doesNotExist();
    }

    @Test
    void B109_a_parent_that_is_moved_on_the_host_keeps_its_protection()
            throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve("w/a"));
        Files.writeString(workspace.resolve("w/a/.env"), "secret");
        try (var cage = runtime().create(masked(Mask.Kind.HIDDEN, "w/a/.env"))) {
            Files.move(workspace.resolve("w/a"), workspace.resolve("w/b"));
            var ran = script(cage, "cat w/b/.env; cat w/a/.env");
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).contains("w/b/.env: Permission denied");
        }
        assertThat(workspace.resolve("w/b/.env")).hasContent("secret");
    }

    @Test
    void B127_no_variant_of_a_call_changes_a_protected_file()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("kept"), "kept\n");
        Files.writeString(workspace.resolve("other"), "other\n");
        Attempts.copyTo(workspace);
        var names = "open,openat,openat2,creat,old-creat,map-write,rename,renameat,renameat2,exchange,rename-away,"
                + "unlink,unlinkat,truncate,chmod,fchmodat,fchmodat2,setxattr,utimensat,mount_setattr,"
                + "name_to_handle_at,link,linkat";
        var protectedAnswers =
                Attempts.parse(ok(masked(Mask.Kind.READ_ONLY, "kept"), "./attempts " + names + " kept other"));
        assertThat(protectedAnswers.values()).doesNotContain("ok", "unknown");
        assertThat(workspace.resolve("kept")).hasContent("kept\n");
        assertThat(workspace.resolve("other")).hasContent("other\n");
        var free = Attempts.parse(ok(spec(), "./attempts openat,creat,fchmodat,utimensat,rename-away kept other"));
        assertThat(free.values()).containsOnly("ok");
    }

    @Test
    void B127_a_hidden_directory_shows_nothing_and_takes_nothing()
            throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve(".ssh"));
        Files.writeString(workspace.resolve(".ssh/id"), "secret");
        var ran = script(
                masked(Mask.Kind.HIDDEN, ".ssh"), "ls .ssh; cat .ssh/id; echo x > .ssh/y; chmod 700 .ssh; rm -r .ssh");
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("Permission denied", "Read-only file system");
        assertThat(workspace.resolve(".ssh/id")).hasContent("secret");
    }

    @Test
    void a_mask_below_a_link_is_refused_and_says_so() throws IOException, ConfinementException {
        Files.createDirectories(workspace.resolve("real"));
        Files.writeString(workspace.resolve("real/.env"), "x");
        Files.createSymbolicLink(
                workspace.resolve("link"), workspace.getFileSystem().getPath("real"));
        var spec = masked(Mask.Kind.HIDDEN, "link/.env");
        assertThatThrownBy(() -> runtime().create(spec))
                .isInstanceOf(ConfinementException.class)
                .hasMessageStartingWith("masks: open(" + workspace + "/link/.env): ");
    }

    @Test
    void set_id_bits_do_not_reach_the_host() throws IOException, ConfinementException, InterruptedException {
        Attempts.copyTo(workspace);
        Files.writeString(workspace.resolve("mine"), "x");
        var answers = Attempts.parse(ok(
                spec(),
                "./attempts set-id-chmod,set-id-fchmodat2,set-id-open,set-id-mknod,plain-open,plain-chmod mine"));
        assertThat(answers)
                .containsAllEntriesOf(Map.of(
                        "set-id-chmod", "EPERM",
                        "set-id-fchmodat2", "EPERM",
                        "set-id-open", "EPERM",
                        "set-id-mknod", "EPERM",
                        "plain-open", "ok",
                        "plain-chmod", "ok"));
        assertThat(List.of("made-set-id", "node-set-id")).noneMatch(name -> Files.exists(workspace.resolve(name)));
    }
}
