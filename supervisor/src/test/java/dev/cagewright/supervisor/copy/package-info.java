/// Tests of session copies against real folders.
@NullMarked
package dev.cagewright.supervisor.copy;

import org.jspecify.annotations.NullMarked;
