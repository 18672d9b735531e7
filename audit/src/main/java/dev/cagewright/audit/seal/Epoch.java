package dev.cagewright.audit.seal;

import dev.cagewright.audit.event.LineComposer;
import dev.cagewright.audit.event.LineFormat;
import java.util.List;

/// The seals of one opening of a log: its number, and the key of its next step, in memory alone. Used by one thread at
/// a time, under the log's lock.
public final class Epoch implements AutoCloseable {
    private final long number;
    private StepKey step;
    private StepKey kept;
    private Seal.Part last = Seal.Part.BEGIN;

    Epoch(EpochKey key) {
        this.number = key.epoch();
        this.step = key.firstStep();
        this.kept = step.copy();
    }

    /// From 0.
    public long number() {
        return number;
    }

    /// Whether its last seal was made.
    public boolean hasEnded() {
        return last == Seal.Part.END;
    }

    /// The step of the seal that was made last.
    long lastStep() {
        return step.step() - 1;
    }

    /// Adds a seal to `lines`; the key goes one step on.
    ///
    /// @param opened how many epochs have begun, this one included
    /// @param over only where the epoch begins
    public void add(LineComposer lines, long seq, Seal.Part part, long opened, List<Long> over) {
        var body = LineFormat.body(new Seal(part, number, step.step(), opened, over).event());
        lines.addSealed(seq, body, new Covering(step));
        step.advance();
        last = part;
    }

    /// What was added since the last call is on the disk: the keys of it go.
    public void settle() {
        kept.wipe();
        kept = step.copy();
    }

    /// What was added since [#settle] never was on the disk: it will be added again.
    public void takeBack() {
        step.wipe();
        step = kept.copy();
        last = Seal.Part.BATCH;
    }

    /// A seal of this epoch was found in the log: its step is used up, whether or not this object knew.
    public void found(long usedStep) {
        if (step.step() > usedStep) {
            return;
        }
        while (step.step() <= usedStep) {
            step.advance();
        }
        settle();
    }

    @Override
    public void close() {
        step.wipe();
        kept.wipe();
    }

    private record Covering(StepKey key) implements LineComposer.Cover {
        @Override
        public int tail() {
            return Seal.MAC_MEMBER;
        }

        @Override
        public int digits() {
            return Seal.MAC_END;
        }

        @Override
        public byte[] code(byte[] prev, byte[] bytes, int from, int to) {
            var code = new byte[Hmac.LENGTH];
            key.mac(prev, bytes, from, to, code);
            return code;
        }
    }
}
