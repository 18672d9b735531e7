package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Descriptor;
import java.util.List;

/// The way back into a cage with masks. They keep the cage's mounts alive, so they are closed when its last process has
/// died.
///
/// @param user its user namespace
/// @param tree its mount namespace
record CoverDoors(Descriptor user, Descriptor tree) implements AutoCloseable {
    /// `COVER_DOORS` in `wire.h`.
    static final int COUNT = 2;

    /// @param descriptors that many; its own from now on
    static CoverDoors of(List<Integer> descriptors) {
        return new CoverDoors(new Descriptor(descriptors.get(0)), new Descriptor(descriptors.get(1)));
    }

    @Override
    public void close() {
        user.close();
        tree.close();
    }
}
