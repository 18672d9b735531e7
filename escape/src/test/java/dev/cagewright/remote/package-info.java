/// MCP servers elsewhere, by the packaged product and with TLS.
@NullMarked
package dev.cagewright.remote;

import org.jspecify.annotations.NullMarked;
