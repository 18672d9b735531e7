@NullMarked
package dev.cagewright.supervisor.standstill;

import org.jspecify.annotations.NullMarked;
