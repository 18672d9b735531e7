package dev.cagewright.egress.login;

import java.util.Arrays;

/// What has come of an answer, decoded, up to a little more than [TokenAnswer#MOST]. For one thread at a time.
final class Held {
    private byte[] bytes = new byte[1024];
    private int length;

    void add(byte[] more, int from, int to) {
        int wanted = length + to - from;
        if (wanted > bytes.length) {
            var larger = Arrays.copyOf(bytes, Math.max(wanted, 2 * bytes.length));
            Arrays.fill(bytes, (byte) 0);
            bytes = larger;
        }
        System.arraycopy(more, from, bytes, length, to - from);
        length = wanted;
    }

    boolean isOver() {
        return length > TokenAnswer.MOST;
    }

    /// All of it; nothing is held any more.
    byte[] take() {
        var all = Arrays.copyOf(bytes, length);
        wipe();
        return all;
    }

    void wipe() {
        Arrays.fill(bytes, (byte) 0);
        length = 0;
    }
}
