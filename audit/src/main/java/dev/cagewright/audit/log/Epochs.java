package dev.cagewright.audit.log;

import dev.cagewright.audit.seal.Epoch;
import dev.cagewright.audit.seal.SealFile;
import dev.cagewright.audit.seal.SealState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How a writer of a sealed log comes to an epoch of its own, and leaves it. Everything here happens under the log's
/// lock. The order of steps is the proof: first the epoch's first seal is on the disk, then the key that made it is
/// gone, and only then the writer may append.
final class Epochs {
    private final Path log;
    private final LogLock lock;
    private final SealFile file;

    Epochs(Path log, LogLock lock, Channels channels) {
        this.log = log;
        this.lock = lock;
        this.file = new SealFile(log, channels::open);
    }

    /// Gives `ledger` an epoch if its log is sealed.
    ///
    /// @param opened how many epochs have begun, by what the log's end says
    /// @throws IOException if the seal state is missing, unreadable, behind or ahead of the log, or of another log
    void beginIfSealed(Ledger ledger, long opened) throws IOException {
        if (opened == 0 && !file.exists()) {
            return;
        }
        var state = file.load();
        try {
            if (!state.log().equals(ledger.id())) {
                throw new IOException("the seal state " + file.path() + " belongs to another log than " + log);
            }
            state = fitting(state, ledger, opened);
            begin(ledger, state);
        } finally {
            state.close();
        }
    }

    /// Seals a log for the first time.
    ///
    /// @throws IOException if it is sealed already
    void beginSealing(Ledger ledger, long opened, Sealer sealer) throws IOException {
        if (opened > 0 || (file.exists() && !isLeftOver())) {
            throw new IOException("audit log " + log + " is sealed already: a second key needs another log");
        }
        var key = sealer.key();
        sealer.keeper().keep(key);
        try (var state = SealState.after(key, ledger.id())) {
            file.create(state);
        }
        LogFile.forceFolder(log);
        var epoch = SealState.firstEpoch(key);
        lock.live(epoch.number());
        ledger.begin(epoch, List.of());
        ledger.adopt(epoch);
    }

    /// Notes that `epoch` had its last seal.
    void ended(Epoch epoch) throws IOException {
        try (var state = file.load();
                var next = state.ended(epoch)) {
            file.replace(next);
        }
    }

    /// A sealing that was killed between its state and its first seal.
    private boolean isLeftOver() throws IOException {
        try (var state = file.load()) {
            return isLeftOver(state);
        }
    }

    private static boolean isLeftOver(SealState state) {
        return state.next() == 1 && state.isUnfinished();
    }

    private SealState fitting(SealState state, Ledger ledger, long opened) throws IOException {
        long behind = opened - state.next();
        if (behind == 0 || behind == 1) {
            endIsThere(state, ledger);
        }
        if (behind == 0) {
            return state;
        }
        if (behind == 1 && ledger.isAlone(state.next())) {
            return finish(state);
        }
        state.close();
        if (opened == 0 && isLeftOver(state)) {
            throw new IOException(
                    "audit log " + log + " was not sealed to the end: run `cagewright audit keygen --seal`"
                            + " again, the key it printed is void");
        }
        throw new IOException(
                behind < 0
                        ? "audit log " + log + " has seen " + opened + " epochs, but its seal state " + state.next()
                                + ": lines are missing"
                        : "the seal state " + file.path() + " has seen " + state.next() + " epochs, but the log "
                                + opened + ": it was set back");
    }

    private void endIsThere(SealState state, Ledger ledger) throws IOException {
        if (!state.isUnfinished() && !ledger.hasEnd(state.endedEpoch(), state.endedStep())) {
            throw new IOException("the end of audit log " + log + " is missing: its seal state has seen epoch "
                    + state.endedEpoch() + " end with step " + state.endedStep());
        }
    }

    /// A writer was killed behind its first seal: nothing was logged in its epoch, and nothing will be.
    private SealState finish(SealState state) throws IOException {
        try (state) {
            var next = state.begun(List.of());
            file.replace(next);
            return next;
        }
    }

    private void begin(Ledger ledger, SealState state) throws IOException {
        var over = gone(state);
        var epoch = state.epoch();
        try (var next = state.begun(over)) {
            lock.live(epoch.number());
            ledger.begin(epoch, over);
            file.replace(next);
        } catch (IOException | RuntimeException e) {
            epoch.close();
            throw e;
        }
        ledger.adopt(epoch);
    }

    private List<Long> gone(SealState state) throws IOException {
        var gone = new ArrayList<Long>();
        for (long epoch : state.open()) {
            if (!lock.isAlive(epoch)) {
                gone.add(epoch);
            }
        }
        return gone;
    }
}
