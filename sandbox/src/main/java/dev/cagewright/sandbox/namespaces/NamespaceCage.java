package dev.cagewright.sandbox.namespaces;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.NetCell;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Snapshot;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.MemoryFile;
import dev.cagewright.sandbox.namespaces.limits.CageGroups;
import dev.cagewright.sandbox.namespaces.limits.CageProcesses;
import dev.cagewright.sandbox.namespaces.limits.LimitReport;
import dev.cagewright.sandbox.namespaces.streams.TerminalShape;
import dev.cagewright.sandbox.namespaces.tree.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One cage: its first process at the other end of a control socket, and the programs started in it.
final class NamespaceCage implements Cage {
    /// Long enough for the first process to collect what the killed programs used.
    private static final Duration LAST_REPORTS = Duration.ofMillis(500);

    private static final Duration DEATH = Duration.ofSeconds(10);

    private static final Duration STANDING = Duration.ofSeconds(10);

    private static final Duration SAMPLE = Duration.ofMillis(200);

    /// What a cage needs of its runtime.
    record Surroundings(ControlLoop loop, Deadlines deadlines, Set<NamespaceCage> living, MaskKeeper keeper) {}

    private volatile CageSpec spec;
    private final Surroundings surroundings;
    private final CageLine line;
    private final CageGroups groups;
    private final ConcurrentHashMap<Integer, NamespaceRun> runs = new ConcurrentHashMap<>();
    private final AtomicInteger nextRun = new AtomicInteger();
    private final AtomicReference<Optional<KillReason>> killed = new AtomicReference<>(Optional.empty());
    private final Object standstill = new Object();
    private final AtomicBoolean paused = new AtomicBoolean();
    private final AtomicBoolean masksChanged = new AtomicBoolean();

    /// Of what the first process has stopped everybody for on its own, as it counts: what is covered, by whoever stands
    /// still...
    private long covered;

    /// ...and what was covered when everybody went on last.
    private volatile long goneOn;

    private volatile Guard guard = _ -> true;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable Future<?> watch;

    private NamespaceCage(CageSpec spec, Surroundings surroundings, CageLine line, CageGroups groups) {
        this.groups = groups;
        this.spec = spec;
        this.surroundings = surroundings;
        this.line = line;
    }

    /// @param line of a first process that has built what `spec` says
    static NamespaceCage of(CageSpec spec, CageLine line, CageGroups groups, Surroundings surroundings) {
        var cage = new NamespaceCage(spec, surroundings, line, groups);
        line.listen(cage::hear, cage::allGone);
        surroundings.keeper().listen(cage::hearOfMasks);
        cage.watchMemory();
        return cage;
    }

    /// Where no control group holds the sum, it is looked at instead, as long as anything runs.
    private void watchMemory() {
        if (!groups.holdsMemory() && spec.limits().memoryBytes() != Limits.UNBOUNDED) {
            watch = surroundings.deadlines().every(SAMPLE, this::sampleMemory);
        }
    }

    private void sampleMemory() {
        if (!runs.isEmpty()
                && CageProcesses.below(initPid()).residentBytes()
                        > spec.limits().memoryBytes()) {
            Thread.ofVirtual().start(() -> kill(KillReason.MEMORY));
        }
    }

    @Override
    public String id() {
        return spec.id();
    }

    /// Gives a cage that nobody has used yet the name of its session.
    void rename(String id) {
        spec = spec.withId(id);
    }

    boolean isDead() {
        return line.isDead();
    }

    @Override
    public Run start(Warrant warrant, Launch launch) throws ConfinementException {
        var action = warrant.spend(Action.ProcExec.class);
        if (killed.get().isPresent()) {
            throw Refusals.helperGone("start");
        }
        boolean isWhole = launch.leftovers() == Launch.Leftovers.DIE;
        return begin(Wire.EXEC, isWhole ? 1 : 0, request(action, launch), launch.streams());
    }

    private NamespaceRun begin(int kind, long value, byte[] request, Streams streams) throws ConfinementException {
        int number = nextRun.incrementAndGet();
        try {
            var run = NamespaceRun.open(this, number, streams);
            runs.put(number, run);
            run.begin(new Wire.Order(kind, number, value), request);
            return run;
        } catch (KernelException e) {
            var refused = runs.remove(number);
            if (refused != null) {
                refused.abandon();
            }
            throw Refusals.of("start", e, "see whether the cage still runs, and the limit of open files (ulimit -n)");
        }
    }

