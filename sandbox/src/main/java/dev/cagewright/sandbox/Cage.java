package dev.cagewright.sandbox;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import java.util.List;
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

    /// Does what `warrant` allows to one file of the cage, in the cage: by its view, its user and its kernel rules.
    /// Blocks for as long as that takes, a minute at most.
    ///
    /// @param warrant for `fs.read` or `fs.write`, spent by this call
    /// @param act of that kind
    /// @throws ConfinementException if the cage is gone, cannot do it or did not in time
    /// @throws IllegalStateException if the warrant is spent or for another kind of action
    default FileActed act(Warrant warrant, FileAct act) throws ConfinementException, InterruptedException {
        throw new ConfinementException(
                "act", act.path().value(), "there is no cage here that confines it", "use a cage of namespaces");
    }

    /// Stops every process of the cage until [#resume]; from when it returns on none of them runs. Wall time goes on.
    ///
    /// @throws ConfinementException if the cage is gone, or a process does not stop
    void pause() throws ConfinementException;

    /// Lets a paused cage go on.
    ///
    /// @throws ConfinementException if the cage is gone
    void resume() throws ConfinementException;

    /// Kills every program in the cage, which stands on. Does not wait for their ends.
    ///
    /// @throws ConfinementException if the cage is gone
    default void clear() throws ConfinementException {
        throw new ConfinementException("clear", id(), "there is no cage here", "use a cage of namespaces");
    }

    /// Kills every process of the cage. When it returns none is alive. The first reason given is the
    /// one that the cage's runs report.
    void kill(KillReason reason);

    /// How the cage stands now.
    Snapshot snapshot();

    /// Looks after a cage where the host has put other objects in the place of masked ones.
    interface Guard {
        /// Is told that masks were taken away by the host and lie in their places again. Nothing of the cage runs
        /// meanwhile.
        ///
        /// @param places in the cage, the first few of them
        /// @return whether the cage may go on; if not, it is killed for [KillReason#UNCOVERED]
        boolean mayGoOn(List<ByteString> places);

        /// Is told why the cage is killed now: what lies open could not be covered, or the cage may have a way past.
        default void giveUp(String why) {}
    }

    /// From now on `guard` is asked. A cage without one goes on.
    default void guard(Guard guard) {}

    /// Does it stand? One that was killed, or whose first process died, never does again.
    default boolean isAlive() {
        return snapshot().state() != Snapshot.State.ENDED;
    }

    /// What really holds, limit by limit, and what could not be enforced here.
    Enforcement enforcement();

    /// The cage's network door, when its specification asked for one.
    Optional<NetCell> netCell();

    /// Has it a network of its own, which is not the host's?
    default boolean hasOwnNetwork() {
        return false;
    }

    /// A stream socket that is connected to `port` of the cage's own loopback, IPv4 first and then IPv6;
    /// non-blocking. It was made inside of the cage's network and connected out here, so that nothing of the cage
    /// chooses where it leads. The caller closes it: it keeps the cage's network alive. Blocks for at most a few
    /// seconds.
    ///
    /// @throws ConfinementException if nothing listens there, the cage is gone, or it has no network of its own
    default Descriptor connect(int port) throws ConfinementException {
        throw new ConfinementException(
                "publish",
                "port " + port,
                "the program has no network of its own: its ports are the host's already",
                "leave --publish out, or run it in a cage");
    }

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
