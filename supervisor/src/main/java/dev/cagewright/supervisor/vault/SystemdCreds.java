package dev.cagewright.supervisor.vault;

import dev.cagewright.sandbox.host.HostProgram;
import dev.cagewright.secrets.store.StoreKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// systemd-creds(1): seals with a key of the machine, or with its TPM. Without `--user` (systemd 256) it works for root
/// alone.
final class SystemdCreds {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String NAME = "--name=cagewright-store";

    private SystemdCreds() {}

    /// What it makes of the key; empty where it does not work.
    static Optional<byte[]> seal(byte[] key) {
        return encrypted("", key).or(() -> encrypted("--user", key));
    }

    private static Optional<byte[]> encrypted(String whose, byte[] key) {
        try (var answer = ask(whose, "encrypt", key)) {
            return answer.isGood() && answer.out().length > 0
                    ? Optional.of(answer.out().clone())
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty(); // it is not there, or not for this user
        }
    }

    /// Has it open the key.
    ///
    /// @throws IOException if it does not give the key back
    static StoreKey open(byte[] sealed) throws IOException {
        for (String whose : List.of("", "--user")) {
            try (var answer = ask(whose, "decrypt", sealed)) {
                if (answer.isGood() && answer.out().length == StoreKey.SIZE) {
                    return StoreKey.copyOf(answer.out());
                }
            }
        }
        throw new IOException("systemd-creds does not open it: it was sealed on another machine, for another user, or"
                + " this machine's key has changed");
    }

    private static HostProgram.Answer ask(String whose, String verb, byte[] in) throws IOException {
        var argv = new ArrayList<String>(List.of("systemd-creds"));
        if (!whose.isEmpty()) {
            argv.add(whose);
        }
        argv.addAll(Arrays.asList(verb, NAME, "-", "-"));
        return new HostProgram(argv, PATIENCE, KeyRecord.MOST, HostProgram.Complaints.DROPPED).ask(in);
    }
}
