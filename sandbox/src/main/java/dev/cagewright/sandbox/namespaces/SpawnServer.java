package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.ControlSocket;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.MemoryFile;
import dev.cagewright.sandbox.kernel.Spawning;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The helper that turns requests into cages. It runs from memory, holds one socket, and ends with it.
final class SpawnServer implements AutoCloseable {
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

    /// Asks for a cage. The descriptors stay the caller's.
    ///
    /// @param control the cage's end of its control socket
    void create(CageUser user, int payload, int control, List<Integer> groups) throws KernelException {
        var descriptors = new ArrayList<>(List.of(payload, control));
        descriptors.addAll(groups);
        Wire.send(socket.number(), Wire.CREATE, 0, user.byRoot() ? 1 : 0, descriptors);
    }

    @Override
    public void close() {
        socket.close();
        Spawning.reap(pid);
    }
}
