/// What a server's definitions were when a person accepted them. Start at [dev.cagewright.mcp.pin.Pins], one server's,
/// and [dev.cagewright.mcp.pin.PinBook], everybody's. The first list is trusted as it is, unless somebody wants to be
/// asked; from then on what is new or other than it was is held until a person accepts it. Nothing here shows anything.
@NullMarked
package dev.cagewright.mcp.pin;

import org.jspecify.annotations.NullMarked;
