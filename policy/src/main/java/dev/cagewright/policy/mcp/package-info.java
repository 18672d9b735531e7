/// `mcp`: which tools of a server may be called, with what, and what may come back. Start at
/// [dev.cagewright.policy.mcp.McpSection] and [dev.cagewright.policy.mcp.McpRules], which settles a call by its names.
/// Arguments and results themselves are looked at elsewhere: nothing here knows a protocol, a message or JSON.
@NullMarked
package dev.cagewright.policy.mcp;

import org.jspecify.annotations.NullMarked;
