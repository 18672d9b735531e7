/// The runtime port: what a cage is, what runs in it, how it ended, and what really holds. Start at
/// [Runtime] and [CageSpec]. Nothing here judges an action, opens a network connection or knows which
/// runtime builds the cage.
@NullMarked
package dev.cagewright.sandbox;

import org.jspecify.annotations.NullMarked;
