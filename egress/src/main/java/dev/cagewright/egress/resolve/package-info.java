/// From the name that a connection is for to the addresses that are dialled. Start at [Destinations], which judges
/// every
/// address, and [HostResolver], which asks what this machine asks. A name is looked up after it was let through, once
/// for
/// each connection, and what was checked is what is dialled.
@NullMarked
package dev.cagewright.egress.resolve;

import org.jspecify.annotations.NullMarked;
