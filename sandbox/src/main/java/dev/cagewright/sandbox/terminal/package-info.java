/// The person's own terminal while a workload has one of its own: size, raw mode, and the way back.
/// Start at [Terminal]. Nothing here touches the workload's terminal.
@NullMarked
package dev.cagewright.sandbox.terminal;

import org.jspecify.annotations.NullMarked;
