"""Cagewright from Python: programs and requests in named cages, what was decided about them, and what the log has.

Start at `Supervisor`, which speaks to the background supervisor, or at `Mcp`, which speaks to `cagewright mcp serve`.
"""

from .errors import CagewrightError, Denied, ProtocolError, Refused, TimedOut, Unavailable
from .mcp import CommandResult, FilePart, FileWritten, HttpAnswer, Mcp, ToolResult
from .records import CageState, Decision, Denial, Event, Response, Result, State
from .supervisor import Cage, Program, Supervisor

__all__ = [
    "Cage",
    "CageState",
    "CagewrightError",
    "CommandResult",
    "Decision",
    "Denial",
    "Denied",
    "Event",
    "FilePart",
    "FileWritten",
    "HttpAnswer",
    "Mcp",
    "Program",
    "ProtocolError",
    "Refused",
    "Response",
    "Result",
    "State",
    "Supervisor",
    "TimedOut",
    "ToolResult",
    "Unavailable",
]
