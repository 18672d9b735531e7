package dev.cagewright.audit.seal;

import java.util.Arrays;

/// The key of one seal. Goes forward only. Not safe for several threads.
final class StepKey {
    private static final byte[] NEXT_STEP = EpochKey.ascii("cagewright audit seal: next step");

    private final Hmac hmac = new Hmac();
    private final byte[] key;
    private long step;

    /// The first step of an epoch.
    ///
    /// @param key is kept, and wiped in the end
    StepKey(byte[] key) {
        this.key = key;
    }

    long step() {
        return step;
    }

    /// The code of the bytes between `from` and `to`, behind the hash before them.
    ///
    /// @param prev 64 hexadecimal digits
    void mac(byte[] prev, byte[] bytes, int from, int to, byte[] code) {
        hmac.start(key);
        hmac.update(prev, 0, prev.length);
        hmac.update(bytes, from, to - from);
        hmac.finish(key, code);
    }

    /// Goes one step on; the key before is gone.
    void advance() {
        var next = hmac.of(key, NEXT_STEP);
        System.arraycopy(next, 0, key, 0, key.length);
        Arrays.fill(next, (byte) 0);
        step++;
    }

    StepKey copy() {
        var copy = new StepKey(key.clone());
        copy.step = step;
        return copy;
    }

    void wipe() {
        Arrays.fill(key, (byte) 0);
    }
}
