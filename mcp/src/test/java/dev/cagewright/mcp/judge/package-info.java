@NullMarked
package dev.cagewright.mcp.judge;

import org.jspecify.annotations.NullMarked;
