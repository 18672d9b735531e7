/// Tests of what the next start tells of killed sessions.
@NullMarked
package dev.cagewright.supervisor.recovery;

import org.jspecify.annotations.NullMarked;
