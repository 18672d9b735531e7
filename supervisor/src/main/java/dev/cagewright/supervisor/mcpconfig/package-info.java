/// Files in which a repository or a person names MCP servers, such as `.mcp.json`: what they start, and the same file
/// with each program in a cage of its own. Start at [ServerFile].
///
/// Nothing that such a file names is executed or asked. What stands in it may have been written by a cage.
@NullMarked
package dev.cagewright.supervisor.mcpconfig;

import org.jspecify.annotations.NullMarked;
