/// The person's stores of secrets, and what protects the key that they are sealed under: `systemd-creds`, the desktop's
/// keyring, a passphrase, or the file's mode alone. Start at [dev.cagewright.supervisor.vault.Vault]. There is one key,
/// its
/// protection never changes by itself, and nothing here falls back to a weaker one once a key is there.
@NullMarked
package dev.cagewright.supervisor.vault;

import org.jspecify.annotations.NullMarked;
