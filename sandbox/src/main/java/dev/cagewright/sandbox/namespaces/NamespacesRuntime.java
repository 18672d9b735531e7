package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.namespaces.limits.ControlGroups;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Cages out of user, mount, process, network, IPC, name and control-group namespaces, Landlock and
/// seccomp; no root, no daemon. Safe for all threads. Holds one helper process, one thread and, for each
/// cage, two descriptors.
public final class NamespacesRuntime implements Runtime {
    private final SpawnServer server;
    private final ControlLoop loop;
    private final ControlGroups groups = ControlGroups.find();
    private final Deadlines deadlines = new Deadlines();
    private final Set<NamespaceCage> cages = ConcurrentHashMap.newKeySet();

    private NamespacesRuntime(SpawnServer server, ControlLoop loop) {
        this.server = server;
        this.loop = loop;
    }

    /// Starts the helper.
    ///
    /// @throws ConfinementException if there is none for this machine or it cannot be executed
    public static NamespacesRuntime start() throws ConfinementException {
        var server = SpawnServer.start();
        try {
            return new NamespacesRuntime(server, new ControlLoop());
        } catch (KernelException e) {
            server.close();
            throw Refusals.of("spawn server", e, "raise the limit of open files (ulimit -n)");
        }
    }

    @Override
    public String name() {
        return "namespaces";
    }

    @Override
    public Cage create(CageSpec spec) throws ConfinementException {
        return build(spec);
    }

    @Override
    public Spare spare(CageSpec spec) throws ConfinementException {
        var before = HostView.of(spec);
        return new NamespaceSpare(spec, build(spec), before);
    }

    private NamespaceCage build(CageSpec spec) throws ConfinementException {
        var user = CageUser.ownerOf(spec.workspace().identity());
        var owned = groups.create(spec.limits());
        try {
            var request = CageRequest.of(spec, user, owned);
            var surroundings = new NamespaceCage.Surroundings(server, loop, deadlines, cages);
            var cage = NamespaceCage.build(spec, request, owned, surroundings);
            cages.add(cage);
            return cage;
        } catch (ConfinementException | RuntimeException e) {
            owned.close();
            throw e;
        }
    }

    @Override
    public void close() {
        cages.forEach(Cage::close);
        deadlines.close();
        loop.close();
        server.close();
    }
}
