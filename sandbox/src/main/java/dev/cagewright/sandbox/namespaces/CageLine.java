package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.NetCell;
import dev.cagewright.sandbox.kernel.ControlSocket;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.LoopbackCalls;
import dev.cagewright.sandbox.kernel.MemoryFile;
import dev.cagewright.sandbox.kernel.Processes;
import dev.cagewright.sandbox.namespaces.limits.CageGroups;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The line to one cage's first process: birth, messages, death. Messages come on the loop's thread.
final class CageLine implements AutoCloseable {
    private static final Duration BIRTH = Duration.ofSeconds(30);

    /// Milliseconds.
    private static final int CONNECTING = 5_000;

    private static final String SERVER_GONE = "start the supervisor again; its helper process is gone";

    private final SpawnServer server;
    private final ControlLoop loop;
    private final Descriptor control;
    private final CountDownLatch born = new CountDownLatch(1);
    private final CountDownLatch dead = new CountDownLatch(1);
    private final Queue<CountDownLatch> orders = new ArrayDeque<>();
    private final AskedSockets sockets = new AskedSockets();

    private int blank;
    private @Nullable Descriptor process;
    private long pid;
    private Optional<NetCell> netCell = Optional.empty();
    private Optional<CoverDoors> doors = Optional.empty();
    private Optional<Wire.Answer> failure = Optional.empty();
    private long readiness;
    private long uncovered;
    private boolean ready;
    private boolean lost;
    private @Nullable Consumer<Wire.Answer> listener;
    private @Nullable Runnable whenDead;

    private CageLine(SpawnServer server, ControlLoop loop, Descriptor control) {
        this.server = server;
        this.loop = loop;
        this.control = control;
    }

    /// Asks for a first process in `groups` and does not wait for it.
    ///
    /// @param user whose cage it will be; empty when that is not known yet
    static CageLine open(SpawnServer server, ControlLoop loop, CageGroups groups, Optional<CageUser> user)
            throws ConfinementException {
        try {
            var ends = ControlSocket.pair();
            var line = new CageLine(server, loop, new Descriptor(ends.ours()));
            loop.watch(line.control, line::read);
            try (var theirs = new Descriptor(ends.theirs())) {
                line.blank = ask(server, theirs, groups, user);
            } catch (KernelException e) {
                loop.retire(line.control);
                throw e;
            }
            return line;
        } catch (KernelException e) {
            throw Refusals.of("spawn server", e, SERVER_GONE);
        }
    }

    private static int ask(SpawnServer server, Descriptor theirs, CageGroups groups, Optional<CageUser> user)
            throws KernelException {
        var doors = groups.doors();
        try {
            return server.blank(
                    theirs.number(), doors.stream().map(Descriptor::number).toList(), user);
        } finally {
            doors.forEach(Descriptor::close);
        }
    }

    /// Has the first process build its cage; [#awaitBirth] follows.
    void fill(CageRequest request) throws ConfinementException {
        try (var payload = new Descriptor(
                MemoryFile.of("cagewright-cage", request.payload().toByteArray()))) {
            server.fill(blank, request.user(), payload.number());
        } catch (KernelException e) {
            throw Refusals.of("spawn server", e, SERVER_GONE);
        }
    }

    /// Instead of [#fill]: nobody needs the first process.
    void drop() {
        try {
            server.drop(blank);
        } catch (KernelException _) {
            // the helper is gone, and its children with it
        }
        awaitDeath(BIRTH);
    }

