/// A run whose processes were made to stand still because a decoy was used where it may not be, and the word of the
/// person that lets it go on or ends it. Start at [dev.cagewright.supervisor.standstill.Standstill]; another process
/// gives an [dev.cagewright.supervisor.standstill.Order]. Nothing in a cage reaches either.
@NullMarked
package dev.cagewright.supervisor.standstill;

import org.jspecify.annotations.NullMarked;
