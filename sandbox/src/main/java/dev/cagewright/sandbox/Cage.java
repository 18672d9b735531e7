package dev.cagewright.sandbox;

import dev.cagewright.policy.gate.Warrant;
import java.util.Optional;

/// One built box. Several programs may run in it, at once or one after the other. Safe for all threads.
public interface Cage extends AutoCloseable {
    /// The identifier it was created with.
    String id();

    /// Starts the program that `warrant` allows; arguments and working directory come from its action.
    /// A program that the kernel refuses to execute is a [Run] that ends at once with 126 or 127, as in
    /// shells.
    ///
    /// @param warrant a warrant for `proc.exec`, spent by this call
    /// @throws ConfinementException if the cage is gone or cannot take another program
    /// @throws IllegalStateException if the warrant is spent or for another kind of action
    Run start(Warrant warrant, Launch launch) throws ConfinementException;

    /// Stops every process of the cage until [#resume]; wall time goes on.
    ///
    /// @throws ConfinementException if the cage is gone
    void pause() throws ConfinementException;

    /// Lets a paused cage go on.
    ///
    /// @throws ConfinementException if the cage is gone
    void resume() throws ConfinementException;

    /// Kills every process of the cage. When it returns none is alive. The first reason given is the
    /// one that the cage's runs report.
    void kill(KillReason reason);

    /// How the cage stands now.
    Snapshot snapshot();

    /// What really holds, limit by limit, and what could not be enforced here.
    Enforcement enforcement();

    /// The cage's network door, when its specification asked for one.
    Optional<NetCell> netCell();

    /// The host's number of the cage's first process.
    long initPid();

    /// Kills what is left, then gives back descriptors, control groups and everything else. Idempotent.
    @Override
    void close();

    /// The same as [#close].
    default void destroy() {
        close();
    }
}
