/// The protocol over a pair of byte streams, one line a message. Start at [StdioDoor]. Nothing here knows what a
/// message
/// means.
@NullMarked
package dev.cagewright.mcp.stdio;

import org.jspecify.annotations.NullMarked;
