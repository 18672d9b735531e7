package dev.cagewright.sandbox.unisolated;

import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// A plain process with its streams pumped and its time limited.
final class PlainRun implements Run {
    /// signal(7)
    private static final int SIGKILL = 9;

    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final Process process;
    private final Limits limits;
    private final Drain out;
    private final Drain err;
    private final long startedNanos = System.nanoTime();
    private final AtomicReference<Optional<KillReason>> killed = new AtomicReference<>(Optional.empty());

    private PlainRun(Process process, Limits limits, Drain out, Drain err) {
        this.process = process;
        this.limits = limits;
        this.out = out;
        this.err = err;
    }

    static PlainRun of(ProcessBuilder builder, Streams streams, Limits limits) throws IOException {
        var budget = new AtomicLong(limits.outputBytes());
        return switch (streams) {
            case Streams.Pipes(InputStream in, OutputStream out, OutputStream err) -> {
                var process = builder.start();
                feed(in, process.getOutputStream());
                yield new PlainRun(
                        process,
                        limits,
                        Drain.start(process.getInputStream(), out, budget),
                        Drain.start(process.getErrorStream(), err, budget));
            }
            case Streams.Pty(int _, int _, var _, InputStream in, OutputStream out) -> {
                var process = builder.redirectErrorStream(true).start();
                feed(in, process.getOutputStream());
                yield new PlainRun(
                        process,
                        limits,
                        Drain.start(process.getInputStream(), out, budget),
                        Drain.start(InputStream.nullInputStream(), out, budget));
            }
        };
    }

    private static void feed(InputStream from, OutputStream to) {
        Thread.ofPlatform().daemon().name("cagewright-input").start(() -> {
            try (to) {
                from.transferTo(to);
            } catch (IOException _) {
                // The program does not read any more.
            }
        });
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    @Override
    public Exit await() throws InterruptedException {
        if (!process.waitFor(limits.wall().toMillis(), TimeUnit.MILLISECONDS)) {
            kill(KillReason.TIMEOUT);
        }
        return exit();
    }

    @Override
    public Optional<Exit> await(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) ? Optional.of(exit()) : Optional.empty();
    }

    private Exit exit() throws InterruptedException {
        int status = process.waitFor();
        out.await(DRAIN);
        err.await(DRAIN);
        var reason = killed.get();
        var cause = reason.map(KillReason::cause).orElse(status > 128 ? Exit.Cause.SIGNALLED : Exit.Cause.EXITED);
        var wall = Duration.ofNanos(System.nanoTime() - startedNanos);
        return new Exit(
                status,
                cause,
                "",
                new Exit.Usage(process.info().totalCpuDuration().orElse(Duration.ZERO), Duration.ZERO, 0, wall),
                new Exit.Output(out.bytes(), err.bytes(), out.truncated(), err.truncated()));
    }

    @Override
    public void resize(int rows, int columns) {}

    @Override
    public void signal(int signal) {
        if (signal == SIGKILL) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
    }

    /// Kills the process and what it is known to have started. Without a cage some may stay.
    void kill(KillReason reason) {
        if (process.isAlive()) {
            killed.updateAndGet(before -> before.isPresent() ? before : Optional.of(reason));
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
