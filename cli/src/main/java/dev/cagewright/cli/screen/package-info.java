/// What a program draws on the person's terminal, watched on its way: which modes it has switched on, whether it is
/// between two sequences, whether it has a title of its own. Start at [ScreenStream]. Nothing of what the program
/// writes
/// is changed or left out.
@NullMarked
package dev.cagewright.cli.screen;

import org.jspecify.annotations.NullMarked;