    private static byte[] request(Action.ProcExec action, Launch launch) {
        var size = TerminalShape.of(launch.streams());
        var payload = new Payload()
                .text(launch.program())
                .text(ByteString.of(action.workingDirectory().value()))
                .number(size.rows())
                .number(size.columns())
                .text(size.settings())
                .number(action.argv().size())
                .number(launch.environment().size());
        action.argv().forEach(payload::text);
        launch.environment().forEach(payload::text);
        return payload.toByteArray();
    }

    @Override
    public FileActed act(Warrant warrant, FileAct act) throws ConfinementException, InterruptedException {
        switch (act) {
            case FileAct.Read _ -> warrant.spend(Action.FsRead.class);
            case FileAct.Write _ -> warrant.spend(Action.FsWrite.class);
        }
        if (killed.get().isPresent()) {
            throw Refusals.helperGone("act");
        }
        var acting = new FileActing(act);
        return acting.await(begin(Wire.ACT, 0, acting.request(), acting.streams()));
    }

    /// Sends a request; the descriptors stay the caller's.
    void execute(Wire.Order order, byte[] request, List<Integer> streams) throws KernelException {
        try (var payload = new Descriptor(MemoryFile.of("cagewright-exec", request))) {
            var descriptors = new ArrayList<>(List.of(payload.number()));
            descriptors.addAll(streams);
            line.send(order.kind(), order.run(), order.values().getFirst(), descriptors);
        }
    }

    void signal(int number, int signal) {
        try {
            line.send(Wire.SIGNAL, number, signal, List.of());
        } catch (KernelException _) {
            return; // gone, so there is nobody to signal
        }
    }

    private void hear(Wire.Answer answer) {
        if (answer.kind() == Wire.UNCOVERED) {
            hearOfMasks();
            return;
        }
        var run = runs.get(answer.run());
        if (run == null) {
            answer.descriptors().forEach(number -> new Descriptor(number).close());
            return;
        }
        switch (answer.kind()) {
            case Wire.STARTED -> run.started(answer.descriptors());
            case Wire.REFUSED -> {
                runs.remove(answer.run());
                run.refused(answer);
            }
            case Wire.STOPPED -> {
                if (!paused.get() && !hasStopped()) {
                    run.stopped();
                }
            }
            case Wire.ENDED -> {
                runs.remove(answer.run());
                run.ended(answer, killReason());
            }
            default -> {}
        }
    }

    private void allGone() {
        var reason = killReason().orElse(KillReason.REQUESTED);
        runs.values().forEach(run -> run.lost(reason));
        runs.clear();
    }

    private Optional<KillReason> killReason() {
        var reason = killed.get();
        return reason.isEmpty() && groups.killedForMemory() > 0 ? Optional.of(KillReason.MEMORY) : reason;
    }

    @Override
    public boolean hasOwnNetwork() {
        return true;
    }

    @Override
    public Descriptor connect(int port) throws ConfinementException {
        try {
            return line.connected(4, port);
        } catch (KernelException e) {
            if (e.errno() != Errno.ECONNREFUSED) {
                throw unreached(port, e);
            }
        }
        try {
            return line.connected(6, port);
        } catch (KernelException e) {
            throw unreached(port, e);
        }
    }

    private static ConfinementException unreached(int port, KernelException e) {
        var refusal = new ConfinementException(
                "publish", "port " + port, e.reason(), "have the program in the cage listen there");
        refusal.initCause(e);
        return refusal;
    }

    @Override
    public void pause() throws ConfinementException {
        synchronized (standstill) {
            paused.set(true); // before it is true, so that whoever kills it meanwhile thaws it
            if (!groups.freeze()) {
                stopEverybody();
            }
        }
    }

