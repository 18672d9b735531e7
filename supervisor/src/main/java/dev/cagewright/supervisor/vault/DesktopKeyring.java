package dev.cagewright.supervisor.vault;

import dev.cagewright.sandbox.host.HostProgram;
import dev.cagewright.secrets.store.StoreKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// The desktop's keyring by secret-tool(1). It keeps text, so the key is there in base 64.
final class DesktopKeyring {
    /// The keyring may ask the person to unlock it.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private DesktopKeyring() {}

    /// Does the keyring keep it?
    static boolean store(String id, byte[] key) {
        var text = Base64.getEncoder().encode(key);
        try (var answer = ask(id, text, "store", "--label=Cagewright, key of the stored secrets")) {
            return answer.isGood();
        } catch (IOException _) {
            return false;
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    /// Has it give the key.
    ///
    /// @throws IOException if it does not give the key back
    static StoreKey lookup(String id) throws IOException {
        try (var answer = ask(id, new byte[0], "lookup")) {
            if (!answer.isGood() || answer.out().length == 0) {
                throw new IOException(
                        "the desktop's keyring does not give it: it is locked, not running, or the entry is gone");
            }
            var key = Base64.getDecoder().decode(trimmed(answer.out()));
            try {
                return StoreKey.copyOf(key);
            } finally {
                Arrays.fill(key, (byte) 0);
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the desktop's keyring gives something else than the key", e);
        }
    }

    private static byte[] trimmed(byte[] text) {
        int end = text.length;
        while (end > 0 && text[end - 1] <= ' ') {
            end--;
        }
        return Arrays.copyOf(text, end);
    }

    private static HostProgram.Answer ask(String id, byte[] in, String... words) throws IOException {
        var argv = new ArrayList<String>(List.of("secret-tool"));
        argv.addAll(List.of(words));
        argv.addAll(List.of("application", "cagewright", "key", id));
        return new HostProgram(argv, PATIENCE, KeyRecord.MOST, HostProgram.Complaints.DROPPED).ask(in);
    }
}
