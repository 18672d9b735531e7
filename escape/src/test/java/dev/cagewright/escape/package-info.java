/// Does the cage hold? Probes against the packaged product, started as a person starts it: each names the
/// invariant it attacks, an act that has to work in a cage and one that must not.
///
/// Start at [dev.cagewright.escape.EscapeTest], which runs them all, and [dev.cagewright.escape.Probe], what one
/// is. Acts of one process are C programs in `src/test/c/probes`; whole stories are in `story`. Nothing here looks
/// into the product's classes: what counts is what the kernel and the host's files say.
@NullMarked
package dev.cagewright.escape;

import org.jspecify.annotations.NullMarked;
