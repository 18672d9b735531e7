"""HTTP over a unix socket, as MCP uses it: a message is a POST, its answers one JSON text or a stream of events."""

from __future__ import annotations

import http.client
import os
import socket
from pathlib import Path
from typing import Dict, Iterator, Optional

from .errors import ProtocolError, Refused, TimedOut, Unavailable
from .wire import Deadline, connected

__all__ = ["UnixHttp"]

_PATH = "/mcp"
_LONGEST = 16 << 20


class _Connection(http.client.HTTPConnection):
    def __init__(self, at: Path, deadline: Deadline) -> None:
        super().__init__("localhost")
        self._at = at
        self._deadline = deadline
        self.own: Optional[socket.socket] = None

    def connect(self) -> None:
        self.own = self.sock = connected(self._at, self._deadline)


class UnixHttp:
    """One server's socket, and the session on it. Each message has a connection of its own."""

    def __init__(self, at: Path) -> None:
        self._at = at
        self._session: Optional[str] = None
        self.version: Optional[str] = None

    def tell(self, message: bytes, deadline: Deadline) -> None:
        """Says something that has no answer."""
        for _ in self.ask(message, deadline):
            raise ProtocolError("an answer to what asks nothing")

    def ask(self, message: bytes, deadline: Deadline) -> Iterator[bytes]:
        """Gives messages as they come, until the server has said all."""
        connection = _Connection(self._at, deadline)
        try:
            connection.request("POST", _PATH, message, self._fields())
            response = self._answer(connection, deadline)
            self._session = response.getheader("Mcp-Session-Id") or self._session
            if response.status in (202, 204):
                return
            kind = (response.getheader("Content-Type") or "").split(";")[0].strip().lower()
            if response.status >= 400 and kind != "application/json":
                raise Refused(f"HTTP {response.status}: {response.read(1 << 16).decode('utf-8', 'replace')}", response.status)
            if kind == "text/event-stream":
                yield from self._events(connection, response, deadline)
            else:
                yield self._whole(response)
        except socket.timeout:
            raise TimedOut(f"no answer within {deadline.seconds} s") from None
        except (OSError, http.client.HTTPException) as e:
            raise Unavailable(f"the server at {self._at} is gone ({e})") from None
        finally:
            connection.close()
            if connection.own is not None:
                connection.own.close()

    def _fields(self) -> Dict[str, str]:
        fields = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Connection": "close",
        }
        if self._session is not None:
            fields["Mcp-Session-Id"] = self._session
        if self.version is not None:
            fields["MCP-Protocol-Version"] = self.version
        return fields

    @staticmethod
    def _answer(connection: _Connection, deadline: Deadline) -> http.client.HTTPResponse:
        _wait(connection, deadline)
        return connection.getresponse()

    @staticmethod
    def _whole(response: http.client.HTTPResponse) -> bytes:
        message = response.read(_LONGEST + 1)
        if len(message) > _LONGEST:
            raise ProtocolError("a message of more than 16 MiB")
        return message

    @staticmethod
    def _events(
        connection: _Connection, response: http.client.HTTPResponse, deadline: Deadline
    ) -> Iterator[bytes]:
        data = bytearray()
        while True:
            _wait(connection, deadline)
            line = response.readline(_LONGEST + 1)
            if not line:
                return
            if len(data) + len(line) > _LONGEST:
                raise ProtocolError("a message of more than 16 MiB")
            word = line.rstrip(b"\r\n")
            if word.startswith(b"data:"):
                data += word[5:].lstrip(b" ") + b"\n"
            elif not word and data:
                yield bytes(data)
                data.clear()

    def leave(self, deadline: Deadline) -> None:
        """Ends the session, if there is one."""
        if self._session is None:
            return
        connection = _Connection(self._at, deadline)
        try:
            connection.request("DELETE", _PATH, headers=self._fields())
            self._answer(connection, deadline).read(1 << 16)
        except (OSError, http.client.HTTPException, Unavailable, TimedOut):
            return
        finally:
            connection.close()


def _wait(connection: _Connection, deadline: Deadline) -> None:
    """Has the next read end in time."""
    if deadline.is_over():
        raise TimedOut(f"no answer within {deadline.seconds} s")
    if connection.own is not None:
        connection.own.settimeout(deadline.left())
