package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.namespaces.tree.CageUser;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Cages out of user, mount, process, network, IPC, name and control-group namespaces, Landlock and
/// seccomp; no root, no daemon. Safe for all threads. Holds one helper process, one thread and, for each
/// cage and each blank, two descriptors, and three more for a cage with masks.
public final class NamespacesRuntime implements Runtime {
    private final SpawnServer server;
    private final ControlLoop loop;
    private final Blanks blanks;
    private final MaskedNames names;
    private final Deadlines deadlines = new Deadlines();
    private final Set<NamespaceCage> cages = ConcurrentHashMap.newKeySet();

    private NamespacesRuntime(SpawnServer server, ControlLoop loop, int ahead) {
        this.server = server;
        this.loop = loop;
        this.blanks = new Blanks(server, loop, ahead);
        this.names = new MaskedNames(loop);
    }

    /// Starts the helper; nothing is prepared ahead.
    ///
    /// @throws ConfinementException if there is none for this machine or it cannot be executed
    public static NamespacesRuntime start() throws ConfinementException {
        return start(0);
    }

    /// Starts the helper for somebody who stays.
    ///
    /// @param ahead how many first processes wait for any specification, 0 to 16; each costs what an idle cage does
    /// @throws ConfinementException if there is none for this machine or it cannot be executed
    public static NamespacesRuntime start(int ahead) throws ConfinementException {
        Blanks.requireCount(ahead);
        var server = SpawnServer.start();
        try {
            return new NamespacesRuntime(server, ControlLoop.start(), ahead);
        } catch (KernelException e) {
            server.close();
            throw Refusals.of("spawn server", e, "raise the limit of open files (ulimit -n)");
        }
    }

    /// Starts the helper, and with it one first process for the cage that is asked for next: for somebody who wants
    /// one, soon.
    ///
    /// @throws ConfinementException if there is none for this machine or it cannot be executed
    public static NamespacesRuntime startForOne() throws ConfinementException {
        var runtime = start();
        runtime.blanks.prepare();
        return runtime;
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
        var blank = blanks.take(user);
        try {
            blank.groups().limitMemory(spec.limits());
            var request = CageRequest.of(spec, user, blank.groups());
            var keeper = MaskKeeper.of(spec, request, new MaskKeeper.Common(server, loop, names));
            return build(spec, new Order(blank, request, keeper));
        } catch (ConfinementException | RuntimeException e) {
            blank.close();
            throw e;
        }
    }

    private record Order(Blanks.Blank blank, CageRequest request, MaskKeeper keeper) {}

    private NamespaceCage build(CageSpec spec, Order order) throws ConfinementException {
        var blank = order.blank();
        try {
            blank.line().fill(order.request());
            blank.groups().limitOthers(spec.limits()); // while the cage is built
            blank.line().awaitBirth();
        } catch (ConfinementException | RuntimeException e) {
            order.keeper().close();
            throw e;
        }
        var surroundings = new NamespaceCage.Surroundings(loop, deadlines, cages, order.keeper());
        var cage = NamespaceCage.of(spec, blank.line(), blank.groups(), surroundings);
        cages.add(cage);
        return cage;
    }

    @Override
    public void close() {
        cages.forEach(Cage::close);
        blanks.close();
        deadlines.close();
        loop.close();
        server.close();
    }
}
