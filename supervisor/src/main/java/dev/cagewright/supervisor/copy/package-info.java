/// Copies of host directories that one session works on instead of the directories themselves, so that nothing
/// reaches the host before somebody has looked at it. Start at [SessionCopy]. Nothing here writes to the host's
/// directory.
@NullMarked
package dev.cagewright.supervisor.copy;

import org.jspecify.annotations.NullMarked;
