"""Every spelling of a value that must not come back, and the search for them."""

import base64
import re


def of(value):
    """By name; the same bytes may come twice. `value` is ASCII."""
    raw = value.encode("ascii")
    found = {"plain": raw, "reversed": raw[::-1], "hex": raw.hex().encode(), "HEX": raw.hex().upper().encode(),
             "percent": b"".join(b"%%%02x" % each for each in raw), "PERCENT": b"".join(b"%%%02X" % each for each in raw),
             "escaped": b"".join(b"\\u%04x" % each for each in raw)}
    for before in range(3):
        start, end = (before * 8 + 5) // 6, (before + len(raw)) * 8 // 6
        shifted = b"\0" * before + raw
        found["base64+%d" % before] = base64.b64encode(shifted)[start:end]
        found["base64url+%d" % before] = base64.urlsafe_b64encode(shifted)[start:end]
    return found


def told(value, name):
    """A whole text with that spelling in it, as an origin would tell it."""
    if name.startswith("base64"):
        kind, before = name.split("+")
        encode = base64.urlsafe_b64encode if kind == "base64url" else base64.b64encode
        return encode(b"k:"[:int(before)] + value.encode()).decode()
    return of(value)[name].decode()


def alike(text, expected, name, begins=None):
    """Is it the same? In base64 the first and the last letter of a value are in part its neighbours'; of one that is told
    in pieces up to three letters are gone before it is known (`begins`: where it does)."""
    if len(text) != len(expected):
        return False
    free = range(begins, begins + 3) if begins is not None else ()
    differ = sum(one != other for at, (one, other) in enumerate(zip(text, expected)) if at not in free)
    return differ <= (2 if name.startswith("base64") else 0)


NAMES = list(of("x" * 16))


def wide(spellings):
    """The same, and as memory has text of two bytes a letter."""
    both = dict(spellings)
    both["two bytes a letter"] = spellings["plain"].decode().encode("utf-16-le")
    return both


def seen(data, values):
    """The first (name of a value, spelling) that is in `data`; None if there is none."""
    for name, value in values.items():
        for spelling, text in wide(of(value)).items():
            if text in data:
                return name, spelling
    return None


def pieces(data, value, least=12):
    """The longest run of `value` that is in `data`, if it is longer than `least` letters."""
    raw = value.encode()
    for size in range(len(raw), least, -1):
        for start in range(len(raw) - size + 1):
            if raw[start:start + size] in data:
                return raw[start:start + size]
    return None


def stripped(data):
    """Without what stands between the deltas of a stream."""
    return re.sub(rb"[^A-Za-z0-9_%\\+/=-]", b"", data)
