/// Real programs in the cage, run by the script that writes docs/programs.md.
@NullMarked
package dev.cagewright.programs;

import org.jspecify.annotations.NullMarked;
