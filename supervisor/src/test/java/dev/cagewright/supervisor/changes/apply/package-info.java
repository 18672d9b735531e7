/// Tests of bringing changes over, stopped at each step and taken up again.
@NullMarked
package dev.cagewright.supervisor.changes.apply;

import org.jspecify.annotations.NullMarked;
