/// What a session's copy differs in from the host's directory, and how that gets to the host or is thrown away.
/// Start at [ChangeSet]. Everything is looked up from open directories, no link is followed, nothing that a cage
/// wrote is executed, and what cannot be read, compared or brought over is named.
@NullMarked
package dev.cagewright.supervisor.changes;

import org.jspecify.annotations.NullMarked;
