/// `mcp`: servers that clients start. Start at [WrapCommand].
@NullMarked
package dev.cagewright.cli.mcp;

import org.jspecify.annotations.NullMarked;
