"""The background supervisor: named cages, programs and requests in them, decisions, and the log."""

from __future__ import annotations

import os
import re
import signal
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple, Type, Union
from types import TracebackType
from urllib.parse import quote, urlsplit

from .errors import CagewrightError, Denied, ProtocolError, Refused, TimedOut, Unavailable
from .records import CageState, Decision, Denial, Event, Response, Result, State, number, text, texts
from .strictjson import Object
from .wire import ROOM, VERSION, Deadline, Frame, Line, address, json_of, number_of

__all__ = ["Cage", "Program", "Supervisor"]

Word = Union[str, bytes]
OnQuestion = Callable[[Mapping[str, Any]], None]

MAX_OUTPUT = 64 << 20

_CHUNK = 64 << 10
_MOST_DENIALS = 1_000
_ENDS_WITHIN = 2.0
_DIES_WITHIN = 10.0
_KINDS = {b"O": "stdout", b"X": "stderr"}


def _word(word: Word) -> str:
    """Bytes as the wire has them: each byte a character."""
    if not isinstance(word, (str, bytes)):
        raise TypeError(f"a word of a command is text or bytes, and not {type(word).__name__}")
    found = os.fsencode(word).decode("latin-1")
    if "\0" in found:
        raise ValueError("a word of a command has no NUL")
    return found


def _variables(env: Optional[Mapping[str, str]]) -> List[str]:
    if env is None:
        return [_word(name) + "=" + _word(value) for name, value in os.environb.items()]
    return [_word(name) + "=" + _word(value) for name, value in env.items()]


def _refusal(answer: Object) -> Optional[Exception]:
    why = answer.get("refused")
    if not isinstance(why, str):
        return None
    denial = answer.get("denial")
    if isinstance(denial, dict):
        return Denied(Denial.of(denial))
    return Refused(why, number(answer, "code"))


class Supervisor:
    """The background supervisor of this person.

    Each question has a connection of its own, so an object may be used by many threads, and outlives a supervisor.
    Closing it ends the programs that were started by it and still run. Only a process of the same user is believed.

    `socket` is where it listens; without one the state folder says it, as for the commands. `timeout` is for
    questions that nobody has to wait long for, in seconds.
    """

    def __init__(self, socket: Optional[Union[str, "os.PathLike[str]"]] = None, timeout: float = 60.0) -> None:
        self._at = None if socket is None else Path(socket)
        self._timeout = timeout
        self._running: Set[Program] = set()

    def __enter__(self) -> "Supervisor":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], why: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        for program in list(self._running):
            program.close()

    def cage(self, name: str) -> "Cage":
        """The named cage of this name. Nothing is asked yet."""
        return Cage(self, name)

    def state(self) -> State:
        """How the supervisor stands."""
        answer = self._ask({"ask": "state"})
        cages = answer.get("cages")
        return State(
            number(answer, "version"),
            number(answer, "process"),
            texts(answer, "questions"),
            tuple(CageState.of(one) for one in cages if isinstance(one, dict)) if isinstance(cages, list) else (),
        )

    def decision(self, id: str) -> Optional[Decision]:
        """What the log has about one decision; None if it has nothing."""
        lines = self._lines({"ask": "decision", "id": id}, self._timeout)
        return Decision(id, tuple(lines)) if lines else None

    def events(
        self,
        session: Optional[str] = None,
        action: Optional[str] = None,
        decision: Optional[str] = None,
        since: Optional[datetime] = None,
        limit: int = 50,
        timeout: Optional[float] = None,
    ) -> List[Event]:
        """Events of the audit log, the newest first. `since` has a time zone; `limit` is at most 10,000."""
        question: Dict[str, Any] = {"ask": "events", "limit": limit}
        if since is not None:
            if since.tzinfo is None:
                raise ValueError("since: a time without a zone")
            question["since"] = since.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        for name, value in (("session", session), ("action", action), ("decision", decision)):
            if value is not None:
                question[name] = value
        return self._lines(question, self._timeout if timeout is None else timeout)

    def _open(self, question: Object, deadline: Deadline) -> Line:
        line = Line(self._at or address(os.environ), deadline)
        try:
            line.ask({"version": VERSION, **question})
            return line
        except BaseException:
            line.close()
            raise

    def _ask(self, question: Object, timeout: Optional[float] = None) -> Object:
        deadline = Deadline(self._timeout if timeout is None else timeout)
        line = self._open(question, deadline)
        try:
            meanwhile: List[str] = []
            while True:
                frame = line.frame(deadline)
                if frame[0] == b"N":
                    meanwhile += texts(json_of(frame), "told")
                elif frame[0] != b"X":
                    answer = _answer(frame)
                    return {**answer, "told": meanwhile + list(texts(answer, "told"))}
        finally:
            line.close()

    def _lines(self, question: Object, timeout: float) -> List[Event]:
        deadline = Deadline(timeout)
        line = self._open(question, deadline)
        try:
            _answer(line.frame(deadline))
            found = bytearray()
            _until_end(line, deadline, found, 1 << 30)
            return [Event.of(one) for one in bytes(found).split(b"\n") if one]
        finally:
            line.close()

    def _denied_since(self, id: str, begin: datetime) -> Tuple[Denial, ...]:
        """What was denied in the session of the decision `id` after it, the oldest first."""
        session, _, own = id.rpartition("-")
        try:
            found = self.events(session=session, decision="deny", since=begin, limit=_MOST_DENIALS)
        except CagewrightError:
            return ()  # the program has ended all the same
        later = [event for event in found if event.kind == "intent" and _later(event.id, session, own)]
        return tuple(event.denial() for event in reversed(later))


