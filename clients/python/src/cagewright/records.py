"""What the supervisor tells, as values."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Tuple

from .strictjson import Object, parse_object

__all__ = ["CageState", "Decision", "Denial", "Event", "Response", "Result", "State"]


def text(json: Mapping[str, Any], name: str) -> str:
    value = json.get(name)
    return value if isinstance(value, str) else ""


def number(json: Mapping[str, Any], name: str) -> int:
    value = json.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def texts(json: Mapping[str, Any], name: str) -> Tuple[str, ...]:
    value = json.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _object(json: Mapping[str, Any], name: str) -> Object:
    value = json.get(name)
    return value if isinstance(value, dict) else {}


def _line(action: Mapping[str, Any]) -> str:
    """An action in one line."""
    argv = action.get("argv")
    if isinstance(argv, list):
        return "proc.exec " + " ".join(shlex.quote(word) if isinstance(word, str) else "(bytes)" for word in argv)
    parts = [text(action, "name"), text(action, "method")]
    host, path = text(action, "host"), text(action, "path")
    port = number(action, "port")
    parts.append((f"{host}:{port}" if host and port else host or (str(port) if port else "")) + path)
    parts += [text(action, "secret"), text(action, "server"), text(action, "tool"), text(action, "verb")]
    return " ".join(part for part in parts if part)


@dataclass(frozen=True)
class Denial:
    """What was denied, by which rules, and the narrowest change that would allow it.

    `fix` has lines of a policy, or a line that begins with `#` where no change of a policy would.
    """

    id: Optional[str]
    what: str
    rules: Tuple[str, ...]
    code: str
    why: str
    where: Optional[str]
    fix: Tuple[str, ...]

    @classmethod
    def of(cls, json: Mapping[str, Any]) -> "Denial":
        return cls(
            text(json, "id") or None,
            text(json, "what"),
            texts(json, "rules"),
            text(json, "code"),
            text(json, "why"),
            text(json, "at") or None,
            texts(json, "would_allow"),
        )

    @property
    def rule(self) -> str:
        """The most specific of its rules."""
        return self.rules[0] if self.rules else ""

    def __str__(self) -> str:
        said = [f"denied: {self.what}: {self.why} ({', '.join(self.rules)})"]
        if self.fix:
            said += ["would be allowed by:", *("  " + line for line in self.fix)]
        if self.id:
            said.append("cagewright why " + self.id)
        return "\n".join(said)


@dataclass(frozen=True)
class Event:
    """One line of the audit log. `line` is the line as it stands there, byte for byte (docs/audit-format.md)."""

    seq: int
    time: str
    session: str
    cage: str
    id: str
    kind: str
    action: Mapping[str, Any]
    decision: str
    rules: Tuple[str, ...]
    detail: Mapping[str, Any]
    line: bytes = field(repr=False)

    @classmethod
    def of(cls, line: bytes) -> "Event":
        json = parse_object(line)
        return cls(
            number(json, "seq"),
            text(json, "time"),
            text(json, "session"),
            text(json, "cage"),
            text(json, "id"),
            text(json, "kind"),
            _object(json, "action"),
            text(json, "decision"),
            texts(json, "rules"),
            _object(json, "detail"),
            line,
        )

    @property
    def name(self) -> str:
        """The action's name, e.g. `proc.exec`."""
        return text(self.action, "name")

    def denial(self) -> Denial:
        """What a denied intent says."""
        detail = self.detail
        return Denial(
            self.id or None,
            _line(self.action),
            self.rules,
            text(detail, "code"),
            text(detail, "why"),
            text(detail, "at") or None,
            texts(detail, "would_allow"),
        )


@dataclass(frozen=True)
class Decision:
    """What the log has about one decision, the oldest line first: its intent, its outcome, and notes."""

    id: str
    lines: Tuple[Event, ...]

    def _of(self, kind: str) -> Optional[Event]:
        return next((line for line in self.lines if line.kind == kind), None)

    @property
    def intent(self) -> Optional[Event]:
        return self._of("intent")

    @property
    def outcome(self) -> Optional[Event]:
        return self._of("outcome")

    @property
    def allowed(self) -> bool:
        intent = self.intent
        return intent is not None and intent.decision == "allow"

    @property
    def rules(self) -> Tuple[str, ...]:
        intent = self.intent
        return intent.rules if intent is not None else ()

    @property
    def denial(self) -> Optional[Denial]:
        """Its rules and what would allow it, where it was denied."""
        intent = self.intent
        return intent.denial() if intent is not None and intent.decision == "deny" else None


@dataclass(frozen=True)
class Result:
    """How a program ended.

    `exit` is its code, 128 + n after signal n, 124 when `resources.timeout` ended it, 126 and 127 when it could not be
    started. `cause` is `exited`, `signalled`, or what limit ended it; `output` when it wrote more than was wanted here.
    `denied` is what its cage was denied while it ran, whichever of its programs asked.
    """

    exit: int
    cause: str
    stdout: bytes = field(repr=False)
    stderr: bytes = field(repr=False)
    id: Optional[str]
    denied: Tuple[Denial, ...]
    told: Tuple[str, ...]
    outcome: Mapping[str, Any] = field(repr=False)

    @property
    def ok(self) -> bool:
        return self.exit == 0

    @property
    def truncated(self) -> bool:
        """Is not all of its output here?"""
        return self.cause == "output" or self.outcome.get("truncated") is True


@dataclass(frozen=True)
class Response:
    """What an origin answered. `cut` says why `body` is not whole; empty when it is."""

    status: int
    content_type: Optional[str]
    body: bytes = field(repr=False)
    cut: Optional[str]
    id: Optional[str]


@dataclass(frozen=True)
class CageState:
    """A named cage that is up."""

    name: str
    session: str
    since: str
    programs: int
    own: str
    denials: int

    @classmethod
    def of(cls, json: Mapping[str, Any]) -> "CageState":
        return cls(
            text(json, "name"),
            text(json, "session"),
            text(json, "since"),
            number(json, "programs"),
            text(json, "own"),
            number(json, "denials"),
        )


@dataclass(frozen=True)
class State:
    """How the supervisor stands: its version of the protocol, its process, what it can be asked, the cages that are up."""

    version: int
    process: int
    questions: Tuple[str, ...]
    cages: Tuple[CageState, ...]
