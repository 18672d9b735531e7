/// The protocol over HTTP on this machine: the streamable transport of 2025-03-26 and later, with its sessions, and the
/// stateless one of 2026-07-28, at one address. Start at [HttpDoor]. A socket of loopback wants a token, one of the
/// file
/// system the same user. Nothing here knows what a message asks for.
@NullMarked
package dev.cagewright.mcp.http;

import org.jspecify.annotations.NullMarked;