def _later(id: str, session: str, own: str) -> bool:
    found = re.fullmatch(re.escape(session) + r"-([0-9]{1,18})", id)
    return found is not None and own.isdigit() and int(found.group(1)) > int(own)


def _answer(frame: Frame) -> Object:
    if frame[0] != b"A":
        raise ProtocolError(f"a frame {frame[0]!r} (expected: an answer)")
    answer = json_of(frame)
    refusal = _refusal(answer)
    if refusal is not None:
        raise refusal
    return answer


def _until_end(line: Line, deadline: Deadline, found: bytearray, most: int) -> Object:
    """Takes what is written until the end, and gives that."""
    while True:
        frame = line.frame(deadline)
        if frame[0] == b"O":
            if len(found) + len(frame[1]) > most:
                raise ProtocolError(f"more than {most} bytes")
            found += frame[1]
        elif frame[0] == b"Z":
            return json_of(frame)
        else:
            _answer(frame)
            raise ProtocolError("an answer where one was given already")


class Cage:
    """A named cage, by its name."""

    def __init__(self, supervisor: Supervisor, name: str) -> None:
        self._supervisor = supervisor
        self.name = name

    def __repr__(self) -> str:
        return f"Cage({self.name!r})"

    def up(
        self,
        secrets: Sequence[str] = (),
        env: Optional[Mapping[str, str]] = None,
        timeout: float = 120.0,
    ) -> Tuple[str, ...]:
        """Brings it up under a supervisor that runs. `secrets` are names of stored ones, `NAME` or `NAME=VARIABLE`.

        Its policy's set-up runs first, if it has one, and ends with this call's time. Gives what a person should hear, each one sentence.
        """
        question = {"ask": "up", "name": self.name, "secrets": list(secrets), "caller": _variables(env)}
        return texts(self._supervisor._ask(question, timeout), "told")

    def stop(self, timeout: float = 120.0) -> Tuple[str, ...]:
        """Takes it down. When it returns, no process of it lives. Gives what a person should hear of what it left."""
        return texts(self._supervisor._ask({"ask": "stop", "name": self.name}, timeout), "told")

    def state(self) -> Optional[CageState]:
        """How it stands; None if it is not up."""
        return next((cage for cage in self._supervisor.state().cages if cage.name == self.name), None)

    def start(
        self,
        argv: Sequence[Word],
        timeout: Optional[float] = None,
        env: Optional[Mapping[str, str]] = None,
        max_output: int = MAX_OUTPUT,
        on_question: Optional[OnQuestion] = None,
    ) -> "Program":
        """Starts a program; its output comes as it is written. The caller closes it, which ends it.

        Returns when it is allowed and about to start, which takes as long as a person takes who is asked. `timeout`, in
        seconds, is for all of it. `on_question` hears each question that a person has to answer first, with its `id`
        (`cagewright approve ID`), `what` and `until`. `env` is what it could get, by the policy's `env`; by default this process's own.
        """
        if isinstance(argv, (str, bytes)):
            raise TypeError("argv is a list of words, and not a line")
        question = {
            "ask": "exec",
            "name": self.name,
            "argv": [_word(word) for word in argv],
            "caller": _variables(env),
        }
        return Program(self._supervisor, question, Deadline(timeout), max_output, on_question)

    def run(
        self,
        argv: Sequence[Word],
        stdin: Optional[Word] = None,
        timeout: Optional[float] = None,
        env: Optional[Mapping[str, str]] = None,
        max_output: int = MAX_OUTPUT,
        on_question: Optional[OnQuestion] = None,
    ) -> Result:
        """Runs a program to its end. Raises `Denied` if it may not run, and `TimedOut` once it was ended for its time.

        A program that writes more than `max_output` bytes is ended; the result says so.
        """
        with self.start(argv, timeout, env, max_output, on_question) as program:
            return program.communicate(stdin)

    def fetch(
        self,
        url: str,
        method: str = "GET",
        headers: Optional[Mapping[str, str]] = None,
        body: Optional[Word] = None,
        credential: Optional[str] = None,
        field: Optional[str] = None,
        timeout: float = 120.0,
        max_body: int = MAX_OUTPUT,
    ) -> Response:
        """Makes one request under the cage's policy, through its gateway. No redirect is followed.

        `credential` names a secret that the cage is lent; the gateway puts its value in, as `Authorization: Bearer` or
        as the header `field`. A body has at most 8 MiB, an answer at most 64 MiB.
        """
        question = _request(url, method, headers)
        question.update(
            ask="fetch", name=self.name, body=body is not None, most=max_body, patience_ms=max(1, int(timeout * 1000))
        )
        if credential is not None:
            question["credential"] = credential
        if field is not None:
            question["field"] = field
        deadline = Deadline(timeout + _ENDS_WITHIN)
        line = self._supervisor._open(question, deadline)
        try:
            _answer(line.frame(deadline))
            if body is not None:
                _send(line, os.fsencode(body) if isinstance(body, str) else body)
            found = bytearray()
            end = _until_end(line, deadline, found, max_body)
            return Response(
                number(end, "status"),
                text(end, "content_type") or None,
                bytes(found),
                text(end, "cut") or None,
                text(end, "id") or None,
            )
        finally:
            line.close()


