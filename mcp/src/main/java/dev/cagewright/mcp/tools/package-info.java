/// The product's own tools: run a program, read and write a file, make a request; each call passes the one gate of one
/// session and acts in or beside the session's one cage. Start at [ToolsOffer] and [ToolGround]. Nothing here reads a
/// message or decides; there is no way into the world but [dev.cagewright.supervisor.session.Session]'s.
@NullMarked
package dev.cagewright.mcp.tools;

import org.jspecify.annotations.NullMarked;
