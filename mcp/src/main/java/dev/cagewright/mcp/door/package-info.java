/// What a client says and hears, whichever stream it comes by: the era it opens in, its requests under way, what it is
/// asked and what it is told. Start at [Dialogue], which a stream feeds, and [Outbox], which a stream is. Nothing here
/// reads or writes bytes, and nothing here knows a tool.
@NullMarked
package dev.cagewright.mcp.door;

import org.jspecify.annotations.NullMarked;
