/// How changes get to the host: planned against what is protected, recorded before anything is touched, brought over
/// file by file so that each is the old or the new one at any moment, and taken up again after a crash. Start at
/// [Application]. Writes only below the directory that was copied, never through a link, and removes nothing that it
/// has not compared first.
@NullMarked
package dev.cagewright.supervisor.changes.apply;

import org.jspecify.annotations.NullMarked;
