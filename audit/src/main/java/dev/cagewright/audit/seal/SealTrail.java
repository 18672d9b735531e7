package dev.cagewright.audit.seal;

import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.event.LogLine;
import java.util.HashMap;
import java.util.Map;

/// What a writer learns from the lines that it walks: how many epochs have begun, and what happened to its own. It may
/// start anywhere in the log, so it cannot check what [SealWalker] checks. Used by one thread at a time.
public final class SealTrail {
    private static final long NONE = -1;

    private long opened;
    private long unsealed;
    private long mine = NONE;
    private long myStep = NONE;
    private boolean overtaken;
    private final Map<Long, Long> ends = new HashMap<>();

    /// Nothing was seen yet.
    public SealTrail() {}

    /// Takes the next line.
    ///
    /// @throws LineSyntaxException if it is a malformed seal
    public void take(LogLine line) throws LineSyntaxException {
        if (!Seal.is(line)) {
            added(line.length() + 1);
            return;
        }
        var seal = Seal.of(line);
        if (seal.opened() < opened) {
            throw new LineSyntaxException("it is a seal that knows fewer epochs than one before it");
        }
        if (seal.epoch() == mine) {
            myStep = seal.step();
        }
        if (mine == NONE && seal.part() == Seal.Part.END) {
            ends.put(seal.epoch(), seal.step());
        }
        overtaken |= seal.over().contains(mine);
        sealed(seal.opened());
    }

    /// From now on, `epoch` is the writer's own.
    public void follow(long epoch) {
        mine = epoch;
        myStep = NONE;
        overtaken = false;
        ends.clear();
    }

    /// Whether the end of `epoch` with `step` was walked before this writer had an epoch.
    public boolean hasEnd(long epoch, long step) {
        return ends.getOrDefault(epoch, NONE) == step;
    }

    /// Whether another writer took this one's epoch for over.
    public boolean isOvertaken() {
        return overtaken;
    }

    /// The newest step of this writer's epoch that was walked, or -1.
    public long walkedStep() {
        return myStep;
    }

    /// How many epochs have begun; 0 in a log that is not sealed.
    public long opened() {
        return opened;
    }

    /// How many bytes follow the last seal.
    public long unsealed() {
        return unsealed;
    }

    /// That many bytes without a seal were added.
    public void added(long bytes) {
        unsealed += bytes;
    }

    /// A seal was added.
    public void sealed(long newOpened) {
        opened = newOpened;
        unsealed = 0;
    }
}
