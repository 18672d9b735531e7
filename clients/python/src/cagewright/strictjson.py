"""JSON without what two readers read in two ways: a name twice, numbers that are none."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Tuple

from .errors import ProtocolError

__all__ = ["Object", "parse_object", "write"]

Object = Dict[str, Any]


def _once(pairs: List[Tuple[str, Any]]) -> Object:
    found: Object = {}
    for name, value in pairs:
        if name in found:
            raise ValueError("a name that stands there twice")
        found[name] = value
    return found


def _no_number(word: str) -> Any:
    raise ValueError(word + " is no number")


def parse_object(text: bytes) -> Object:
    """The object that `text`, UTF-8, is."""
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as e:
        raise ProtocolError(f"no JSON ({e})") from None
    if not isinstance(value, dict):
        raise ProtocolError("JSON that is no object")
    return value


def write(value: Object) -> bytes:
    """`value` on one line, ASCII."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
