package dev.cagewright.egress.inspect;

import dev.cagewright.policy.document.InspectSection.Entropy;
import dev.cagewright.policy.document.InspectSection.Reaction;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Bodies that look like noise, as what is encrypted or compressed does: by Shannon's entropy of the frequencies of
/// their bytes. Measured over stretches of [#STRETCH] bytes and whenever [#STEP] more have come, so that a quiet
/// beginning hides nothing. What is recognised is stopped; what came before it is not held for it.
final class Noise implements Inspector {
    static final int STRETCH = 64 * 1024;
    static final int STEP = 4096;

    private final double above;
    private final int from;
    private final Reaction then;

    Noise(Entropy entropy) {
        this.above = entropy.above().doubleValue();
        this.from = entropy.from().value();
        this.then = entropy.then();
    }

    @Override
    public String name() {
        return "entropy";
    }

    @Override
    public Look begin(Message message) {
        return message.direction() == Message.Direction.REQUEST ? new Measuring() : new Look() {};
    }

    private final class Measuring implements Look {
        private final int[] counts = new int[256];
        private long total;
        private int inStretch;

        @Override
        public Verdict next(ByteBuffer piece) {
            while (piece.hasRemaining()) {
                counts[piece.get() & 0xff]++;
                total++;
                inStretch++;
                if (inStretch % STEP == 0 && isNoise()) {
                    return verdict();
                }
                if (inStretch >= Math.max(STRETCH, from)) {
                    Arrays.fill(counts, 0);
                    inStretch = 0;
                }
            }
            return Verdict.ALLOW;
        }

        @Override
        public Verdict end() {
            return isNoise() ? verdict() : Verdict.ALLOW;
        }

        private boolean isNoise() {
            return inStretch >= from && bits() > above;
        }

        private double bits() {
            double sum = 0;
            for (int count : counts) {
                if (count > 0) {
                    sum += count * Math.log(count);
                }
            }
            return (Math.log(inStretch) - sum / inStretch) / Math.log(2);
        }

        private Verdict verdict() {
            return Reactions.severity(then)
                    .map(severity -> severity == Sighting.Severity.BLOCK
                            ? Verdict.block("entropy", total)
                            : Verdict.flag("entropy", total))
                    .orElse(Verdict.ALLOW);
        }
    }
}
