/// Addresses as bytes. Start at [IpAddress]. Nothing here resolves a name or opens a socket.
@NullMarked
package dev.cagewright.egress.address;

import org.jspecify.annotations.NullMarked;
