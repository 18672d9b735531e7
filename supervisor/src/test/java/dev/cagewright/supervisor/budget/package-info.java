/// Tests of counts that several threads, runs and killed processes draw on.
@NullMarked
package dev.cagewright.supervisor.budget;

import org.jspecify.annotations.NullMarked;
