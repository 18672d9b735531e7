package dev.cagewright.sandbox.namespaces;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.NameWatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Hears for the cages of a runtime that on the host something comes to stand at a masked name, or goes from there. A
/// cage's list of mounts does not tell of a mask that goes with an object that is moved away, nor of what is made where
/// a masked object was removed before. Safe for all threads.
final class MaskedNames {
    private final ControlLoop loop;
    private final Map<Integer, Map<MaskKeeper, Set<ByteString>>> directories = new HashMap<>();
    private @Nullable NameWatch watch;

    MaskedNames(ControlLoop loop) {
        this.loop = loop;
    }

    /// Has `keeper` hear of names from now on, also in directories that have come to be since the last time.
    ///
    /// @param wanted by the directory that they stand in
    /// @throws KernelException if there is no room for more, inotify(7)
    synchronized void follow(MaskKeeper keeper, Map<ByteString, Set<ByteString>> wanted) throws KernelException {
        var open = watch;
        if (open == null && !wanted.isEmpty()) {
            open = NameWatch.open();
            watch = open;
            loop.watch(open.descriptor(), this::hear);
        }
        for (var directory : wanted.entrySet()) {
            try {
                directories
                        .computeIfAbsent(Objects.requireNonNull(open).add(directory.getKey()), _ -> new HashMap<>())
                        .put(keeper, directory.getValue());
            } catch (KernelException e) {
                if (!isNotThere(e)) {
                    throw e;
                }
            }
        }
    }

    /// Then its own name is heard of, in the directory above.
    private static boolean isNotThere(KernelException e) {
        return e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR || e.errno() == Errno.EACCES;
    }

    /// By the loop's thread.
    private synchronized void hear() {
        var open = watch;
        try {
            for (var change : open == null ? Set.<NameWatch.Change>of() : open.read()) {
                tell(change);
            }
        } catch (KernelException _) {
            tellEverybody();
        }
    }

    private void tell(NameWatch.Change change) {
        if (change.isLoss()) {
            tellEverybody();
            return;
        }
        directories.getOrDefault(change.directory(), Map.of()).forEach((keeper, names) -> {
            if (names.contains(change.name())) {
                keeper.hear();
            }
        });
    }

    private void tellEverybody() {
        directories.values().forEach(keepers -> keepers.keySet().forEach(MaskKeeper::hear));
    }

    /// Nothing is told to `keeper` any more.
    synchronized void forget(MaskKeeper keeper) {
        var open = watch;
        directories.entrySet().removeIf(one -> {
            one.getValue().remove(keeper);
            if (one.getValue().isEmpty() && open != null) {
                open.remove(one.getKey());
            }
            return one.getValue().isEmpty();
        });
        if (directories.isEmpty() && open != null) {
            watch = null;
            loop.giveBack(open.descriptor(), () -> Thread.ofVirtual().start(open::close));
        }
    }
}
