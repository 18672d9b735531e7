/// Joins a cage's net cell and the gateway: start at [CageDoor]. [NetTerms] is what a policy says of it.
/// Nothing here reads a packet.
@NullMarked
package dev.cagewright.supervisor.net;

import org.jspecify.annotations.NullMarked;
