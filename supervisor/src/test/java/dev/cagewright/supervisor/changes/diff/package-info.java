/// Tests of diffs and patches; git is the judge.
@NullMarked
package dev.cagewright.supervisor.changes.diff;

import org.jspecify.annotations.NullMarked;
