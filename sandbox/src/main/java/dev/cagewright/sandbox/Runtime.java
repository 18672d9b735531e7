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

    @Override
    void close();
}
