package dev.cagewright.audit.seal;

import dev.cagewright.audit.key.SealKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/// The key of an epoch that has not begun. Wiped by whoever holds it. Not safe for several threads.
final class EpochKey implements AutoCloseable {
    private static final byte[] NEXT_EPOCH = ascii("cagewright audit seal: next epoch");
    private static final byte[] FIRST_STEP = ascii("cagewright audit seal: first step");

    private final long epoch;
    private final byte[] key;

    /// @param key is kept, and wiped in the end
    EpochKey(long epoch, byte[] key) {
        this.epoch = epoch;
        this.key = key;
    }

    /// The key of epoch 0.
    static EpochKey first(SealKey key) {
        return new EpochKey(0, key.bytes());
    }

    long epoch() {
        return epoch;
    }

    EpochKey next() {
        return new EpochKey(epoch + 1, new Hmac().of(key, NEXT_EPOCH));
    }

    StepKey firstStep() {
        return new StepKey(new Hmac().of(key, FIRST_STEP));
    }

    EpochKey copy() {
        return new EpochKey(epoch, key.clone());
    }

    /// Whether both are the same epoch's same key; takes the same time for all keys.
    boolean isSame(EpochKey other) {
        return epoch == other.epoch && MessageDigest.isEqual(key, other.key);
    }

    /// Puts the key's digits into `place`.
    void write(byte[] place, int at) {
        for (int i = 0; i < key.length; i++) {
            place[at + 2 * i] = digit(key[i] >> 4);
            place[at + 2 * i + 1] = digit(key[i]);
        }
    }

    @Override
    public void close() {
        Arrays.fill(key, (byte) 0);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte digit(int value) {
        return (byte) Character.forDigit(value & 0xf, 16);
    }
}
