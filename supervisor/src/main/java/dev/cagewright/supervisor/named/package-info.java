/// Cages that have a name and last: what a person wrote down about one, in files of their configuration folder. A
/// [NamedCage] says what; [NamedCages] finds, makes and removes them. Start at [NamedCages]. Nothing here runs
/// anything.
@NullMarked
package dev.cagewright.supervisor.named;

import org.jspecify.annotations.NullMarked;
