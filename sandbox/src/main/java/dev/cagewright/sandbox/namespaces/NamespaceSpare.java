package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.namespaces.tree.MountTable;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/// A cage that waits, and what it was made from. A mask sits on an object: where the host has put another
/// one in its place, the kernel has taken the mask away, and the cage's own mount table says so. Numbers of
/// objects alone would not do, because a file system gives a freed one out again.
final class NamespaceSpare implements Runtime.Spare {
    private static final String REMEDY = "build a new cage; this one is destroyed";

    private final CageSpec spec;
    private final NamespaceCage cage;
    private final HostView host;
    private final MountTable mounts;
    private final AtomicBoolean handedOn = new AtomicBoolean();

    /// @param host as it was before `cage` was built
    NamespaceSpare(CageSpec spec, NamespaceCage cage, HostView host) {
        this.spec = spec;
        this.cage = cage;
        this.host = host;
        this.mounts = MountTable.of(Long.toString(cage.initPid()));
    }

    @Override
    public Cage claim(String id) throws ConfinementException {
        if (handedOn.getAndSet(true)) {
            throw new IllegalStateException("spare was claimed before");
        }
        try {
            requireUnchanged();
        } catch (ConfinementException e) {
            handedOn.set(false);
            throw e;
        }
        cage.rename(id);
        return cage;
    }

    private void requireUnchanged() throws ConfinementException {
        if (cage.isDead()) {
            throw refusal("its first process has ended");
        }
        if (!mounts.equals(MountTable.of(Long.toString(cage.initPid())))) {
            throw refusal("what it shows or protects was moved, replaced or removed on the host");
        }
        Optional<String> change = host.changeSince(HostView.of(spec));
        if (change.isPresent()) {
            throw refusal(change.get());
        }
    }

    private ConfinementException refusal(String reason) {
        return new ConfinementException("spare", "claim(" + spec.workspace().path() + ")", reason, REMEDY);
    }

    @Override
    public void close() {
        if (!handedOn.getAndSet(true)) {
            cage.close();
        }
    }
}