    /// Waits until the cage is ready. When this throws, nothing is alive.
    void awaitBirth() throws ConfinementException {
        boolean inTime = false;
        try {
            inTime = born.await(BIRTH.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (inTime && ready && failure.isEmpty()) {
                return;
            }
        }
        killFirstProcess();
        awaitDeath(BIRTH);
        if (failure.isPresent()) {
            throw Refusals.of(failure.get());
        }
        throw Refusals.helperGone("cage");
    }

    /// From now on messages about runs go to `hear`, and `whenDead` is told once nothing is alive.
    void listen(Consumer<Wire.Answer> hear, Runnable whenDead) {
        boolean late;
        synchronized (this) {
            listener = hear;
            this.whenDead = whenDead;
            late = dead.getCount() == 0;
        }
        if (late) {
            whenDead.run();
        }
    }

    private void read() {
        Optional<Wire.Answer> answer;
        try {
            answer = Wire.receive(control.number());
        } catch (KernelException _) {
            answer = Optional.empty(); // a broken line is a lost cage
        }
        answer.ifPresentOrElse(this::take, this::lose);
    }

    private void take(Wire.Answer answer) {
        switch (answer.kind()) {
            case Wire.SPAWNED -> spawned(answer);
            case Wire.READY -> ready(answer);
            case Wire.FAILED -> failed(answer);
            case Wire.DONE -> obeyed(answer);
            case Wire.SOCKET -> sockets.take(answer);
            default -> hand(answer);
        }
    }

    private synchronized void spawned(Wire.Answer answer) {
        pid = answer.value();
        process = new Descriptor(answer.descriptors().getFirst());
        if (ready) {
            born.countDown();
        }
    }

    private synchronized void ready(Wire.Answer answer) {
        readiness = answer.value();
        int own = answer.descriptors().size() - ((readiness & Wire.READY_DOORS) == 0 ? 0 : CoverDoors.COUNT);
        netCell = cell(answer.descriptors().subList(0, own));
        if (own < answer.descriptors().size()) {
            doors = Optional.of(CoverDoors.of(
                    answer.descriptors().subList(own, answer.descriptors().size())));
        }
        ready = true;
        if (process != null) {
            born.countDown();
        }
    }

    private static Optional<NetCell> cell(List<Integer> descriptors) {
        if (descriptors.size() < 2) {
            return Optional.empty();
        }
        var dns6 =
                descriptors.size() > 2 ? Optional.of(new Descriptor(descriptors.get(2))) : Optional.<Descriptor>empty();
        return Optional.of(new NetCell(new Descriptor(descriptors.get(0)), new Descriptor(descriptors.get(1)), dns6));
    }

    private synchronized void failed(Wire.Answer answer) {
        failure = Optional.of(answer);
        born.countDown();
    }

    private void obeyed(Wire.Answer answer) {
        CountDownLatch order;
        synchronized (this) {
            uncovered = answer.value();
            order = orders.poll();
        }
        if (order != null) {
            order.countDown();
        }
    }

    private void hand(Wire.Answer answer) {
        Consumer<Wire.Answer> hear;
        synchronized (this) {
            if (answer.kind() == Wire.UNCOVERED) {
                uncovered = answer.value();
            }
            hear = listener;
        }
        if (hear != null) {
            hear.accept(answer);
        }
    }

    /// The first process closed its end. It has died or is dying; its process descriptor says when all
    /// others are dead too, because the kernel lets it end last.
    private void lose() {
        Descriptor watched;
        synchronized (this) {
            lost = true;
            watched = process;
            orders.forEach(CountDownLatch::countDown);
        }
        loop.retire(control);
        sockets.lose();
        born.countDown();
        if (watched == null) {
            died();
        } else {
            loop.watch(watched, this::died);
        }
    }

    private void died() {
        Runnable tell;
        doors().ifPresent(CoverDoors::close); // whoever hears of a cage's end finds nothing mounted any more
        synchronized (this) {
            if (process != null) {
                loop.retire(process);
                process = null;
            }
            dead.countDown();
            tell = whenDead;
        }
        if (tell != null) {
            tell.run();
        }
    }

    /// Empty for a cage without masks.
    synchronized Optional<CoverDoors> doors() {
        return doors;
    }

    /// @throws KernelException also when the cage is gone
    synchronized void send(int kind, int run, long value, List<Integer> descriptors) throws KernelException {
        if (lost) {
            throw new KernelException("sendmsg(cage)", Errno.EPIPE);
        }
        Wire.send(control.number(), new Wire.Order(kind, run, value), descriptors);
    }

    /// Sends an order and waits until the first process has answered.
    ///
    /// @throws KernelException also when the cage is gone
    void sendAndWait(int kind, long value) throws KernelException {
        var obeyed = new CountDownLatch(1);
        synchronized (this) {
            send(kind, 0, value, List.of());
            orders.add(obeyed);
        }
        try {
            if (!obeyed.await(BIRTH.toSeconds(), TimeUnit.SECONDS)) {
                throw new KernelException("recvmsg(cage)", Errno.ETIMEDOUT);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A stream socket of the cage's network, connected to its loopback address.
    ///
    /// @param family 4 or 6
    /// @throws KernelException if the cage is gone or can make none, or nobody listens
    Descriptor connected(int family, int port) throws KernelException {
        var socket = sockets.ask(number -> send(Wire.DIAL, number, family, List.of()));
        try {
            if (family == 4) {
                LoopbackCalls.connect4(socket.number(), port, CONNECTING);
            } else {
                LoopbackCalls.connect6(socket.number(), port, CONNECTING);
            }
            return socket;
        } catch (KernelException e) {
            socket.close();
            throw e;
        }
    }

    /// Kills the first process, and by that every other.
    synchronized void killFirstProcess() {
        if (process != null) {
            Processes.kill(process.number());
        }
    }

    /// Waits until nothing of the cage is alive.
    void awaitDeath(Duration patience) {
        boolean interrupted = false;
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                boolean ignored = dead.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Has its first process ended, or is about to?
    synchronized boolean isLost() {
        return lost;
    }

    boolean isDead() {
        return dead.getCount() == 0;
    }

    synchronized Optional<NetCell> netCell() {
        return netCell;
    }

    /// Bits of `enum ready` in `wire.h`.
    synchronized long readiness() {
        return readiness;
    }

    /// How often the first process has stopped everybody because the host had taken a mount away, as far as that is
    /// heard.
    synchronized long uncovered() {
        return uncovered;
    }

    synchronized long initPid() {
        return pid;
    }

    /// Gives back the net cell; the rest went when the cage died.
    @Override
    public void close() {
        netCell().ifPresent(cell -> {
            cell.tcp().close();
            cell.dns4().close();
            cell.dns6().ifPresent(Descriptor::close);
        });
    }
}
