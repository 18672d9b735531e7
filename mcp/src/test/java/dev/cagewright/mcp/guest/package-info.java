@NullMarked
package dev.cagewright.mcp.guest;

import org.jspecify.annotations.NullMarked;