def _request(url: str, method: str, headers: Optional[Mapping[str, str]]) -> Dict[str, Any]:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("url: (expected: https://HOST/PATH or http://HOST/PATH)")
    if parts.username is not None or parts.password is not None:
        raise ValueError("url: no user and no password (expected: credential=NAME)")
    target = quote(parts.path or "/", safe="/%:@!$&'()*+,;=-._~")
    if parts.query:
        target += "?" + quote(parts.query, safe="/?%:@!$&'()*+,;=-._~[]{}|^")
    asked: Dict[str, Any] = {
        "scheme": parts.scheme,
        "method": method,
        "host": parts.hostname,
        "target": target,
        "headers": [f"{name}: {value}" for name, value in (headers or {}).items()],
    }
    if parts.port is not None:
        asked["port"] = parts.port
    return asked


def _send(line: Line, body: bytes) -> None:
    for begin in range(0, len(body), _CHUNK):
        line.send(b"I", body[begin : begin + _CHUNK])
    line.send(b"E")


class Program:
    """A program in a cage while it runs. For one thread. Closing it ends it.

    Iterating gives `("stdout", bytes)` and `("stderr", bytes)` as they come. `id` is the decision that allows it.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        question: Object,
        deadline: Deadline,
        max_output: int,
        on_question: Optional[OnQuestion] = None,
    ) -> None:
        self._on_question = on_question
        self._supervisor = supervisor
        self._deadline = deadline
        self._left = max_output
        self._room = ROOM
        self._waiting: List[Tuple[str, bytes]] = []
        self._ends: Optional[Object] = None
        self._is_cut = False
        self._is_fed = False
        self.id: Optional[str] = None
        self.told: Tuple[str, ...] = ()
        self._begin = datetime.now(timezone.utc) - timedelta(seconds=1)
        self._line = supervisor._open(question, deadline)
        supervisor._running.add(self)
        try:
            frame = self._line.frame(deadline)
            while frame[0] == b"N":
                self._heard(json_of(frame))
                frame = self._line.frame(deadline)
            self._starts(frame)
        except BaseException:
            self.close()
            raise

    def _heard(self, said: Object) -> None:
        question = said.get("question")
        if isinstance(question, dict) and self._on_question is not None:
            self._on_question(question)

    def _starts(self, frame: Frame) -> None:
        if frame[0] == b"Z":
            self._ends = json_of(frame)
            return
        answer = _answer(frame)
        self.told = texts(answer, "told")
        self.id = text(answer, "id") or None

    def __enter__(self) -> "Program":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], why: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Tuple[str, bytes]]:
        while True:
            while self._waiting:
                yield self._waiting.pop(0)
            if self._ends is not None:
                return
            self._in_time(self._deadline)

    def _in_time(self, deadline: Deadline) -> None:
        """One turn of the line, or the end of a program whose time is over."""
        try:
            self._turn(deadline)
        except TimedOut:
            self._end()
            raise self._timed_out() from None

    def _timed_out(self) -> TimedOut:
        out = b"".join(chunk for name, chunk in self._waiting if name == "stdout")
        err = b"".join(chunk for name, chunk in self._waiting if name == "stderr")
        return TimedOut(f"the program was ended: it ran for longer than {self._deadline.seconds} s", out, err, self.id)

    def _turn(self, deadline: Deadline) -> None:
        frame = self._line.turn(deadline)
        if frame is None:
            return
        kind = frame[0]
        if kind in _KINDS:
            self._take(_KINDS[kind], frame[1])
        elif kind == b"W":
            self._room = min(ROOM, self._room + max(0, number_of(frame)))
        elif kind == b"Z":
            self._ends = json_of(frame)
        elif kind == b"N":
            self._heard(json_of(frame))
        elif kind == b"A":
            _answer(frame)
            raise ProtocolError("an answer where one was given already")
        elif kind != b"T":
            raise ProtocolError(f"a frame {kind!r} from a program")

    def _take(self, name: str, chunk: bytes) -> None:
        taken = chunk[: self._left]
        self._left -= len(taken)
        if taken:
            self._waiting.append((name, taken))
        if len(taken) < len(chunk) and not self._is_cut:
            self._is_cut = True
            self.kill()

    def write(self, data: Word) -> None:
        """Writes to its standard input, and waits while it does not read. Text is UTF-8."""
        if self._is_fed:
            raise ValueError("its standard input is closed")
        rest = memoryview(data.encode("utf-8") if isinstance(data, str) else data)
        while rest and self._ends is None:
            count = self._put(rest)
            rest = rest[count:]
            if count == 0 or self._line.unsent:
                self._in_time(self._deadline)

    def _put(self, data: memoryview) -> int:
        """Sends as much as there is room for."""
        count = min(len(data), self._room, _CHUNK)
        if count:
            self._line.send(b"I", bytes(data[:count]))
            self._room -= count
        return count

    def close_stdin(self) -> None:
        """There is no more input."""
        if not self._is_fed:
            self._is_fed = True
            self._line.send(b"E")

    def communicate(self, stdin: Optional[Word] = None) -> Result:
        """Gives it its input, takes all that it writes, and waits for its end."""
        written: Dict[str, bytearray] = {"stdout": bytearray(), "stderr": bytearray()}
        try:
            if stdin:
                self.write(stdin)
            self.close_stdin()
            for name, chunk in self:
                written[name] += chunk
        except TimedOut as e:
            raise TimedOut(str(e), bytes(written["stdout"]) + e.stdout, bytes(written["stderr"]) + e.stderr, e.id) from None
        return self._result(bytes(written["stdout"]), bytes(written["stderr"]))

    def wait(self) -> Result:
        """Waits for its end; what it writes until then is not kept."""
        for _ in self:
            pass
        return self._result(b"", b"")

    def _result(self, stdout: bytes, stderr: bytes) -> Result:
        ends = self._ends or {}
        found = ends.get("outcome")
        outcome = found if isinstance(found, dict) else {}
        id = text(ends, "id") or self.id
        return Result(
            number(ends, "code"),
            "output" if self._is_cut else text(outcome, "cause") or "not_started",
            stdout,
            stderr,
            id,
            self._supervisor._denied_since(id, self._begin) if id else (),
            texts(ends, "told"),
            outcome,
        )

    def signal(self, number: int) -> None:
        """Sends it a signal. Nothing happens when it has ended."""
        if self._ends is None:
            self._line.signal(number)

    def terminate(self) -> None:
        self.signal(signal.SIGTERM)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)

    def _end(self) -> None:
        """Asks it to end, and makes it; what it writes meanwhile is taken."""
        for number_, seconds in ((signal.SIGTERM, _ENDS_WITHIN), (signal.SIGKILL, _DIES_WITHIN)):
            self.signal(number_)
            patience = Deadline(seconds)
            try:
                while self._ends is None:
                    self._turn(patience)
            except TimedOut:
                continue
            except Unavailable:
                break
            break
        self.close()

    def close(self) -> None:
        """Ends it if it still runs: the supervisor sends HUP, and KILL two seconds later."""
        self._supervisor._running.discard(self)
        self._line.close()
