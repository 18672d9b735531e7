package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.escape.stage.Person;
import dev.cagewright.escape.stage.Product;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Named cages with the packaged product: `up`, `exec`, `ls`, `stop`, and the background supervisor behind them.
class NamedCageTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(90);

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Desk desk;

    @BeforeEach
    void make() throws IOException {
        desk = Desk.in(folder.toRealPath());
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        desk.product("supervisor", "stop");
    }

    private void cage(String name) throws IOException, InterruptedException {
        var made = desk.product("init", name, "--workspace", desk.workspace().toString());
        assertThat(made.exit()).as(made.toString()).isZero();
        desk.write("config/cagewright/cages/" + name + "/policy.yaml", """
            tool: %s
            min_isolation: namespaces
            fs:
              mounts:
                - {path: /workspace, mode: rw}
            net: {mode: none}
            exec: {allowlist: [bash, cat, id, ls, ps, sleep, stty, touch, %s]}
            """.formatted(name, desk.act()));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void a_cage_stays_up_between_commands_and_two_in_one_workspace_share_nothing_else()
            throws IOException, InterruptedException {
        cage("one");
        cage("two");
        var up = desk.product("up", "one");
        assertThat(up.exit()).as(up.toString()).isZero();
        assertThat(up.err()).contains("up: one, session ");
        assertThat(desk.product("up", "two").exit()).isZero();

        assertThat(desk.product("exec", "one", "--", "touch", "/tmp/mine", "/home/cage/mine", "shared")
                        .exit())
                .isZero();
        assertThat(desk.product("exec", "one", "ls", "/tmp/mine").exit()).isZero();
        assertThat(desk.product("exec", "two", "--", "ls", "/tmp/mine").exit()).isEqualTo(2);
        assertThat(desk.product("exec", "two", "--", "ls", "/home/cage/mine").exit())
                .isEqualTo(2);
        assertThat(desk.product("exec", "two", "--", "ls", "shared").out()).isEqualTo("shared\n");
        assertThat(desk.product("exec", "two", "--", desk.act(), "exit", "9").exit())
                .isEqualTo(9);

        var denied = desk.product("exec", "one", "--", "uname");
        assertThat(denied.exit()).isEqualTo(4);
        assertThat(denied.err()).contains("denied: [\"exec.allowlist\"", "proc.exec uname", "cagewright why ");

        assertThat(desk.product("ls", "--cages").out())
                .containsPattern("one +up ")
                .containsPattern("two +up ");
        assertThat(desk.product("stop", "--all").exit()).isZero();
        assertThat(desk.product("ls", "--cages").out()).containsPattern("one +stopped ");
        var after = desk.product("exec", "one", "--", "id");
        assertThat(after.exit()).isEqualTo(2);
        assertThat(after.err()).contains("one is not up", "cagewright up one");
    }

    @Test
    void I12_a_supervisor_that_is_killed_takes_its_cages_with_it_and_the_next_one_says_so()
            throws IOException, InterruptedException {
        cage("one");
        assertThat(desk.product("up", "one").exit()).isZero();
        var running = desk.start(
                List.of(Desk.PRODUCT.toString(), "exec", "one", "--", desk.act(), "wait", "86399"),
                ProcessBuilder.Redirect.DISCARD);
        await(() -> Files.exists(desk.workspace().resolve("ready")));
        var supervisor = supervisor();
        var below = supervisor.descendants().toList();
        assertThat(below).hasSizeGreaterThan(2);

        supervisor.destroyForcibly();

        assertThat(running.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(running.exitValue()).isEqualTo(125);
        await(() -> below.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(desk.product("ls", "--cages").out()).containsPattern("one +interrupted ");
        var again = desk.product("up", "one");
        assertThat(again.exit()).as(again.toString()).isZero();
        assertThat(again.err()).contains("interrupted: ", "was killed with its supervisor");
        assertThat(desk.product("audit", "verify").exit()).isIn(0, 6);
    }

    private ProcessHandle supervisor() throws IOException, InterruptedException {
        var state = desk.product("supervisor", "status").out();
        return ProcessHandle.of(
                        Long.parseLong(state.lines().findFirst().orElseThrow().replaceFirst("process +", "")))
                .orElseThrow();
    }

    /// `script` gives each command a terminal, and takes it away again with all that was started on it.
    @Test
    void a_terminal_that_closes_leaves_the_cage_up_and_ends_what_was_asked_for_on_it()
            throws IOException, InterruptedException {
        cage("one");
        var terminal = desk.start(
                List.of(
                        "script",
                        "-qefc",
                        Desk.PRODUCT + " up one && exec " + Desk.PRODUCT + " exec one -- " + desk.act() + " wait 86398",
                        "/dev/null"),
                ProcessBuilder.Redirect.DISCARD);
        await(() -> Files.exists(desk.workspace().resolve("ready")));

        terminal.destroyForcibly();

        await(() -> {
            try {
                var shown = desk.product("exec", "one", "--", "ps", "ax").out();
                return !shown.isEmpty() && !shown.contains("sleep 86398");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(desk.product("exec", "one", "--", "id", "-u").exit()).isZero();
    }

    @Test
    void a_shell_has_the_persons_terminal_with_its_size_and_its_exit_code() throws IOException, InterruptedException {
        cage("one");
        assertThat(desk.product("up", "one").exit()).isZero();
        var process = desk.start(
                List.of("script", "-qefc", "stty rows 33 cols 99; exec " + Desk.PRODUCT + " shell one", "/dev/null"),
                ProcessBuilder.Redirect.DISCARD);
        var shown = new ByteArrayOutputStream();
        var reading = Thread.ofVirtual().start(() -> {
            try {
                process.getInputStream().transferTo(shown);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        await(() -> shown.toString(StandardCharsets.UTF_8).contains("$ "));
        process.getOutputStream().write("stty size; exit 7\r".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        reading.join();
        assertThat(process.exitValue())
                .as(shown.toString(StandardCharsets.UTF_8))
                .isEqualTo(7);
        assertThat(shown.toString(StandardCharsets.UTF_8)).contains("33 99");
    }

    @Test
    void a_cage_that_is_not_there_and_one_that_is_not_up_are_refused_with_what_to_do()
            throws IOException, InterruptedException {
        var missing = desk.product("up", "nothing");
        assertThat(missing.exit()).isEqualTo(125);
        assertThat(missing.err()).contains("cage nothing: there is none", "cagewright init nothing");
        assertThat(desk.product("stop", "nothing").err()).contains("nothing is not up");
        assertThat(desk.product("supervisor", "status").exit()).isEqualTo(1);
    }

    /// Whoever runs the tests as root sees an ordinary person's, too.
    @Test
    void every_person_has_a_supervisor_of_their_own() throws IOException, InterruptedException {
        for (Person person : Person.present()) {
            var root = Files.createDirectories(folder.toRealPath().resolve(person.word()));
            var own = Desk.in(root);
            var product = Product.built().installedAt(Files.createDirectories(root.resolve("product")));
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            person.own(root);
            assertThat(as(person, own, product, "init", "mine").exit()).isZero();
            assertThat(as(person, own, product, "up", "mine").exit()).isZero();
            assertThat(as(person, own, product, "exec", "mine", "--", "ls", "/home/cage")
                            .exit())
                    .isZero();
            assertThat(as(person, own, product, "supervisor", "stop").exit()).isZero();
        }
    }

    private static Desk.Result as(Person person, Desk desk, Product product, String... words)
            throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(product.command().toString()));
        all.addAll(List.of(words));
        return desk.host(person.does(all));
    }
}
