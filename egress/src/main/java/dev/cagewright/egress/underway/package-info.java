/// What a cage has under way, so that what a policy no longer allows can be ended. Start at [Underway]. Nothing here
/// judges or closes by itself.
@NullMarked
package dev.cagewright.egress.underway;

import org.jspecify.annotations.NullMarked;
