package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// Programs on a terminal of the cage's own.
public abstract class TerminalSuite extends RuntimeConformance {
    private static final int KILL = 9;
    private static final int CONT = 18;

    /// What a person sees, with a way to wait for it.
    private static final class Screen extends OutputStream {
        private final StringBuilder seen = new StringBuilder();
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            lock.lock();
            try {
                seen.append(new String(bytes, offset, length, StandardCharsets.UTF_8));
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        String text() {
            lock.lock();
            try {
                return seen.toString();
            } finally {
                lock.unlock();
            }
        }

        void await(String wanted) throws InterruptedException {
            lock.lock();
            try {
                long left = TimeUnit.SECONDS.toNanos(20);
                while (seen.indexOf(wanted) < 0 && left > 0) {
                    left = changed.awaitNanos(left);
                }
                assertThat(seen.toString()).contains(wanted);
                seen.setLength(0);
            } finally {
                lock.unlock();
            }
        }
    }

    private static void type(OutputStream keyboard, String text) throws IOException {
        keyboard.write(text.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    @Test
    void an_interactive_shell_has_job_control_size_and_interrupt()
            throws IOException, ConfinementException, InterruptedException {
        var screen = new Screen();
        try (var cage = runtime().create(spec());
                var keyboard = new PipedOutputStream();
                var keys = new PipedInputStream(keyboard)) {
            var run = Ran.start(
                    cage, workspace.toString(), new Streams.Pty(24, 80, keys, screen), "/bin/bash", "--norc", "-i");
            type(keyboard, "tty; stty size\n");
            screen.await("/dev/pts/0\r\n24 80\r\n");
            run.resize(50, 132);
            type(keyboard, "stty size\n");
            screen.await("50 132\r\n");
            type(keyboard, "echo re''ady; cat\n");
            screen.await("ready\r\n");
            type(keyboard, "line\n");
            screen.await("line\r\nline\r\n");
            type(keyboard, "\u0003");
            screen.await("$ ");
            type(keyboard, "echo status=$?\n");
            screen.await("status=130\r\n");
            type(keyboard, "sleep 99 & jobs; kill -9 %1; wait; echo do''ne\n");
            screen.await("done\r\n");
            type(keyboard, "exit 7\n");
            var exit = run.await();
            assertThat(exit.status()).isEqualTo(7);
            assertThat(exit.cause()).isEqualTo(Exit.Cause.EXITED);
        }
    }

    @Test
    void a_terminal_is_the_controlling_one_and_belongs_to_the_cage() throws ConfinementException, InterruptedException {
        var screen = new Screen();
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pty(10, 20, InputStream.nullInputStream(), screen),
                    "/bin/sh",
                    "-c",
                    "test -t 0 && test -t 1 && test -t 2 && echo owned > /dev/tty; echo $?; ls -C /dev/pts; echo told >&2");
            assertThat(run.await().status()).isZero();
            screen.await("owned\r\n0\r\n0  ptmx\r\ntold\r\n");
        }
    }

    @Test
    void ctrl_z_stops_the_program_tells_it_and_lets_it_go_on_where_it_was()
            throws IOException, ConfinementException, InterruptedException {
        var screen = new Screen();
        var stopped = new Semaphore(0);
        try (var cage = runtime().create(spec());
                var keyboard = new PipedOutputStream();
                var keys = new PipedInputStream(keyboard)) {
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pty(24, 80, keys, screen),
                    "/bin/sh",
                    "-c",
                    "echo here; while read line; do echo got $line; done");
            run.whenStopped(stopped::release);
            screen.await("here");
            for (int i = 0; i < 3; i++) {
                type(keyboard, "\u001a");
                assertThat(stopped.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
                run.signal(CONT);
                type(keyboard, "line" + i + "\n");
                screen.await("got line" + i);
            }
            type(keyboard, "\u0004");
            assertThat(run.await().status()).isZero();
            assertThat(stopped.availablePermits()).isZero();
        }
    }

