/// The only way into a cage: ports of the host's loopback that stand for ports of a cage. Start at [PublishedDoor].
/// Never listens anywhere else, and never chooses where a connection goes: whoever opens a door says so.
@NullMarked
package dev.cagewright.egress.publish;

import org.jspecify.annotations.NullMarked;
