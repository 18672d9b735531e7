@NullMarked
package dev.cagewright.supervisor.hatch;

import org.jspecify.annotations.NullMarked;
