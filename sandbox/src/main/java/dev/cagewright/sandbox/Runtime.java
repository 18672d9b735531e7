package dev.cagewright.sandbox;

/// What builds cages: namespaces, gVisor, a microVM, a container. Safe for all threads; closing it ends
/// every cage it made.
@SuppressWarnings("AvoidCommonTypeNames") // whoever builds cages has no use for java.lang.Runtime
public interface Runtime extends AutoCloseable {
    /// The runtime's name in policies, logs and receipts, e.g. `namespaces`.
    String name();

    /// Builds a cage in which nothing runs yet. Either all of `spec` holds or nothing is left behind.
    ///
    /// @throws ConfinementException naming the step, the call, the kernel's words and the remedy
    Cage create(CageSpec spec) throws ConfinementException;

    /// Builds a cage that waits for its use.
    ///
    /// @throws ConfinementException as [#create]
    Spare spare(CageSpec spec) throws ConfinementException;

    @Override
    void close();

    /// A cage built ahead, in which nothing has run. Whoever holds it closes it, unless [#claim] handed it on.
    /// Safe for all threads.
    interface Spare extends AutoCloseable {
        /// Hands the cage on under the name `id`, at most once, and only while a new cage of the same
        /// specification would be the same: its first process lives, and every object and mount it was made
        /// from stands on the host as it did then.
        ///
        /// @throws ConfinementException naming what has changed; the spare is of no use any more
        /// @throws IllegalStateException if it was claimed before
        Cage claim(String id) throws ConfinementException;

        /// Destroys a cage that nobody has claimed; otherwise nothing happens.
        @Override
        void close();
    }
}
