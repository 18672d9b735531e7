/// What every runtime must hold, as one suite against the port. Start at [RuntimeConformance]; a runtime
/// has one subclass of it.
@NullMarked
package dev.cagewright.sandbox.conformance;

import org.jspecify.annotations.NullMarked;
