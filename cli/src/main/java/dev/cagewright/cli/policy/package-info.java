/// `policy`: validate, explain, compare, start one. Start at [PolicyCommands]. Nothing here judges: the
/// engine that explains is the one that enforces.
@NullMarked
package dev.cagewright.cli.policy;

import org.jspecify.annotations.NullMarked;
