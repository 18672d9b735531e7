package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The product on a terminal that `script` makes: signals, settings, colours.
class TerminalTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final Desk desk;

    TerminalTest(@TempDir Path root) throws IOException {
        desk = Desk.in(root);
    }

    /// A shell script on a terminal of its own; `$PRODUCT`, `$POLICY` and `$ACT` are set, and no signal is ignored,
    /// whatever the tests were started with.
    private final class Screen implements AutoCloseable {
        private final Process process;
        private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
        private final Thread reader;

        Screen(String script) throws IOException {
            var file = desk.write("screen-" + Integer.toHexString(script.hashCode()) + ".sh", script);
            process = desk.with("PRODUCT", Desk.PRODUCT.toString())
                    .with("POLICY", desk.policy())
                    .with("ACT", desk.act())
                    .start(
                            List.of("env", "--default-signal", "script", "-qefc", "bash '" + file + "'", "/dev/null"),
                            ProcessBuilder.Redirect.DISCARD);
            reader = Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try {
                process.getInputStream().transferTo(shown);
            } catch (IOException e) {
                shown.writeBytes(e.toString().getBytes(StandardCharsets.UTF_8));
            }
        }

        String text() {
            return shown.toString(StandardCharsets.UTF_8);
        }

        void type(String keys) throws IOException {
            process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }

        void awaitFile(String name) {
            await(() -> Files.exists(desk.workspace().resolve(name)));
        }

        void await(BooleanSupplier condition) {
            long end = System.nanoTime() + PATIENCE;
            while (!condition.getAsBoolean()) {
                assertThat(System.nanoTime())
                        .as("still waiting; shown: %s", text())
                        .isLessThan(end);
                LockSupport.parkNanos(1_000_000);
            }
        }

        int end() throws InterruptedException {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(text()).isTrue();
            reader.join();
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    /// A run whose program a person has to agree to.
    private Screen asking() throws IOException {
        var policy = desk.write(
                "asking.yaml",
                Files.readString(Path.of(desk.policy())) + "approval: {timeout: 2m, require_for: [proc.exec: {}]}\n");
        return new Screen("exec \"$PRODUCT\" run -q --policy '" + policy + "' -- \"$ACT\" say 'he''llo'\n");
    }

    @Test
    void who_says_yes_at_the_terminal_lets_the_program_begin() throws IOException, InterruptedException {
        try (var screen = asking()) {
            screen.await(() -> screen.text().contains("[N]o: "));
            screen.type("y\r");

            assertThat(screen.end()).as(screen.text()).isZero();
            assertThat(screen.text())
                    .contains("waits for approval", "proc.exec")
                    .containsPattern("(?m)^hello");
        }
    }

    @Test
    void anything_else_typed_at_the_terminal_is_a_no() throws IOException, InterruptedException {
        try (var screen = asking()) {
            screen.await(() -> screen.text().contains("[N]o: "));
            screen.type("\r");

            assertThat(screen.end()).as(screen.text()).isEqualTo(3);
            assertThat(screen.text()).doesNotContainPattern("(?m)^hello");
        }
    }

    @Test
    void B133_ctrl_c_goes_to_the_program_and_the_product_waits_for_it() throws IOException, InterruptedException {
        try (var screen = new Screen("exec \"$PRODUCT\" run -q --policy \"$POLICY\" -- \"$ACT\" deaf\n")) {
            screen.awaitFile("ready");
            screen.type("\003");
            screen.awaitFile("heard");
            Files.createFile(desk.workspace().resolve("go"));

            assertThat(screen.end()).as(screen.text()).isEqualTo(9);
        }
    }

    @Test
    void B133_a_terminal_that_closes_hangs_the_program_up() throws IOException, InterruptedException {
        try (var screen = new Screen("""
                echo $$ > pid
                exec "$PRODUCT" run -q --policy "$POLICY" -- "$ACT" trap
                """)) {
            screen.awaitFile("ready");
            var product = ProcessHandle.of(Long.parseLong(
                    Files.readString(desk.workspace().resolve("pid")).strip()));
            screen.process.destroyForcibly();

            screen.awaitFile("trapped");
            screen.await(() -> product.filter(ProcessHandle::isAlive).isEmpty());
        }
    }

    @Test
    void B133_a_signal_to_the_whole_foreground_group_leaves_the_cage_to_the_program()
            throws IOException, InterruptedException {
        try (var screen = new Screen("""
                set -m
                "$PRODUCT" run -q --policy "$POLICY" -- "$ACT" trap < /dev/null &
                until [ -e ready ]; do :; done
                kill -HUP -- -$!
                wait $!
                """)) {
            assertThat(screen.end()).as(screen.text()).isEqualTo(7);
            assertThat(screen.text()).contains("trapped");
        }
    }

    @Test
    void B161_settings_are_back_and_the_screen_is_calm_after_the_program_was_killed()
            throws IOException, InterruptedException {
        try (var screen = new Screen("""
                stty -a > before
                "$PRODUCT" run -q --policy "$POLICY" -- "$ACT" stty
                code=$?
                stty -a > after
                exit $code
                """)) {
            assertThat(screen.end()).as(screen.text()).isEqualTo(137);
            assertThat(screen.text()).contains("ready").contains("\033[?1049l");
            assertSettingsCameBack();
        }
    }

    @Test
    void B161_B133_settings_are_back_after_the_product_was_told_to_end() throws IOException, InterruptedException {
        try (var screen = new Screen("""
                stty -a > before
                "$PRODUCT" run -q --policy "$POLICY" -- "$ACT" wait 300 < /dev/tty &
                until [ -e ready ]; do :; done
                kill -TERM $!
                wait $!
                code=$?
                stty -a > after
                exit $code
                """)) {
            assertThat(screen.end()).as(screen.text()).isEqualTo(143);
            assertSettingsCameBack();
        }
    }

    @Test
    void ctrl_z_gives_the_terminal_back_to_the_shell_and_fg_goes_on() throws IOException, InterruptedException {
        try (var screen = new Screen("""
                set -m
                stty -a > before
                "$PRODUCT" run -q --policy "$POLICY" -- "$ACT" deaf
                echo "left $?"
                stty -a > after
                fg
                echo "ended $?"
                """)) {
            screen.awaitFile("ready");
            screen.type("\032");
            screen.await(() -> screen.text().contains("left 148"));
            Files.createFile(desk.workspace().resolve("go"));

            assertThat(screen.end()).as(screen.text()).isZero();
            assertThat(screen.text()).contains("ended 9");
            assertSettingsCameBack();
        }
    }

    @Test
    void a_program_that_stops_itself_does_not_keep_the_terminal() throws IOException, InterruptedException {
        try (var screen = new Screen("""
                set -m
                "$PRODUCT" run -q --policy "$POLICY" -- "$ACT" kill STOP
                echo "left $?"
                kill -KILL %1
                """)) {
            screen.await(() -> screen.text().contains("left 148"));
            screen.end();
        }
    }

    @Test
    void ctrl_z_stops_a_program_that_writes_to_a_pipe_too() throws IOException, InterruptedException {
        try (var screen = new Screen("""
                set -m
                "$PRODUCT" run -q --policy "$POLICY" -- "$ACT" deaf | cat
                echo "left $?"
                fg
                echo "ended $?"
                """)) {
            screen.awaitFile("ready");
            screen.type("\032");
            screen.await(() -> screen.text().contains("left 148"));
            Files.createFile(desk.workspace().resolve("go"));

            assertThat(screen.end()).as(screen.text()).isZero();
            assertThat(screen.text()).contains("ended 0");
        }
    }

    @Test
    void without_a_shell_that_could_bring_it_back_ctrl_z_stops_nothing() throws IOException, InterruptedException {
        try (var screen = new Screen("exec \"$PRODUCT\" run -q --policy \"$POLICY\" -- \"$ACT\" deaf\n")) {
            screen.awaitFile("ready");
            screen.type("\032\003");
            screen.awaitFile("heard");
            Files.createFile(desk.workspace().resolve("go"));

            assertThat(screen.end()).as(screen.text()).isEqualTo(9);
        }
    }

    @Test
    void the_cages_terminal_is_set_as_the_persons() throws IOException, InterruptedException {
        try (var screen = new Screen("""
                stty erase ^H -ixon iutf8
                exec "$PRODUCT" run -q --policy "$POLICY" -- stty -a
                """)) {
            assertThat(screen.end()).as(screen.text()).isZero();
            assertThat(screen.text()).contains("erase = ^H", "-ixon", " iutf8").doesNotContain("-iutf8");
        }
    }

    private void assertSettingsCameBack() throws IOException {
        var before = Files.readString(desk.workspace().resolve("before"));
        assertThat(before).contains("intr = ^C");
        assertThat(desk.workspace().resolve("after")).hasContent(before);
    }

    @Test
    void colours_are_for_terminals_and_not_with_no_color() throws IOException, InterruptedException {
        var line = "\"$PRODUCT\" run --policy \"$POLICY\" -- git status; exit 0\n";
        try (var coloured = new Screen(line);
                var plain = new Screen("export NO_COLOR=1; " + line);
                var dumb = new Screen("export TERM=dumb; " + line)) {
            assertThat(coloured.end()).isZero();
            assertThat(plain.end()).isZero();
            assertThat(dumb.end()).isZero();
            assertThat(coloured.text()).contains("\033[31mdenied\033[0m");
            assertThat(plain.text()).contains("denied").doesNotContain("\033");
            assertThat(dumb.text()).contains("denied").doesNotContain("\033");
        }
        assertThat(desk.product("run", "--policy", desk.policy(), "--", "git").err())
                .contains("denied")
                .doesNotContain("\033");
    }

    @Test
    void messages_on_a_terminal_fit_its_usual_width() throws IOException, InterruptedException {
        try (var screen = new Screen("\"$PRODUCT\" run --policy no-such-policy-of-mine -- git; exit 0\n")) {
            assertThat(screen.end()).isZero();
            assertThat(screen.text()).contains("no policy named");
            assertThat(screen.text().lines())
                    .allMatch(
                            line -> line.strip().length() <= 80 || !line.strip().contains(" "), "80 columns");
        }
    }
}
