/// What the next start makes of sessions whose supervisor was killed. Start at [InterruptedRuns]. Nothing here guesses
/// what such a session did; it says that nobody knows.
@NullMarked
package dev.cagewright.supervisor.recovery;

import org.jspecify.annotations.NullMarked;
