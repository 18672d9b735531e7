/// How many connections a cage has at once: [Crowd] says who goes when there are too many. Nothing here reads or
/// decides.
@NullMarked
package dev.cagewright.egress.crowd;

import org.jspecify.annotations.NullMarked;
