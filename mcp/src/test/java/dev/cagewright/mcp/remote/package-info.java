@NullMarked
package dev.cagewright.mcp.remote;

import org.jspecify.annotations.NullMarked;
