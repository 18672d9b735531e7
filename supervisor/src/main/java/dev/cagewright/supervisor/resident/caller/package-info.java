/// Whoever waits for a program of a named cage, and what they hear before it starts. Start at [Callers].
@NullMarked
package dev.cagewright.supervisor.resident.caller;

import org.jspecify.annotations.NullMarked;
