package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Acts on files, by the cage's own rules; and programs of which nothing lives on.
public abstract class ActSuite extends RuntimeConformance {
    private static final long ALL = 1 << 20;

    private FileActed read(Cage cage, String name) throws ConfinementException, InterruptedException {
        return read(cage, name, 0, ALL);
    }

    private FileActed read(Cage cage, String name, long from, long most)
            throws ConfinementException, InterruptedException {
        var path = new GuestPath(workspace.resolve(name).toString());
        return cage.act(Warrants.of(new Action.FsRead(path)), new FileAct.Read(path, from, most));
    }

    private FileActed write(Cage cage, String name, FileAct.Mode mode, String text)
            throws ConfinementException, InterruptedException {
        return write(cage, name, mode, FileAct.Parents.REQUIRED, text);
    }

    private FileActed write(Cage cage, String name, FileAct.Mode mode, FileAct.Parents parents, String text)
            throws ConfinementException, InterruptedException {
        var path = new GuestPath(workspace.resolve(name).toString());
        return cage.act(
                Warrants.of(new Action.FsWrite(path)), new FileAct.Write(path, mode, parents, ByteString.of(text)));
    }

    private static String refused(FileActed acted) {
        assertThat(acted).isInstanceOf(FileActed.Refused.class);
        var refused = (FileActed.Refused) acted;
        return refused.reason() + ": " + Path.of(refused.path().toString()).getFileName()
                + (refused.link().size() == 0 ? "" : " -> " + refused.link());
    }

