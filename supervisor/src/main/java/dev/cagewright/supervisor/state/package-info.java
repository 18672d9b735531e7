/// Where things are kept: the folders of a person's state and the names of sessions. Start at
/// [StateFolders]. Nothing here knows what the files mean.
@NullMarked
package dev.cagewright.supervisor.state;

import org.jspecify.annotations.NullMarked;