    /// A signal is sent at once, and each process stops when it comes by next.
    private void stopEverybody() throws ConfinementException {
        order(Wire.PAUSE, 0, "pause");
        long end = System.nanoTime() + STANDING.toNanos();
        while (!CageProcesses.stand(initPid())) {
            if (System.nanoTime() - end >= 0) {
                throw new ConfinementException(
                        "pause",
                        "kill(SIGSTOP)",
                        "a process went on for " + STANDING.toSeconds() + " s",
                        "end the cage");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void resume() throws ConfinementException {
        synchronized (standstill) {
            if (!groups.thaw() || hasStopped()) {
                letGoOn();
            }
            paused.set(false);
        }
    }

    /// Has the first process stopped everybody on its own?
    private boolean hasStopped() {
        return line.uncovered() != goneOn;
    }

    /// Nobody does, for whom more than what is covered has been taken away meanwhile; that is covered next.
    private void letGoOn() throws ConfinementException {
        goneOn = covered;
        order(Wire.RESUME, covered, "resume");
        if (hasStopped()) {
            hearOfMasks();
        }
    }

    @Override
    public void guard(Guard guard) {
        this.guard = guard;
    }

    /// The loop's thread, which brings the answers, must not wait for one.
    private void hearOfMasks() {
        if (masksChanged.compareAndSet(false, true)) {
            Thread.ofVirtual().start(this::coverAgain);
        }
    }

    /// By orders to the first process, which has stopped everybody already if the kernel told it.
    private void coverAgain() {
        synchronized (standstill) {
            masksChanged.set(false);
            boolean isHeld = paused.getAndSet(true);
            try {
                if (!isHeld) {
                    stopEverybody();
                }
                long heard = line.uncovered(); // before it is covered, so that what comes later counts as open
                if (!isCovered()) {
                    killUnlessDead();
                    return;
                }
                covered = heard;
                if (!isHeld) {
                    letGoOn();
                    paused.set(false);
                }
            } catch (ConfinementException | RuntimeException _) {
                killUnlessDead();
            }
        }
    }

    private boolean isCovered() {
        var doors = line.doors();
        try {
            var places = doors.isEmpty()
                    ? List.<ByteString>of()
                    : surroundings.keeper().coverAgain(doors.get());
            return places.isEmpty() || guard.mayGoOn(places);
        } catch (KernelException e) {
            if (!line.isLost()) {
                guard.giveUp(String.valueOf(e.getMessage()));
            }
            return false;
        }
    }

    private void killUnlessDead() {
        if (!line.isLost()) {
            kill(KillReason.UNCOVERED);
        }
    }

    private void order(int kind, long value, String step) throws ConfinementException {
        try {
            line.sendAndWait(kind, value);
        } catch (KernelException e) {
            throw Refusals.of(step, e, "the cage has ended");
        }
    }

    @Override
    public void clear() throws ConfinementException {
        try {
            line.send(Wire.KILL, 0, 0, List.of());
        } catch (KernelException e) {
            throw Refusals.of("clear", e, "the cage has ended");
        }
    }

    @Override
    public void kill(KillReason reason) {
        if (killed.compareAndSet(Optional.empty(), Optional.of(reason))) {
            if (paused.get()) {
                groups.thaw(); // a frozen process of version 1 does not even die
            }
            if (!runs.isEmpty()) {
                killPrograms();
            }
            line.killFirstProcess();
        }
        line.awaitDeath(DEATH);
    }

    /// A run that was ended together with its cage is over when nothing is alive, not when its program was the first to
    /// die.
    void awaitDeathIfKilled() {
        if (killed.get().isPresent()) {
            line.awaitDeath(DEATH);
        }
    }

    /// Ahead of the first process, so that it can report how they ended.
    private void killPrograms() {
        try {
            line.send(Wire.KILL, 0, 0, List.of());
            awaitLastReports();
        } catch (KernelException _) {
            return; // the first process is gone already
        }
    }

    private void awaitLastReports() {
        long end = System.nanoTime() + LAST_REPORTS.toNanos();
        for (var run : List.copyOf(runs.values())) {
            try {
                run.awaitProcessEnd(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isAlive() {
        return !line.isDead();
    }

    CageSpec spec() {
        return spec;
    }

    ControlLoop loop() {
        return surroundings.loop();
    }

    Deadlines deadlines() {
        return surroundings.deadlines();
    }

    @Override
    public Snapshot snapshot() {
        if (line.isDead()) {
            return new Snapshot(spec.id(), Snapshot.State.ENDED, 0, 0, Duration.ZERO);
        }
        var state = paused.get() ? Snapshot.State.PAUSED : Snapshot.State.RUNNING;
        var processes = CageProcesses.below(initPid());
        return new Snapshot(spec.id(), state, processes.count(), processes.residentBytes(), processes.cpu());
    }

    @Override
    public Enforcement enforcement() {
        return LimitReport.of(spec, groups, line.readiness());
    }

    @Override
    public Optional<NetCell> netCell() {
        return line.netCell();
    }

    @Override
    public long initPid() {
        return line.initPid();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            kill(KillReason.REQUESTED);
            var watching = watch;
            if (watching != null) {
                watching.cancel(false);
            }
            surroundings.keeper().close();
            line.close();
            groups.close();
            surroundings.living().remove(this);
        }
    }
}
