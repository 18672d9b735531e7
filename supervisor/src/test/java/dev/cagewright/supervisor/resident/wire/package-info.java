/// Tests of the package of the same name.
@NullMarked
package dev.cagewright.supervisor.resident.wire;

import org.jspecify.annotations.NullMarked;
