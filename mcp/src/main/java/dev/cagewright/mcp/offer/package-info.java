/// What stands behind a door of the protocol, whichever version and stream the client uses. Start at [Offer]; the
/// product's own tools are one, and servers in cages are another. Nothing here reads or writes a message.
@NullMarked
package dev.cagewright.mcp.offer;

import org.jspecify.annotations.NullMarked;
