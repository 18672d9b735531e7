/// What a cage has under way, so that what a policy no longer allows can be ended, and how its ends come to be written
/// down. Start at [Underway] and [Scribe]. Nothing here judges or closes a connection by itself.
@NullMarked
package dev.cagewright.egress.underway;

import org.jspecify.annotations.NullMarked;
