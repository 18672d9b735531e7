"""`cagewright mcp serve` and what else offers its four tools, over pipes or a unix socket."""

from __future__ import annotations

import base64
import itertools
import os
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from .errors import CagewrightError, Denied, ProtocolError, Refused, TimedOut, Unavailable
from .mcphttp import UnixHttp
from .records import Denial, number, text, texts
from .strictjson import Object, parse_object, write
from .wire import Deadline

__all__ = ["CommandResult", "FilePart", "FileWritten", "HttpAnswer", "Mcp", "ToolResult"]

VERSION = "2025-11-25"

Progress = Callable[[float, str], None]
Elicit = Callable[[str, Mapping[str, Any]], Optional[Mapping[str, Any]]]

_LONGEST = 16 << 20
_METHOD_NOT_FOUND = -32601
_ENDS_WITHIN = 10.0
_DECISION = "dev.cagewright/decision"


@dataclass(frozen=True)
class ToolResult:
    """What a tool gave. `structured` is by its output schema, `content` for a model, `id` the decision."""

    content: Tuple[Mapping[str, Any], ...] = field(repr=False)
    structured: Optional[Mapping[str, Any]] = field(repr=False)
    is_error: bool
    decision: Mapping[str, Any]

    @property
    def id(self) -> Optional[str]:
        return text(self.decision, "id") or None

    @property
    def text(self) -> str:
        return "\n".join(text(block, "text") for block in self.content if text(block, "type") == "text")


@dataclass(frozen=True)
class CommandResult:
    """How a program ended. Outputs are cut in the middle where they are longer than was wanted."""

    exit: int
    cause: str
    stdout: bytes = field(repr=False)
    stderr: bytes = field(repr=False)
    stdout_cut: int
    stderr_cut: int
    why: str
    notices: Tuple[str, ...]
    id: Optional[str]

    @property
    def ok(self) -> bool:
        return self.exit == 0


@dataclass(frozen=True)
class FilePart:
    """A part of a file; `more` says that there is more behind it."""

    path: str
    content: bytes = field(repr=False)
    offset: int
    size: int
    more: bool
    id: Optional[str]


@dataclass(frozen=True)
class FileWritten:
    path: str
    size: int
    created: bool
    id: Optional[str]


@dataclass(frozen=True)
class HttpAnswer:
    """What an origin answered. `cut` says why `body` is not whole; None when it is."""

    status: int
    headers: Tuple[Tuple[str, str], ...]
    body: bytes = field(repr=False)
    cut: Optional[str]
    id: Optional[str]


class _Pending:
    """A request that is not answered."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self.progress = progress
        self.done = threading.Event()
        self.answer: Object = {}
        self.failure: Optional[CagewrightError] = None

    def fail(self, why: CagewrightError) -> None:
        self.failure = why
        self.done.set()


class _Pipes:
    """A server that this process started."""

    def __init__(self, command: Sequence[str], env: Optional[Mapping[str, str]], mcp: "Mcp") -> None:
        self._mcp = mcp
        self._writing = threading.Lock()
        try:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=None if env is None else dict(env)
            )
        except OSError as e:
            raise Unavailable(f"{command[0]}: {e.strerror}") from None
        self._reading = threading.Thread(target=self._read, name="cagewright-mcp", daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while True:
                line = self._process.stdout.readline(_LONGEST + 1)
                if not line:
                    raise Unavailable("the server ended")
                if len(line) > _LONGEST:
                    raise ProtocolError("a message of more than 16 MiB")
                self._mcp._heard(parse_object(line))
        except CagewrightError as e:
            self._mcp._over(e)
        except (OSError, ValueError):
            self._mcp._over(Unavailable("the server was left"))

    def say(self, message: Object) -> None:
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(write(message) + b"\n")
                self._process.stdin.flush()
        except (OSError, ValueError):
            raise Unavailable("the server ended") from None

    def ask(self, message: Object, pending: _Pending, deadline: Deadline) -> None:
        self.say(message)
        pending.done.wait(deadline.left())

    def agreed(self, version: str) -> None:
        pass

    def close(self) -> None:
        """The end of its input ends a server; one that stays is made to."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
        except OSError:
            pass
        for end in (None, self._process.terminate, self._process.kill):
            if end is not None:
                end()
            try:
                self._process.wait(_ENDS_WITHIN)
                break
            except subprocess.TimeoutExpired:
                continue
        self._reading.join(_ENDS_WITHIN)
        self._process.stdout.close()


