/// Changes as a person reads them: lines that go and lines that come, in the unified form that `git apply` and
/// `patch` take. Start at [LineDiff] and [Patch]. Bounded in time and memory whatever a workload wrote; no other
/// program is run.
@NullMarked
package dev.cagewright.supervisor.changes.diff;

import org.jspecify.annotations.NullMarked;
