/// Takes out of a repository that a workload made what git on the host would start there. Start at
/// [NewRepository]. Works from descriptors, follows no link, runs nothing, and removes nothing: what is taken out of
/// the way keeps its content under another name, except for settings, which are told.
@NullMarked
package dev.cagewright.sandbox.disarm;

import org.jspecify.annotations.NullMarked;
