/// Secrets at rest: one file a scope, sealed under one key of the person's. Start at
/// [dev.cagewright.secrets.store.SecretStore] and [dev.cagewright.secrets.store.StoreKey]. Nothing here knows where the
/// key comes from, asks anybody, or starts a program; nothing that is written tells a value, a name or a binding.
@NullMarked
package dev.cagewright.secrets.store;

import org.jspecify.annotations.NullMarked;
