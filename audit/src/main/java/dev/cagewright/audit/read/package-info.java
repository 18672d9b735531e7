/// Looks things up in a log and shows them. Start at [EventReader] and [EventQuery]; [EventView] makes text that is
/// safe on a terminal. Does not verify and only reads.
@NullMarked
package dev.cagewright.audit.read;

import org.jspecify.annotations.NullMarked;
