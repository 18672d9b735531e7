/// The doors before the protocol's own referees: its conformance suite, and its official clients.
@NullMarked
package dev.cagewright.mcp.conformance;

import org.jspecify.annotations.NullMarked;
