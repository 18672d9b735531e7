/// Git's configuration files, read as git reads them, and changed without git. Start at [ConfigMerge], which brings
/// what a workload changed in its own copy of a file into the host's, and [HarmlessSettings], which says what may
/// come along: settings that are known, with values of a known shape, none of which makes git start or obey anything.
/// Works on text alone; opens no file and runs nothing.
@NullMarked
package dev.cagewright.sandbox.gitconfig;

import org.jspecify.annotations.NullMarked;