class _Socket:
    """A server that listens on a unix socket, HTTP."""

    def __init__(self, at: Path, mcp: "Mcp") -> None:
        self._http = UnixHttp(at)
        self._mcp = mcp

    def say(self, message: Object) -> None:
        self._http.tell(write(message), Deadline(_ENDS_WITHIN))

    def ask(self, message: Object, pending: _Pending, deadline: Deadline) -> None:
        for heard in self._http.ask(write(message), deadline):
            self._mcp._heard(parse_object(heard))
            if pending.done.is_set():
                return
        raise ProtocolError("an answer without an answer")

    def agreed(self, version: str) -> None:
        self._http.version = version

    def close(self) -> None:
        self._http.leave(Deadline(_ENDS_WITHIN))


class Mcp:
    """A client of one server. May be used by many threads; closing it ends a server that it started.

    `Mcp(["cagewright", "mcp", "serve", "--policy", "web"])` starts a server, `Mcp.unix(path)` finds one that listens.
    `timeout`, in seconds, is for what nobody has to wait long for; calls of tools have their own. `elicit`, where given,
    answers what the server asks the person, approvals among it: with content, or None to decline.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Optional[Mapping[str, str]] = None,
        timeout: float = 60.0,
        elicit: Optional[Elicit] = None,
    ) -> None:
        if isinstance(command, str):
            raise TypeError("command is a list of words, and not a line")
        self._prepare(timeout, elicit)
        self._began(_Pipes(command, env, self))

    @classmethod
    def unix(
        cls, at: Union[str, "os.PathLike[str]"], timeout: float = 60.0, elicit: Optional[Elicit] = None
    ) -> "Mcp":
        """One that was started by `mcp serve --unix PATH`. Only a process of the same user is believed."""
        made = cls.__new__(cls)
        made._prepare(timeout, elicit)
        made._began(_Socket(Path(at), made))
        return made

    def _prepare(self, timeout: float, elicit: Optional[Elicit]) -> None:
        self._timeout = timeout
        self._elicit = elicit
        self._numbers = itertools.count(1)
        self._last = 0
        self._lock = threading.Lock()
        self._pending: Dict[int, _Pending] = {}
        self._failure: Optional[CagewrightError] = None
        self.server: Mapping[str, Any] = {}
        self.instructions: Optional[str] = None

    def _began(self, transport: Union[_Pipes, _Socket]) -> None:
        self._transport = transport
        try:
            begun = self._request(
                "initialize",
                {
                    "protocolVersion": VERSION,
                    "capabilities": {} if self._elicit is None else {"elicitation": {}},
                    "clientInfo": {"name": "cagewright-python", "version": "0.1.0"},
                },
                self._timeout,
            )
            if begun.get("protocolVersion") != VERSION:
                raise ProtocolError(f"the server speaks another version of the protocol (expected: {VERSION})")
            info = begun.get("serverInfo")
            self.server = info if isinstance(info, dict) else {}
            self.instructions = text(begun, "instructions") or None
            transport.agreed(VERSION)
            transport.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Mcp":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], why: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the dialogue; whatever of it still runs in the cage ends too."""
        self._transport.close()
        self._over(Unavailable("the client is closed"))

    def _over(self, why: CagewrightError) -> None:
        with self._lock:
            self._failure = self._failure or why
            waiting = list(self._pending.values())
            self._pending.clear()
        for pending in waiting:
            pending.fail(self._failure)

    def _heard(self, message: Object) -> None:
        if message.get("jsonrpc") != "2.0":
            raise ProtocolError("a message that is not of JSON-RPC 2.0")
        method = message.get("method")
        if isinstance(method, str):
            params = message.get("params")
            self._told_or_asked(method, params if isinstance(params, dict) else {}, message)
        elif ("result" in message) == ("error" in message):
            raise ProtocolError("a message that is neither asked, told nor answered")
        else:
            self._answered(message)

    def _told_or_asked(self, method: str, params: Object, message: Object) -> None:
        if "id" in message:
            id = message["id"]
            if isinstance(id, bool) or not isinstance(id, (int, str)):
                raise ProtocolError("an id that is none")
            threading.Thread(target=self._asked, args=(method, params, id), daemon=True).start()
        elif method == "notifications/progress":
            token = params.get("progressToken")
            with self._lock:
                pending = self._pending.get(token) if isinstance(token, int) else None
            if pending is not None and pending.progress is not None:
                pending.progress(float(params.get("progress", 0)), text(params, "message"))

    def _asked(self, method: str, params: Object, id: Union[int, str]) -> None:
        answer: Object = {"jsonrpc": "2.0", "id": id}
        if method == "ping":
            answer["result"] = {}
        elif method == "elicitation/create" and self._elicit is not None:
            schema = params.get("requestedSchema")
            given = self._elicit(text(params, "message"), schema if isinstance(schema, dict) else {})
            answer["result"] = {"action": "decline"} if given is None else {"action": "accept", "content": dict(given)}
        else:
            answer["error"] = {"code": _METHOD_NOT_FOUND, "message": method + " is not answered here"}
        try:
            self._transport.say(answer)
        except CagewrightError:
            return  # whoever waits for the server hears of it

    def _answered(self, message: Object) -> None:
        id = message.get("id")
        if isinstance(id, bool) or not isinstance(id, int) or not 0 < id <= self._last:
            raise ProtocolError("an answer to nothing that was asked")
        with self._lock:
            pending = self._pending.pop(id, None)
        if pending is not None:
            pending.answer = message
            pending.done.set()

    def _request(
        self, method: str, params: Object, timeout: Optional[float], progress: Optional[Progress] = None
    ) -> Object:
        pending = _Pending(progress)
        with self._lock:
            if self._failure is not None:
                raise self._failure
            id = self._last = next(self._numbers)
            self._pending[id] = pending
        if progress is not None:
            params = {**params, "_meta": {"progressToken": id}}
        deadline = Deadline(timeout)
        try:
            self._transport.ask({"jsonrpc": "2.0", "id": id, "method": method, "params": params}, pending, deadline)
        except TimedOut:
            pass
        finally:
            with self._lock:
                unanswered = self._pending.pop(id, None) is not None
            if unanswered and not pending.done.is_set():
                self._take_back(id)
        if pending.failure is not None:
            raise pending.failure
        if not pending.done.is_set():
            raise TimedOut(f"{method}: no answer within {timeout} s; it was taken back")
        return _result(pending.answer)

    def _take_back(self, id: int) -> None:
        try:
            self._transport.say(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}
            )
        except CagewrightError:
            return

    def tools(self) -> List[Mapping[str, Any]]:
        """What the server offers, as it defines it."""
        found: List[Mapping[str, Any]] = []
        for page in self._pages():
            tools = page.get("tools")
            found += [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
        return found

    def _pages(self) -> Iterator[Object]:
        params: Object = {}
        for _ in range(1_000):
            page = self._request("tools/list", params, self._timeout)
            yield page
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str):
                return
            params = {"cursor": cursor}
        raise ProtocolError("a list without an end")

    def call(
        self,
        tool: str,
        arguments: Optional[Mapping[str, Any]] = None,
        timeout: Optional[float] = None,
        progress: Optional[Progress] = None,
    ) -> ToolResult:
        """Calls any tool. Raises `Denied` where a policy denies it; a tool that fails otherwise gives `is_error`.

        A call whose `timeout` is over is taken back, which ends what it runs.
        """
        got = self._request("tools/call", {"name": tool, "arguments": dict(arguments or {})}, timeout, progress)
        content = got.get("content")
        meta = got.get("_meta")
        decision = meta.get(_DECISION) if isinstance(meta, dict) else None
        structured = got.get("structuredContent")
        result = ToolResult(
            tuple(block for block in content if isinstance(block, dict)) if isinstance(content, list) else (),
            structured if isinstance(structured, dict) else None,
            got.get("isError") is True,
            decision if isinstance(decision, dict) else {},
        )
        if result.is_error and text(result.decision, "decision") == "deny":
            raise Denied(_denial(result.decision, result.text))
        return result

    def _done(self, tool: str, arguments: Object, timeout: Optional[float], progress: Optional[Progress] = None) -> Any:
        given = {name: value for name, value in arguments.items() if value is not None}
        result = self.call(tool, given, timeout, progress)
        if result.structured is None:
            raise Refused(result.text, number(result.decision, "exit"))
        return result.structured, result.id

    def run_command(
        self,
        argv: Sequence[str],
        cwd: Optional[str] = None,
        stdin: Optional[Union[str, bytes]] = None,
        timeout: Optional[float] = 120.0,
        max_output: Optional[int] = None,
        progress: Optional[Progress] = None,
    ) -> CommandResult:
        """Runs one program in the cage to its end. `progress` hears its lines as they come.

        The server ends a program whose `timeout` is over and says so in the result.
        """
        if isinstance(argv, str):
            raise TypeError("argv is a list of words, and not a line")
        arguments: Object = {"argv": list(argv), "cwd": cwd, "max_output": max_output}
        if stdin is not None:
            arguments["stdin"], arguments["stdin_encoding"] = _encoded(stdin)
        if timeout is not None:
            arguments["timeout"] = max(1, int(timeout))
        patience = None if timeout is None else timeout + _ENDS_WITHIN
        got, id = self._done("run_command", arguments, patience, progress)
        return CommandResult(
            number(got, "exit"),
            text(got, "cause"),
            _decoded(got, "stdout"),
            _decoded(got, "stderr"),
            number(got, "stdout_cut"),
            number(got, "stderr_cut"),
            text(got, "why"),
            texts(got, "notices"),
            id,
        )

    def read_file(
        self, path: str, offset: int = 0, limit: Optional[int] = None, timeout: Optional[float] = 60.0
    ) -> FilePart:
        """A part of one file, as the cage sees it."""
        got, id = self._done(
            "read_file", {"path": path, "offset": offset, "limit": limit, "encoding": "base64"}, timeout
        )
        return FilePart(
            text(got, "path"),
            _decoded(got, "content", "encoding"),
            number(got, "offset"),
            number(got, "size"),
            got.get("more") is True,
            id,
        )

    def write_file(
        self,
        path: str,
        content: Union[str, bytes],
        mode: str = "overwrite",
        parents: bool = False,
        timeout: Optional[float] = 60.0,
    ) -> FileWritten:
        """Writes one file, whole or not at all. `mode` is `overwrite`, `create` or `append`."""
        words, encoding = _encoded(content)
        arguments: Object = {"path": path, "content": words, "encoding": encoding, "mode": mode, "parents": parents}
        got, id = self._done("write_file", arguments, timeout)
        return FileWritten(text(got, "path"), number(got, "size"), got.get("created") is True, id)

    def http_fetch(
        self,
        url: str,
        method: str = "GET",
        headers: Optional[Mapping[str, str]] = None,
        body: Optional[Union[str, bytes]] = None,
        credential: Optional[str] = None,
        field: Optional[str] = None,
        timeout: float = 120.0,
        max_body: Optional[int] = None,
    ) -> HttpAnswer:
        """Makes one request under the policy. `credential` names a secret of it, whose value the gateway puts in."""
        arguments: Object = {
            "url": url,
            "method": method,
            "headers": None if headers is None else dict(headers),
            "credential": credential,
            "credential_header": field,
            "timeout": max(1, int(timeout)),
            "max_bytes": max_body,
        }
        if body is not None:
            arguments["body"], arguments["body_encoding"] = _encoded(body)
        got, id = self._done("http_fetch", arguments, timeout + _ENDS_WITHIN)
        fields = got.get("headers")
        return HttpAnswer(
            number(got, "status"),
            tuple((text(one, "name"), text(one, "value")) for one in fields if isinstance(one, dict))
            if isinstance(fields, list)
            else (),
            _decoded(got, "body"),
            text(got, "cut") or None,
            id,
        )


def _result(answer: Object) -> Object:
    error = answer.get("error")
    if isinstance(error, dict):
        raise Refused(text(error, "message"), number(error, "code"))
    result = answer.get("result")
    if not isinstance(result, dict):
        raise ProtocolError("a result that is no object")
    return result


def _denial(decision: Mapping[str, Any], said: str) -> Denial:
    fix = texts(decision, "fix") or texts(decision, "would_allow")
    return Denial(
        text(decision, "id") or None,
        text(decision, "what"),
        texts(decision, "rules"),
        text(decision, "code"),
        text(decision, "why") or said,
        text(decision, "at") or None,
        fix,
    )


def _encoded(content: Union[str, bytes]) -> Tuple[str, str]:
    if isinstance(content, str):
        return content, "utf-8"
    return base64.b64encode(content).decode("ascii"), "base64"


def _decoded(json: Mapping[str, Any], name: str, encoding: Optional[str] = None) -> bytes:
    words = text(json, name)
    if text(json, encoding or name + "_encoding") != "base64":
        return words.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(words, validate=True)
    except ValueError:
        raise ProtocolError(name + ": no base64") from None
