/// What a session changed in its copies: `changes` shows it, `apply` brings it to the host, `discard` throws it
/// away. Start at [ChangesCommand]. Words and figures only; the supervisor does the work.
@NullMarked
package dev.cagewright.cli.changes;

import org.jspecify.annotations.NullMarked;
