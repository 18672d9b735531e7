package dev.cagewright.audit.log;

import dev.cagewright.audit.key.SealKey;

/// Who seals a log for the first time.
///
/// @param key the seal key, closed by the caller
/// @param keeper takes the key away before it is used
record Sealer(SealKey key, AuditLog.Keeper keeper) {}
