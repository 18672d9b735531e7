package dev.cagewright.egress.inspect.credential;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs of digits of an encoding, decoded from every digit that a group may begin at. A run that is too short to hold a
/// credential is passed over.
final class RunReading implements Reading {
    private final Digits digits;
    private final int bitsPerDigit;
    private final Supplier<Reading> below;
    private final Phase[] phases;
    private final int[] waiting;
    private final long[] waitingAt;
    private int length;
    private boolean isDecoding;

    /// One way to cut a run into groups.
    private static final class Phase {
        private final int skips;
        private int skipped;
        private @Nullable Reading below;
        private int bits;
        private int bitCount;

        Phase(int skips) {
            this.skips = skips;
        }
    }

    /// @param phases how many digits a group has
    /// @param least the digits of the shortest run that is decoded
    private RunReading(Digits digits, int phases, int least, Supplier<Reading> below) {
        this.digits = digits;
        this.bitsPerDigit = digits == Digits.HEX ? 4 : 6;
        this.below = below;
        this.phases = new Phase[phases];
        for (int i = 0; i < phases; i++) {
            this.phases[i] = new Phase(i);
        }
        this.waiting = new int[least];
        this.waitingAt = new long[least];
    }

    /// What is written in base64, also over several lines.
    static Reading base64(Supplier<Reading> below) {
        return new RunReading(Digits.BASE64, 4, 16, below);
    }

    /// What is written in hexadecimal digits.
    static Reading hex(Supplier<Reading> below) {
        return new RunReading(Digits.HEX, 2, 32, below);
    }

    @Override
    public void accept(int character, long at) {
        int value = digits.value(character);
        if (value < 0) {
            if (isInRun() && !digits.passesOver(character)) {
                end();
            }
            return;
        }
        if (isDecoding) {
            decode(value, at);
        } else {
            waiting[length] = value;
            waitingAt[length] = at;
            length++;
            if (length == waiting.length) {
                startDecoding();
            }
        }
    }

    private boolean isInRun() {
        return isDecoding || length > 0;
    }

    private void startDecoding() {
        if (!isDecoding && length > 0) {
            isDecoding = true;
            for (int i = 0; i < length; i++) {
                decode(waiting[i], waitingAt[i]);
            }
            length = 0;
        }
    }

    private void decode(int value, long at) {
        for (var phase : phases) {
            if (phase.skipped < phase.skips) {
                phase.skipped++;
                continue;
            }
            phase.bits = (phase.bits << bitsPerDigit) | value;
            phase.bitCount += bitsPerDigit;
            if (phase.bitCount >= 8) {
                phase.bitCount -= 8;
                var reading = phase.below;
                if (reading == null) {
                    reading = below.get();
                    phase.below = reading;
                }
                reading.accept((phase.bits >> phase.bitCount) & 0xff, at);
                phase.bits &= (1 << phase.bitCount) - 1;
            }
        }
    }

    @Override
    public void pause() {
        startDecoding();
        for (var phase : phases) {
            if (phase.below != null) {
                phase.below.pause();
            }
        }
    }

    @Override
    public void end() {
        if (isDecoding) {
            for (var phase : phases) {
                phase.skipped = 0;
                phase.bits = 0;
                phase.bitCount = 0;
                if (phase.below != null) {
                    phase.below.end();
                }
            }
        }
        isDecoding = false;
        length = 0;
    }

    @Override
    public long heldFrom() {
        long least = Long.MAX_VALUE;
        for (var phase : phases) {
            if (isDecoding && phase.below != null) {
                least = Math.min(least, phase.below.heldFrom());
            }
        }
        return least;
    }

    @Override
    public long steps() {
        long steps = 0;
        for (var phase : phases) {
            steps += phase.below == null ? 0 : phase.below.steps();
        }
        return steps;
    }
}
