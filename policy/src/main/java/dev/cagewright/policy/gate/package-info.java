/// The one way from wish to act. Start at [Gate], the only maker of a [Warrant]; whatever acts takes
/// one. [Journal] and [Approvals] are its ports. Nothing here acts or does I/O of its own.
@NullMarked
package dev.cagewright.policy.gate;

import org.jspecify.annotations.NullMarked;
