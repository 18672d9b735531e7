"""What can go wrong, each with what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .records import Denial

__all__ = ["CagewrightError", "Denied", "ProtocolError", "Refused", "TimedOut", "Unavailable"]


class CagewrightError(Exception):
    """Everything that this package raises of its own accord."""


class Denied(CagewrightError):
    """A rule denies it. `denial` says which, and what would allow it."""

    def __init__(self, denial: "Denial") -> None:
        self.denial = denial
        super().__init__(str(denial))


class Refused(CagewrightError):
    """It is not done, and no rule is the reason: no such cage, a wrong word, a supervisor of another version.

    `code` is what the command would end with (docs/exit-codes.md).
    """

    def __init__(self, message: str, code: int) -> None:
        self.code = code
        super().__init__(message)


class Unavailable(CagewrightError):
    """Nobody answers, or whoever answered is gone. What ran there has ended with it."""


class ProtocolError(CagewrightError):
    """The other side says what makes no sense. The connection is closed."""


class TimedOut(CagewrightError, TimeoutError):
    """The time that was given is over. A program that was waited for has been ended.

    `stdout` and `stderr` are what it had written by then.
    """

    def __init__(self, message: str, stdout: bytes = b"", stderr: bytes = b"", id: Optional[str] = None) -> None:
        self.stdout = stdout
        self.stderr = stderr
        self.id = id
        super().__init__(message)
