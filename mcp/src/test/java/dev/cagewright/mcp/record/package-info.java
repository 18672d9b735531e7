/// What tests read back from a log.
@NullMarked
package dev.cagewright.mcp.record;

import org.jspecify.annotations.NullMarked;
