/// Brings two changes of one file together: the host's and the workload's, against what both began with. Start at
/// [Reconciliation]. Reads; writes nothing.
@NullMarked
package dev.cagewright.supervisor.changes.merge;

import org.jspecify.annotations.NullMarked;
