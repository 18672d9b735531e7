/// Tests of changes on real trees, overlays and kernels.
@NullMarked
package dev.cagewright.supervisor.changes;

import org.jspecify.annotations.NullMarked;
