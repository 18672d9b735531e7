/// What is kept of the exchanges of a cage for later reading. Start at [Transcript], which follows one exchange and
/// says
/// what of it is kept, and [Capture], which takes the [Piece]s. Values of credentials never leave here ([Unspoken]);
/// nothing here waits.
@NullMarked
package dev.cagewright.egress.capture;

import org.jspecify.annotations.NullMarked;
