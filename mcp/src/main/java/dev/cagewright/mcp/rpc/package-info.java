/// JSON-RPC 2.0 as the Model Context Protocol uses it: one value for each message, read strictly, written by our own
/// hand. Start at [Message] and [MessageReader]. Nothing here knows a method, a version or a stream.
@NullMarked
package dev.cagewright.mcp.rpc;

import org.jspecify.annotations.NullMarked;
