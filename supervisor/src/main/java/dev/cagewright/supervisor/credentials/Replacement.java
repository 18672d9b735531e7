package dev.cagewright.supervisor.credentials;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.secrets.value.HeldSecret;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/// The value of a secret in the words of a person's command line and environment.
final class Replacement {
    private Replacement() {}

    /// `text` with the decoy wherever the value stands in it.
    ///
    /// @param least a shorter value counts only behind the `=`, and up to the end
    static ByteString in(ByteString text, HeldSecret secret, int least) {
        var bytes = text.toByteArray();
        return secret.value().lend(value -> {
            if (value.length < least) {
                int start = text.latin1().indexOf('=') + 1;
                return isFrom(bytes, start, value) && start + value.length == bytes.length
                        ? joined(bytes, start, secret.decoy())
                        : text;
            }
            var out = new ByteArrayOutputStream(bytes.length);
            int at = 0;
            while (at < bytes.length) {
                if (isFrom(bytes, at, value)) {
                    out.writeBytes(secret.decoy());
                    at += value.length;
                } else {
                    out.write(bytes[at++]);
                }
            }
            return ByteString.copyOf(out.toByteArray());
        });
    }

    private static ByteString joined(byte[] bytes, int end, byte[] decoy) {
        var all = Arrays.copyOf(bytes, end + decoy.length);
        System.arraycopy(decoy, 0, all, end, decoy.length);
        return ByteString.copyOf(all);
    }

    /// Does the value stand in `word`, or, if it is shorter than `least`, is it the word?
    static boolean has(ByteString word, HeldSecret secret, int least) {
        var bytes = word.toByteArray();
        return secret.value().lend(value -> {
            int last = value.length < least ? Math.min(0, bytes.length - value.length) : bytes.length - value.length;
            for (int at = 0; at <= last; at++) {
                if (isFrom(bytes, at, value) && (value.length >= least || bytes.length == value.length)) {
                    return true;
                }
            }
            return false;
        });
    }

    private static boolean isFrom(byte[] bytes, int at, byte[] value) {
        return bytes.length - at >= value.length && Arrays.equals(bytes, at, at + value.length, value, 0, value.length);
    }
}
