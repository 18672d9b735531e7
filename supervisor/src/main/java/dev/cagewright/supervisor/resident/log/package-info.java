/// Files that are written for long and stay small. Start at [RollingLog]. Knows nothing of what is written.
@NullMarked
package dev.cagewright.supervisor.resident.log;

import org.jspecify.annotations.NullMarked;
