/// `audit` and `panic`: keys, checkpoints, verification, events. Start at [AuditCommands]. Nothing here
/// computes a hash.
@NullMarked
package dev.cagewright.cli.audit;

import org.jspecify.annotations.NullMarked;
