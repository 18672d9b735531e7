/// What becomes of a call of a server's tool: its names by the policy, its arguments by schema, paths and hosts, its
/// result by size, credentials and hidden characters. Start at [dev.cagewright.mcp.judge.CallJudge]. Nothing here knows
/// a version of the protocol, a stream or a process; what it hands back is what may go on, and nothing else may.
@NullMarked
package dev.cagewright.mcp.judge;

import org.jspecify.annotations.NullMarked;
