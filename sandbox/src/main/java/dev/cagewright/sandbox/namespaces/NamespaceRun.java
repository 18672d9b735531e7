package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.Processes;
import dev.cagewright.sandbox.namespaces.streams.RunStreams;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One program: its streams, its clock, its end.
final class NamespaceRun implements Run {
    private static final Duration START = Duration.ofSeconds(30);
    /// How long a program stays stopped that nobody listens to.
    private static final Duration HEARING = Duration.ofSeconds(10);

    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;
    private static final int SIGNALLED = 128;

    private final NamespaceCage cage;
    private final int number;
    private final RunStreams streams;
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch processEnded = new CountDownLatch(1);
    private final AtomicReference<Optional<ProgramEnd>> end = new AtomicReference<>(Optional.empty());
    private final long startedAt = System.nanoTime();
    private @Nullable Runnable stopHeard;
    private boolean isStopUnheard;
    private @Nullable Future<?> deadline;
    private @Nullable Exit exit;

    private NamespaceRun(NamespaceCage cage, int number, RunStreams streams) {
        this.cage = cage;
        this.number = number;
        this.streams = streams;
    }

    static NamespaceRun open(NamespaceCage cage, int number, Streams streams) throws KernelException {
        return new NamespaceRun(
                cage, number, RunStreams.open(streams, cage.spec().limits().outputBytes()));
    }

    /// Asks for the start. Only who wants a terminal waits for it: the others hear of a refusal as of an end.
    void begin(Wire.Order order, byte[] request) throws KernelException {
        streams.watch(cage.loop());
        cage.execute(order, request, streams.inside());
        streams.closeInside();
        if (streams.isTerminal()) {
            awaitTerminal();
        }
        streams.pump();
        armDeadline();
    }

    private void awaitTerminal() throws KernelException {
        try {
            if (!started.await(START.toSeconds(), TimeUnit.SECONDS)) {
                throw new KernelException("recvmsg(cage)", Errno.ETIMEDOUT);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void armDeadline() {
        if (end.get().isEmpty()) {
            deadline = cage.deadlines().after(cage.spec().limits().wall(), () -> cage.kill(KillReason.TIMEOUT));
        }
    }

    /// Never started: gives back the streams.
    void abandon() {
        streams.abandon();
    }

    void started(List<Integer> terminal) {
        if (!terminal.isEmpty()) {
            streams.attach(new Descriptor(terminal.getFirst()));
        }
        started.countDown();
    }

    void refused(Wire.Answer answer) {
        int errno = (int) answer.value();
        int status = errno == Errno.ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
        settle(ProgramEnd.notStarted(status, answer.text() + ": " + Errno.words(errno)));
    }

    void ended(Wire.Answer answer, Optional<KillReason> killed) {
        var told = ProgramEnd.of(answer);
        settle(killed.filter(_ -> told.status() == SIGNALLED + Processes.SIGKILL)
                .map(reason -> told.because(reason.cause()))
                .orElse(told));
    }

    /// The cage died before it could tell how the program ended.
    void lost(KillReason reason) {
        settle(ProgramEnd.lost(SIGNALLED + Processes.SIGKILL, reason.cause()));
    }

    private void settle(ProgramEnd told) {
        if (end.compareAndSet(Optional.empty(), Optional.of(told.after(System.nanoTime() - startedAt)))) {
            disarmDeadline(); // before anybody waits for the output under the same lock
            streams.programEnded();
            started.countDown();
            processEnded.countDown();
        }
    }

    private synchronized void disarmDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }

    /// It has stopped itself, or a key of its terminal has. Who started it may not listen yet.
    synchronized void stopped() {
        if (stopHeard != null) {
            stopHeard.run();
        } else {
            isStopUnheard = true;
            var _ = cage.deadlines().after(HEARING, this::goOnIfUnheard);
        }
    }

    private synchronized void goOnIfUnheard() {
        if (isStopUnheard) {
            isStopUnheard = false;
            cage.signal(number, Processes.SIGCONT);
        }
    }

    boolean awaitProcessEnd(long patience, TimeUnit unit) throws InterruptedException {
        return processEnded.await(patience, unit);
    }

    @Override
    public Exit await() throws InterruptedException {
        processEnded.await();
        return exit();
    }

    @Override
    public Optional<Exit> await(Duration patience) throws InterruptedException {
        return processEnded.await(patience.toNanos(), TimeUnit.NANOSECONDS) ? Optional.of(exit()) : Optional.empty();
    }

    private synchronized Exit exit() throws InterruptedException {
        if (exit == null) {
            var output = streams.awaitOutput();
            cage.awaitDeathIfKilled();
            exit = end.get().orElseThrow().exit(output);
        }
        return exit;
    }

    @Override
    public void resize(int rows, int columns) {
        streams.resize(rows, columns);
    }

    @Override
    public synchronized void whenStopped(Runnable told) {
        stopHeard = told;
        if (isStopUnheard) {
            isStopUnheard = false;
            told.run();
        }
    }

    @Override
    public void signal(int signal) {
        if (signal < 1 || signal > 64) {
            throw new IllegalArgumentException("signal: " + signal + " (expected: 1 to 64)");
        }
        cage.signal(number, signal);
    }
}
