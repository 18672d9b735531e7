/// What the host would execute or obey of what a workload leaves behind: hooks, build files, CI, start-up files,
/// programs. Start at [HostPivot]. Judges names, permissions and first bytes; runs nothing, decides nothing.
@NullMarked
package dev.cagewright.sandbox.pivots;

import org.jspecify.annotations.NullMarked;