    private List<String> names() throws IOException {
        try (var all = Files.list(workspace)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void a_part_of_a_file_is_read_byte_for_byte() throws IOException, ConfinementException, InterruptedException {
        var bytes = new byte[300_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        Files.write(workspace.resolve("data"), bytes);
        try (var cage = runtime().create(spec(Access.READ_ONLY))) {
            assertThat(read(cage, "data")).isEqualTo(new FileActed.Read(ByteString.copyOf(bytes), bytes.length));
            var part = Arrays.copyOfRange(bytes, 70_000, 70_100);
            assertThat(read(cage, "data", 70_000, 100))
                    .isEqualTo(new FileActed.Read(ByteString.copyOf(part), bytes.length));
            assertThat(read(cage, "data", 400_000, 100)).isEqualTo(new FileActed.Read(ByteString.of(""), bytes.length));
        }
    }

    @Test
    void B229_names_that_look_like_options_are_names() throws IOException, ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            for (var name : List.of("-rf", "--", "-", "--output=x", "$(id)", "a b\n", "文件 🗂", "%s%n")) {
                assertThat(write(cage, name, FileAct.Mode.CREATE, "kept"))
                        .isEqualTo(new FileActed.Written(FileActed.Was.NOTHING, 4));
                assertThat(read(cage, name)).isEqualTo(new FileActed.Read(ByteString.of("kept"), 4));
                assertThat(workspace.resolve(name)).hasContent("kept");
            }
        }
    }

    @Test
    void a_write_makes_replaces_and_goes_on() throws IOException, ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            assertThat(write(cage, "a", FileAct.Mode.CREATE, "one"))
                    .isEqualTo(new FileActed.Written(FileActed.Was.NOTHING, 3));
            assertThat(refused(write(cage, "a", FileAct.Mode.CREATE, "two"))).isEqualTo("File exists: a");
            Files.setPosixFilePermissions(workspace.resolve("a"), PosixFilePermissions.fromString("rwxr-x---"));
            assertThat(write(cage, "a", FileAct.Mode.REPLACE, "three"))
                    .isEqualTo(new FileActed.Written(FileActed.Was.FILE, 5));
            assertThat(write(cage, "a", FileAct.Mode.APPEND, "!"))
                    .isEqualTo(new FileActed.Written(FileActed.Was.FILE, 6));
            assertThat(workspace.resolve("a")).hasContent("three!");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(workspace.resolve("a"))))
                    .isEqualTo("rwxr-x---");
            assertThat(refused(write(cage, "x/y/z", FileAct.Mode.REPLACE, "")))
                    .isEqualTo("No such file or directory: x");
            assertThat(write(cage, "x/y/z", FileAct.Mode.REPLACE, FileAct.Parents.MADE, ""))
                    .isEqualTo(new FileActed.Written(FileActed.Was.NOTHING, 0));
        }
        assertThat(names()).containsExactly("a", "x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(workspace.resolve("x/y/z"))))
                .isEqualTo("rw-r--r--");
    }

    @Test
    void B115_no_link_is_followed_wherever_it_leads() throws IOException, ConfinementException, InterruptedException {
        var outside = Files.createDirectory(scratch.toRealPath().resolve("outside"));
        Files.writeString(outside.resolve("secret"), "out of reach");
        Files.createDirectory(workspace.resolve("inside"));
        Files.createSymbolicLink(workspace.resolve("door"), outside);
        Files.createSymbolicLink(workspace.resolve("near"), Path.of("inside"));
        Files.createSymbolicLink(workspace.resolve("file"), outside.resolve("new"));
        try (var cage = runtime().create(spec())) {
            assertThat(refused(read(cage, "door/secret")))
                    .isEqualTo("Too many levels of symbolic links: door -> " + outside);
            assertThat(refused(write(cage, "near/x", FileAct.Mode.CREATE, "x")))
                    .isEqualTo("Too many levels of symbolic links: near -> inside");
            assertThat(refused(write(cage, "file", FileAct.Mode.REPLACE, "x")))
                    .isEqualTo("Too many levels of symbolic links: file -> " + outside + "/new");
        }
        try (var cage = runtime().create(spec())) {
            assertThat(refused(write(cage, "door/newdir/f.txt", FileAct.Mode.CREATE, FileAct.Parents.MADE, "x")))
                    .startsWith("Too many levels of symbolic links: door");
            assertThat(write(cage, "made/newdir/f.txt", FileAct.Mode.CREATE, FileAct.Parents.MADE, "x"))
                    .isInstanceOf(FileActed.Written.class);
        }
        try (var left = Files.list(outside)) {
            assertThat(left).containsExactly(outside.resolve("secret"));
        }
    }

    @Test
    void what_is_no_regular_file_is_neither_read_nor_written()
            throws IOException, ConfinementException, InterruptedException {
        Files.createDirectory(workspace.resolve("dir"));
        try (var cage = runtime().create(spec())) {
            assertThat(script(cage, "mkfifo pipe").exit().status()).isZero();
            assertThat(refused(read(cage, "dir"))).isEqualTo("Is a directory: dir");
            assertThat(refused(write(cage, "dir", FileAct.Mode.REPLACE, ""))).isEqualTo("Is a directory: dir");
            assertThat(refused(read(cage, "pipe"))).isEqualTo("No such device: pipe");
            assertThat(refused(write(cage, "pipe", FileAct.Mode.APPEND, "x"))).isEqualTo("No such device: pipe");
            assertThat(refused(read(cage, "dir/x/y"))).isEqualTo("No such file or directory: x");
            var device = new GuestPath("/dev/null");
            assertThat(cage.act(Warrants.of(new Action.FsRead(device)), new FileAct.Read(device, 0, 1)))
                    .isInstanceOf(FileActed.Refused.class);
        }
    }

    @Test
    void a_mask_holds_for_an_act_as_for_a_program() throws IOException, ConfinementException, InterruptedException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.writeString(workspace.resolve(".git/config"), "[core]\n");
        Files.writeString(workspace.resolve("key"), "secret");
        var masks = List.of(
                new Mask(ByteString.of(".git/hooks"), Mask.Kind.READ_ONLY),
                new Mask(ByteString.of(".git/config"), Mask.Kind.READ_ONLY),
                new Mask(ByteString.of("key"), Mask.Kind.HIDDEN));
        try (var cage = runtime().create(spec().withMasks(masks))) {
            assertThat(refused(write(cage, ".git/hooks/pre-commit", FileAct.Mode.CREATE, "#!")))
                    .isEqualTo("Read-only file system: pre-commit");
            assertThat(refused(write(cage, ".git/config", FileAct.Mode.REPLACE, "x")))
                    .isEqualTo("Read-only file system: config");
            assertThat(read(cage, ".git/config")).isEqualTo(new FileActed.Read(ByteString.of("[core]\n"), 7));
            assertThat(refused(read(cage, "key"))).endsWith(": key");
            assertThat(write(cage, ".git/other", FileAct.Mode.CREATE, "x")).isInstanceOf(FileActed.Written.class);
        }
        assertThat(workspace.resolve(".git/config")).hasContent("[core]");
        assertThat(workspace.resolve("key")).hasContent("secret");
    }

    @Test
    void what_is_read_only_stays_and_what_is_in_memory_is_seen_by_programs_too()
            throws IOException, ConfinementException, InterruptedException {
        Files.writeString(workspace.resolve("a"), "as it was");
        var memory = new Mount(new GuestPath("/scratch"), new Mount.Tmpfs(ALL), Access.READ_WRITE);
        try (var cage = runtime().create(spec(Access.READ_ONLY).withMounts(List.of(memory)))) {
            assertThat(refused(write(cage, "a", FileAct.Mode.REPLACE, "x")))
                    .matches("(Permission denied|Read-only file system): a");
            assertThat(refused(write(cage, "b", FileAct.Mode.CREATE, "x")))
                    .matches("(Permission denied|Read-only file system): b");
            var path = new GuestPath("/scratch/note");
            assertThat(cage.act(
                            Warrants.of(new Action.FsWrite(path)),
                            new FileAct.Write(
                                    path, FileAct.Mode.CREATE, FileAct.Parents.REQUIRED, ByteString.of("here"))))
                    .isInstanceOf(FileActed.Written.class);
            assertThat(script(cage, "cat /scratch/note").out()).isEqualTo("here");
        }
        assertThat(workspace.resolve("a")).hasContent("as it was");
    }

    @Test
    void a_program_that_is_alone_leaves_nothing_behind() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var ran = alone(cage, "sleep 73 & setsid sleep 74 & (setsid sh -c '(sleep 75 &) ; sleep 76' &) ; exit 5");
            assertThat(ran.exit().status()).isEqualTo(5);
            assertThat(ran.exit().cause()).isEqualTo(Exit.Cause.EXITED);
            assertThat(cage.snapshot().processes()).isZero();
            assertThat(alone(cage, "kill -9 $$").exit().status()).isEqualTo(137);
            assertThat(script(cage, "sleep 77 >/dev/null 2>&1 &").exit().status())
                    .isZero();
            assertThat(alone(cage, "true").exit().status()).isZero();
            assertThat(cage.snapshot().processes())
                    .as("what another program left")
                    .isEqualTo(1);
        }
    }

    @Test
    void a_program_that_is_alone_is_killed_with_all_that_it_started()
            throws IOException, ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var out = new ByteArrayOutputStream();
            var run = startAlone(cage, "setsid sh -c 'touch up; sleep 60' & wait", out);
            while (!Files.exists(workspace.resolve("up"))) {
                Thread.onSpinWait();
            }
            run.signal(9);
            assertThat(run.await().status()).isEqualTo(137);
            assertThat(cage.snapshot().processes()).isZero();
        }
    }

    @Test
    void a_program_that_is_alone_cannot_end_whoever_looks_after_it() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var ran = alone(cage, "setsid sleep 78 & kill -9 $PPID 2>/dev/null && echo killed; exit 3");
            assertThat(ran.out()).isEmpty();
            assertThat(ran.exit().status()).isEqualTo(3);
            assertThat(cage.snapshot().processes()).isZero();
        }
    }

    @Test
    void an_act_takes_a_warrant_of_its_own_kind() throws ConfinementException {
        try (var cage = runtime().create(spec())) {
            assertThatThrownBy(() -> cage.act(
                            Warrants.exec(List.of(ByteString.of("true")), "/"),
                            new FileAct.Read(new GuestPath("/x"), 0, 0)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is for proc.exec");
        }
    }

    private Run startAlone(Cage cage, String script, ByteArrayOutputStream out) throws ConfinementException {
        var argv = new ArrayList<>(List.of(ByteString.of("/bin/sh"), ByteString.of("-c"), ByteString.of(script)));
        var streams = new Streams.Pipes(InputStream.nullInputStream(), out, OutputStream.nullOutputStream());
        var launch = new Launch(argv.getFirst(), List.of(ByteString.of("PATH=/usr/bin:/bin")), streams).alone();
        return cage.start(Warrants.exec(argv, workspace.toString()), launch);
    }

    private Ran alone(Cage cage, String script) throws ConfinementException, InterruptedException {
        var out = new ByteArrayOutputStream();
        var exit = startAlone(cage, script, out).await();
        return new Ran(exit, out.toString(StandardCharsets.UTF_8), "");
    }
}
