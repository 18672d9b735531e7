/// Tests of what a run leaves to be looked at.
@NullMarked
package dev.cagewright.supervisor.leftover;

import org.jspecify.annotations.NullMarked;
