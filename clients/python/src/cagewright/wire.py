"""The supervisor's socket, frame by frame (docs/supervisor-socket.md)."""

from __future__ import annotations

import math
import os
import select
import socket
import stat
import struct
import time
from collections import deque
from pathlib import Path
from typing import Deque, Dict, Mapping, Optional, Tuple

from .errors import ProtocolError, TimedOut, Unavailable
from .strictjson import Object, parse_object, write

__all__ = ["Deadline", "Line", "VERSION", "address", "connected"]

VERSION = 2
ROOM = 256 << 10

_BYTES = 64 << 10
_WORDS = 8 << 20
_MOST: Dict[bytes, int] = {
    b"Q": _WORDS,
    b"A": _WORDS,
    b"N": _WORDS,
    b"I": _BYTES,
    b"E": 0,
    b"R": 4,
    b"S": 4,
    b"O": _BYTES,
    b"X": _BYTES,
    b"T": 0,
    b"W": 4,
    b"Z": _WORDS,
}
_HEAD = struct.Struct(">cI")
_NUMBER = struct.Struct(">i")
_CREDENTIALS = struct.Struct("3i")

Frame = Tuple[bytes, bytes]


class Deadline:
    """When something has to be over; for ever where it is None."""

    def __init__(self, seconds: Optional[float]) -> None:
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> Optional[float]:
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def is_over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


def address(environment: Mapping[str, str]) -> Path:
    """Where the supervisor of a person listens, as its folder says."""
    base = environment.get("XDG_STATE_HOME", "")
    if not base.startswith("/"):
        home = environment.get("HOME", "")
        if not home.startswith("/"):
            raise Unavailable("HOME is not an absolute path (expected: HOME or XDG_STATE_HOME set to one)")
        base = os.path.join(home, ".local/state")
    file = Path(base, "cagewright", "supervisor", "address")
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as e:
        raise Unavailable(f"no supervisor was ever there: {file}: {e.strerror} (expected: cagewright up NAME)") from None
    with os.fdopen(descriptor, "rb") as opened:
        there = os.fstat(descriptor)
        if not stat.S_ISREG(there.st_mode) or there.st_uid != os.geteuid() or there.st_mode & 0o022:
            raise Unavailable(f"{file} is not yours alone, and is not believed")
        found = opened.read(4097).decode("utf-8", "surrogateescape").strip()
    if not found.startswith("/") or len(found) > 4096:
        raise Unavailable(f"{file} names no socket (expected: cagewright up NAME)")
    return Path(found)


def connected(at: Path, deadline: Deadline) -> socket.socket:
    """A connection whose other side is a process of our own user."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        made.settimeout(deadline.left())
        made.connect(os.fspath(at))
        _, user, _ = _CREDENTIALS.unpack(made.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    except OSError as e:
        made.close()
        if isinstance(e, socket.timeout):
            raise TimedOut(f"whoever listens at {at} takes no connection") from None
        raise Unavailable(f"nobody answers at {at}: {e.strerror} (expected: cagewright up NAME)") from None
    if user != os.geteuid():
        made.close()
        raise Unavailable(f"at {at} somebody else's process listens, and is asked nothing")
    return made


class Line:
    """One connection, for one question. Whoever has it closes it."""

    def __init__(self, at: Path, deadline: Deadline) -> None:
        self._received = bytearray()
        self._unsent: Deque[memoryview] = deque()
        self._socket = connected(at, deadline)
        self._socket.setblocking(False)

    @property
    def unsent(self) -> bool:
        return bool(self._unsent)

    def send(self, kind: bytes, content: bytes = b"") -> None:
        """Sends a frame, or as much of it as the other side takes now; the rest is sent by `turn`."""
        self._unsent.append(memoryview(_HEAD.pack(kind, len(content)) + content))
        self._push()

    def ask(self, question: Object) -> None:
        words = write(question)
        if len(words) > _WORDS:
            raise ValueError(f"a question of {len(words)} bytes (expected: at most {_WORDS})")
        self.send(b"Q", words)

    def signal(self, number: int) -> None:
        self.send(b"S", _NUMBER.pack(number))

    def turn(self, deadline: Deadline) -> Optional[Frame]:
        """Sends and receives until there is a frame (the answer), everything is sent (None), or time is over.

        What was received is given first. Waits for a frame only while nothing is to be sent.
        """
        while True:
            frame = self._frame()
            if frame is not None:
                return frame
            if self._socket.fileno() < 0:
                raise Unavailable("the connection is closed")
            happened = self._wait(deadline)
            if happened & select.POLLOUT:
                self._push()
            if happened & ~select.POLLOUT:
                self._pull()
            elif happened and not self._unsent:
                return None
            if not happened and deadline.is_over():
                raise TimedOut(f"nothing came within {deadline.seconds} s")

    def frame(self, deadline: Deadline) -> Frame:
        """Waits for the next frame."""
        while True:
            found = self.turn(deadline)
            if found is not None:
                return found

    def _wait(self, deadline: Deadline) -> int:
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | (select.POLLOUT if self._unsent else 0))
        left = deadline.left()
        happened = poll.poll(None if left is None else math.ceil(left * 1000))
        return happened[0][1] if happened else 0

    def _push(self) -> None:
        try:
            while self._unsent:
                sent = self._socket.send(self._unsent[0], socket.MSG_NOSIGNAL)
                if sent < len(self._unsent[0]):
                    self._unsent[0] = self._unsent[0][sent:]
                    return
                self._unsent.popleft()
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._unsent.clear()  # what was said before it went away can still be read

    def _pull(self) -> None:
        try:
            got = self._socket.recv(1 << 16)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as e:
            raise Unavailable(f"the supervisor is gone: {e.strerror}") from None
        if not got:
            raise Unavailable(
                "the supervisor ended, and every program of its cages with it (cagewright supervisor status)"
            )
        self._received += got

    def _frame(self) -> Optional[Frame]:
        if len(self._received) < _HEAD.size:
            return None
        kind, length = _HEAD.unpack_from(self._received)
        if kind not in _MOST or length > _MOST[kind]:
            raise ProtocolError(f"a frame {kind!r} of {length} bytes")
        end = _HEAD.size + length
        if len(self._received) < end:
            return None
        content = bytes(self._received[_HEAD.size : end])
        del self._received[:end]
        return kind, content

    def close(self) -> None:
        self._socket.close()


def json_of(frame: Frame) -> Object:
    return parse_object(frame[1])


def number_of(frame: Frame) -> int:
    if len(frame[1]) != _NUMBER.size:
        raise ProtocolError(f"a frame {frame[0]!r} without a number")
    found: int = _NUMBER.unpack(frame[1])[0]
    return found
