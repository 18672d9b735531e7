/// What a run left in the host's own files that the host would execute: told at its end in a few lines, kept in the
/// session's folder in full. Start at [Leftover]. Reads and compares; runs nothing.
@NullMarked
package dev.cagewright.supervisor.leftover;

import org.jspecify.annotations.NullMarked;
