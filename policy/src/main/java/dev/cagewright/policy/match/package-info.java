/// Patterns of hosts and paths, and tables that find the entry for a request in time that hardly depends on how many
/// entries there are. Start at [NetTable] and [PathPattern]. Tables are built once, never change, use no
/// backtracking, and do not allocate when they are asked. Nothing here decides.
@NullMarked
package dev.cagewright.policy.match;

import org.jspecify.annotations.NullMarked;
