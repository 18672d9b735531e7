@NullMarked
package dev.cagewright.mcp.pin;

import org.jspecify.annotations.NullMarked;
