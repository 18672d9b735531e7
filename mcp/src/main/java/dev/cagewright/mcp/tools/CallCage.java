package dev.cagewright.mcp.tools;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.session.StandingCage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The one cage that calls share, one after the other or at once, so that each sees what those before it left in the
/// workspace, in its copy and in memory. One that died of a limit is built anew for the next call. When no call is
/// under
/// way no program lives in it. Safe for all threads.
final class CallCage {
    private final ToolGround ground;
    private Optional<StandingCage> standing = Optional.empty();
    private final List<String> afterwards = new ArrayList<>();
    private int underWay;
    private boolean isOver;

    CallCage(ToolGround ground) {
        this.ground = ground;
    }

    /// A call's part of it.
    final class Part implements AutoCloseable {
        private final StandingCage cage;

        private Part(StandingCage cage) {
            this.cage = cage;
        }

        StandingCage cage() {
            return cage;
        }

        @Override
        public void close() {
            giveBack();
        }
    }

    /// Waits while one that died still has calls in it.
    synchronized Part take() throws ConfinementException, InterruptedException {
        while (isDead() && underWay > 0) {
            wait();
        }
        if (isOver) {
            throw new ConfinementException("cage", "call", "the server ends", "start it again");
        }
        if (isDead()) {
            standing.ifPresent(dead -> afterwards.addAll(dead.end()));
            standing = Optional.empty();
        }
        if (standing.isEmpty()) {
            standing = Optional.of(built());
        }
        underWay++;
        return new Part(standing.get());
    }

    private boolean isDead() {
        return standing.filter(cage -> !cage.isAlive()).isPresent();
    }

    private StandingCage built() throws ConfinementException {
        var cage = ground.session().stand(ground.request(List.of(), Streams.Pipes.discarding()), ground.runtime());
        ground.witness().stands(cage.spec(), cage.enforcement());
        return cage;
    }

    private synchronized void giveBack() {
        underWay--;
        if (underWay == 0) {
            standing.filter(StandingCage::isAlive).ifPresent(CallCage::clear);
        }
        notifyAll();
    }

    /// A program may have hidden one from whoever looked after it.
    private static void clear(StandingCage cage) {
        try {
            if (cage.processes() > 0) {
                cage.clear();
            }
        } catch (ConfinementException _) {
            return; // it is gone, and they with it
        }
    }

    /// What holds in it; empty before the first call.
    synchronized Optional<StandingCage> standing() {
        return standing;
    }

    /// Takes it down, and whatever lives in it. When this returns, nothing does, and no other comes up.
    ///
    /// @return what a person should hear of what was left, each one sentence
    List<String> end() {
        Optional<StandingCage> last;
        synchronized (this) {
            isOver = true;
            last = standing;
            standing = Optional.empty();
        }
        var heard = last.map(StandingCage::end).orElse(List.of());
        synchronized (this) {
            afterwards.addAll(heard);
            notifyAll();
            return List.copyOf(afterwards);
        }
    }
}
