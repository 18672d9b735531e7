/// Signed statements about how far a log had come, to be kept where the log's writer cannot reach. Start at
/// [Checkpoint].
/// Says nothing about whether a log is what it should be.
@NullMarked
package dev.cagewright.audit.checkpoint;

import org.jspecify.annotations.NullMarked;
