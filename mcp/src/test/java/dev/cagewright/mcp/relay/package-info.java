@NullMarked
package dev.cagewright.mcp.relay;

import org.jspecify.annotations.NullMarked;
