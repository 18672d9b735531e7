/// Tests of files of MCP servers.
@NullMarked
package dev.cagewright.supervisor.mcpconfig;

import org.jspecify.annotations.NullMarked;
