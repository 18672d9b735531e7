/**
 * Cagewright from node: programs and requests in named cages, what was decided about them, and what the log has.
 *
 * Start at `Supervisor`, which speaks to the background supervisor, or at `Mcp`, which speaks to `cagewright mcp serve`.
 */
export { CagewrightError, Denied, ProtocolError, Refused, TimedOut, Unavailable } from './errors.js';
export { Decision, Denial, Event, Response, Result } from './records.js';
export { Cage, Program, Supervisor } from './supervisor.js';
export { Mcp } from './mcp.js';
