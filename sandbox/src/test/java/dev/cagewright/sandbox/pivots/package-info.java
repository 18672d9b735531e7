/// Tests of what the host would execute.
@NullMarked
package dev.cagewright.sandbox.pivots;

import org.jspecify.annotations.NullMarked;
