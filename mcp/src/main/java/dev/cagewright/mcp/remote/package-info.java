/// Servers elsewhere, spoken to over Streamable HTTP as if they were programs here: lines of JSON-RPC go in and come
/// out. Start at [RemoteBridge].
///
/// Every request goes by a door of a session's gateway, which judges, records, verifies and counts it, and puts the
/// values of secrets in the place of their decoys; there is no other way out here. Whatever a server says is read
/// strictly and bounded, and written anew.
@NullMarked
package dev.cagewright.mcp.remote;

import org.jspecify.annotations.NullMarked;
