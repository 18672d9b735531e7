/// Other people's MCP servers, wrapped by the packaged product.
@NullMarked
package dev.cagewright.guests;

import org.jspecify.annotations.NullMarked;
