@NullMarked
package dev.cagewright.supervisor.evidence;

import org.jspecify.annotations.NullMarked;
