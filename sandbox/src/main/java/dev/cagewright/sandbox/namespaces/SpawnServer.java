package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.ControlSocket;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.MemoryFile;
import dev.cagewright.sandbox.kernel.Processes;
import dev.cagewright.sandbox.kernel.Spawning;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// The helper that turns requests into cages. It runs from memory, holds one socket, and ends with it.
final class SpawnServer implements AutoCloseable {
    /// `SEAMS` in `cage.h`.
    static final int PLACES = 32;

    private final AtomicInteger next = new AtomicInteger();
    private final Semaphore places = new Semaphore(PLACES);
    private final Descriptor socket;
    private final long pid;

    private SpawnServer(Descriptor socket, long pid) {
        this.socket = socket;
        this.pid = pid;
    }

    static SpawnServer start() throws ConfinementException {
        try {
            int program = MemoryFile.executable("cagewright-init", helper());
            try {
                var ends = ControlSocket.pair();
                var ours = new Descriptor(ends.ours());
                try (var theirs = new Descriptor(ends.theirs())) {
                    return new SpawnServer(ours, Spawning.spawn(program, theirs.number(), Wire.CONTROL_DESCRIPTOR));
                }
            } finally {
                FileControl.close(program);
            }
        } catch (KernelException e) {
            throw Refusals.of("spawn server", e, "run cagewright doctor; it tries each step and names what is missing");
        }
    }

    private static byte[] helper() throws ConfinementException {
        var architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        var name = "/native/linux-" + (architecture.equals("amd64") ? "x86_64" : architecture) + "/cagewright-init";
        try (var stream = SpawnServer.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new ConfinementException(
                        "spawn server",
                        "read(" + name + ")",
                        "not in this build",
                        "build on this machine: x86_64 and aarch64 are supported");
            }
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new ConfinementException(
                    "spawn server", "read(" + name + ")", String.valueOf(e.getMessage()), "install the product again");
        }
    }

    /// Asks for a first process that waits for its specification, and gives it a number. The descriptors stay the
    /// caller's. Waits while as many wait as the helper has room for.
    ///
    /// @param control the cage's end of its control socket
    /// @param user whose cage it will be; empty when that is not known yet
    int blank(int control, List<Integer> groups, Optional<CageUser> user) throws KernelException {
        var descriptors = new ArrayList<>(List.of(control));
        descriptors.addAll(groups);
        int number = next.incrementAndGet();
        places.acquireUninterruptibly();
        try {
            Wire.send(socket.number(), new Wire.Order(Wire.BLANK, number, identity(user)), descriptors);
        } catch (KernelException e) {
            places.release();
            throw e;
        }
        return number;
    }

    /// An ordinary user's cages are all that user's.
    private static List<Long> identity(Optional<CageUser> user) {
        int own = Processes.effectiveUser();
        if (own != 0) {
            return List.of(0L, (long) own, (long) Processes.effectiveGroup());
        }
        return List.of(
                1L,
                user.map(CageUser::uid).orElse(0).longValue(),
                user.map(CageUser::gid).orElse(0).longValue());
    }

    /// Gives a first process its specification, once.
    void fill(int blank, CageUser user, int payload) throws KernelException {
        settle(new Wire.Order(Wire.FILL, blank, user.byRoot() ? 1 : 0), List.of(payload));
    }

    /// Has a first process end that got none.
    void drop(int blank) throws KernelException {
        settle(new Wire.Order(Wire.DROP, blank, 0), List.of());
    }

    /// Has a process of its own cover again what lies open in a cage.
    ///
    /// @param descriptors specification, user namespace, mount namespace, answer; they stay the caller's
    void cover(boolean byRoot, List<Integer> descriptors) throws KernelException {
        Wire.send(socket.number(), new Wire.Order(Wire.COVER, 0, byRoot ? 1 : 0), descriptors);
    }

    /// Requests are served in the order in which they are sent, so its place is free for whoever asks next.
    private void settle(Wire.Order order, List<Integer> descriptors) throws KernelException {
        try {
            Wire.send(socket.number(), order, descriptors);
        } finally {
            places.release();
        }
    }

    @Override
    public void close() {
        socket.close();
        Spawning.reap(pid);
    }
}
