package dev.cagewright.supervisor.credentials;

import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.store.Stored;
import dev.cagewright.supervisor.vault.RawValue;
import java.io.IOException;
import java.time.Instant;

/// Having a value again that has expired.
final class Renewed {
    private Renewed() {}

    /// Asks the command that gives it.
    ///
    /// @throws StoreException if there is none, or it gives no value
    static void of(SecretStore store, Stored secret, Instant now) throws IOException {
        var refresh = secret.refresh()
                .orElseThrow(() -> new StoreException("the secret " + secret.name() + " has expired, or the clock was"
                        + " moved, so nothing uses it (cagewright secret rotate " + secret.name()
                        + " gives it another value)"));
        try (var value = RawValue.of(refresh)) {
            var expires = refresh.lasts().map(now::plus);
            store.put(
                    secret.name(),
                    value,
                    new SecretStore.Terms(secret.refresh(), expires, SecretStore.Earlier.REPLACED));
        }
    }
}
