package dev.cagewright.sandbox.namespaces.streams;

import dev.cagewright.sandbox.Descriptor;

/// Somebody who waits for many descriptors at once, so that what only waits needs no thread of its own.
public interface Readiness {
    /// Watches `descriptor` until it is given back or retired. Meanwhile nobody else closes it.
    ///
    /// @param ready told each time there is something to read or the end is reached, on a thread that it must not
    ///     hold up
    void watch(Descriptor descriptor, Runnable ready);

    /// Watches `descriptor` no more; it is the caller's again when `then` runs.
    void giveBack(Descriptor descriptor, Runnable then);

    /// Watches `descriptor` no more and closes it.
    void retire(Descriptor descriptor);
}
