/// Carries bodies to the inspectors and back: start at [HeldBody].
@NullMarked
package dev.cagewright.egress.scrutiny;

import org.jspecify.annotations.NullMarked;
