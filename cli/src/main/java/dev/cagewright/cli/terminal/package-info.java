/// The person's side of a run: signals, colours, widths. Start at [Console]. Nothing here knows a policy.
@NullMarked
package dev.cagewright.cli.terminal;

import org.jspecify.annotations.NullMarked;