    @Test
    void a_program_that_stops_itself_goes_on_where_nobody_listens() throws ConfinementException, InterruptedException {
        var screen = new Screen();
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pty(24, 80, InputStream.nullInputStream(), screen),
                    "/bin/sh",
                    "-c",
                    "kill -STOP $$; echo on; exit 5");
            screen.await("on");
            assertThat(run.await().status()).isEqualTo(5);
        }
    }

    @Test
    void a_program_that_has_stopped_dies_when_it_is_killed() throws ConfinementException, InterruptedException {
        var stopped = new Semaphore(0);
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pty(24, 80, InputStream.nullInputStream(), new Screen()),
                    "/bin/sh",
                    "-c",
                    "while :; do kill -STOP $$; done");
            run.whenStopped(stopped::release);
            assertThat(stopped.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
            run.signal(KILL);
            var exit = run.await();
            assertThat(exit.status()).isEqualTo(128 + KILL);
            assertThat(exit.cause()).isEqualTo(Exit.Cause.SIGNALLED);
        }
    }

    @Test
    void a_pause_is_no_stop_of_the_program() throws IOException, ConfinementException, InterruptedException {
        var screen = new Screen();
        var stopped = new Semaphore(0);
        try (var cage = runtime().create(spec());
                var keyboard = new PipedOutputStream();
                var keys = new PipedInputStream(keyboard)) {
            var run = Ran.start(cage, workspace.toString(), new Streams.Pty(24, 80, keys, screen), "/bin/cat");
            run.whenStopped(stopped::release);
            type(keyboard, "a\n");
            screen.await("a\r\na\r\n");
            for (int i = 0; i < 5; i++) {
                cage.pause();
                cage.resume();
                type(keyboard, "b" + i + "\n");
                screen.await("b" + i + "\r\nb" + i);
            }
            assertThat(stopped.availablePermits()).isZero();
        }
    }

    @Test
    void how_a_program_on_a_terminal_died_is_told_exactly() throws ConfinementException, InterruptedException {
        for (int signal : new int[] {1, 6, 11, 15}) {
            try (var cage = runtime().create(spec())) {
                var exit = Ran.start(
                                cage,
                                workspace.toString(),
                                new Streams.Pty(24, 80, InputStream.nullInputStream(), new Screen()),
                                "/bin/sh",
                                "-c",
                                "kill -" + signal + " $$")
                        .await();
                assertThat(exit.status()).isEqualTo(128 + signal);
                assertThat(exit.detail()).isEqualTo("killed by signal " + signal);
            }
        }
    }

    @Test
    void a_terminal_is_set_as_it_is_asked_for() throws ConfinementException, InterruptedException {
        var screen = new Screen();
        var settings = ByteBuffer.allocate(Terminal.SETTINGS_SIZE)
                .order(ByteOrder.nativeOrder())
                .putInt(0x4500) // ICRNL IXON IUTF8
                .putInt(0x5) // OPOST ONLCR
                .putInt(0xbf) // 38400 CS8 CREAD
                .putInt(0x8a3b) // ISIG ICANON ECHO ECHOE ECHOK ECHOCTL ECHOKE IEXTEN
                .put((byte) 0)
                .put(new byte[] {3, 28, 8, 21, 4, 0, 1, 0, 17, 19, 26});
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pty(
                            10, 200, ByteString.copyOf(settings.array()), InputStream.nullInputStream(), screen),
                    "/bin/stty",
                    "-a");
            assertThat(run.await().status()).isZero();
            assertThat(screen.text()).contains("erase = ^H;", " iutf8").doesNotContain("-iutf8");
        }
    }

    @Test
    void without_a_terminal_there_is_none() throws ConfinementException, InterruptedException {
        assertThat(script(spec(), "test -t 0 || test -t 1 || echo none; echo x > /dev/tty")
                        .out())
                .isEqualTo("none\n");
    }
}
