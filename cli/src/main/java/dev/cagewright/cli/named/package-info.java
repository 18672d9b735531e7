/// The files of named cages at the person's door: `init` and what is done to one that is there.
@NullMarked
package dev.cagewright.cli.named;

import org.jspecify.annotations.NullMarked;
