package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/// Programs on a terminal of the cage's own.
public abstract class TerminalSuite extends RuntimeConformance {
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
    void without_a_terminal_there_is_none() throws ConfinementException, InterruptedException {
        assertThat(script(spec(), "test -t 0 || test -t 1 || echo none; echo x > /dev/tty")
                        .out())
                .isEqualTo("none\n");
    }
}
