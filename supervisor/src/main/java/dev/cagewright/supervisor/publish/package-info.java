/// Ports of a cage on the host's loopback, by rule and on record. Start at [Publications].
@NullMarked
package dev.cagewright.supervisor.publish;

import org.jspecify.annotations.NullMarked;
