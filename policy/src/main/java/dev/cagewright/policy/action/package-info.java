/// The things a workload can want, each canonical from construction. Start at [Action] and
/// [ByteString]. Nothing here decides, reads a file or knows a rule.
@NullMarked
package dev.cagewright.policy.action;

import org.jspecify.annotations.NullMarked;
