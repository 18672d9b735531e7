/// What serves the sockets of a cage's net cell here: start at [NameDoor]. Knows no protocol; the listening socket
/// goes to whoever accepts.
@NullMarked
package dev.cagewright.sandbox.cell;

import org.jspecify.annotations.NullMarked;
