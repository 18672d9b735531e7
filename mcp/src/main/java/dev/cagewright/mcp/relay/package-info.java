/// What servers in cages offer, as one offer: their lists put together under names that nobody can take from another,
/// each call brought to its server and judged on the way, each answer judged on the way back and written anew. Start at
/// [Relay]; what a thing is called is a matter of [Names], and which things there are of [Directory].
///
/// Nothing here starts a process, and nothing decides: a verdict comes from the gate of the server's own session.
@NullMarked
package dev.cagewright.mcp.relay;

import org.jspecify.annotations.NullMarked;
