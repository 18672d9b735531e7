#!/usr/bin/env python3
"""Verifies audit logs, checkpoints and proofs of Cagewright. Needs Python 3.8 and nothing else.

    verify.py log LOG [--key PUB] [--checkpoint FILE]... [--since OLD] [--witness-key FILE]... [--require-witness N]
                      [--seal-key FILE] [--require-anchored] [--json]
    verify.py proof PROOF --key PUB [--line FILE] [--since OLD] [--witness-key FILE]... [--require-witness N] [--json]
    verify.py corpus FOLDER

Written from docs/audit-format.md alone and shares no code with the product: where both agree, the document is right.
Ends with 0 when all is well, 1 when something is broken or not proven, 6 when lines are not anchored and
--require-anchored is given or the end of a sealed log cannot be shown to be complete, 7 when such an end was cut, 2 when
the words are wrong, 125 when a file cannot be read.
"""

import base64
import binascii
import functools
import hashlib
import hmac
import json
import os
import re
import sys
import unicodedata

MAX_LINE = 1 << 20
MAX_DEPTH = 64
MAX_NOTE = 256 << 10
MAX_SIGNATURES = 64
MAX_PROOF = 2 << 20
MAX_HASHES = 64
ORIGIN = "cagewright.dev/log/"
FROZEN = "log extended after panic freeze"


class Broken(Exception):
    """The log, or something beside it, is not what was written. Line 0: not about a line."""

    def __init__(self, line, offset, reason):
        super().__init__(reason)
        self.line = line
        self.offset = offset
        self.reason = reason


class Malformed(Exception):
    """Bytes do not have the form they should have."""


# ---- Ed25519, RFC 8032 section 5.1 ------------------------------------------------------------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def point_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_double(p):
    a, b, c = p[0] * p[0] % P, p[1] * p[1] % P, 2 * p[2] * p[2] % P
    h = a + b
    e = h - (p[0] + p[1]) ** 2
    g = a - b
    f = c + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_sum(s, p, t, q):
    """s times p and t times q, together."""
    both = point_add(p, q)
    result = (0, 1, 1, 0)
    for bit in range(max(s.bit_length(), t.bit_length()) - 1, -1, -1):
        result = point_double(result)
        choice = (s >> bit & 1, t >> bit & 1)
        if choice != (0, 0):
            result = point_add(result, both if choice == (1, 1) else p if choice[0] else q)
    return result


def point_equal(p, q):
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def point_of(data):
    """The point that 32 bytes encode, or None."""
    y = int.from_bytes(data, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


@functools.lru_cache(maxsize=4096)
def ed25519_verifies(key, message, signature):
    if len(key) != 32 or len(signature) != 64:
        return False
    a = point_of(key)
    r = point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return point_equal(point_sum(s, BASE, k, (P - a[0], a[1], 1, P - a[3])), r)


# ---- strict JSON ------------------------------------------------------------------------------------------------------


class Number(str):
    """A JSON number by its text."""


NUMBER = re.compile(rb"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
NUMBER_PART = re.compile(rb"[0-9+.eE-]*")
PLAIN = re.compile(rb'[^\x00-\x1f"\\]*')
ESCAPES = {0x22: '"', 0x5C: "\\", 0x2F: "/", 0x62: "\b", 0x66: "\f", 0x6E: "\n", 0x72: "\r", 0x74: "\t"}


class Json:
    """Reads one value without any blank between tokens. Objects become lists of (name, value)."""

    def __init__(self, data):
        self.data = data
        self.at = 0
        self.depth = 0

    def whole(self):
        value = self.value()
        if self.at != len(self.data):
            raise Malformed("there is more text behind the value")
        return value

    def peek(self):
        if self.at >= len(self.data):
            raise Malformed("the text ends in the middle of a value")
        return self.data[self.at]

    def value(self):
        c = self.peek()
        if c == 0x7B:
            return self.container(0x7D, self.member, Object)
        if c == 0x5B:
            return self.container(0x5D, self.value, list)
        if c == 0x22:
            return self.string()
        for word, meaning in ((b"true", True), (b"false", False), (b"null", None)):
            if self.data.startswith(word, self.at):
                self.at += len(word)
                return meaning
        return self.number()

    def container(self, close, item, kind):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Malformed("nested deeper than %d" % MAX_DEPTH)
        self.at += 1
        items = []
        if self.peek() == close:
            self.at += 1
        else:
            while True:
                items.append(item())
                c = self.peek()
                self.at += 1
                if c == close:
                    break
                if c != 0x2C:
                    raise Malformed("expected ',' or the end")
        self.depth -= 1
        return kind(items)

    def member(self):
        if self.peek() != 0x22:
            raise Malformed("expected a member's name in double quotes")
        name = self.string()
        if self.peek() != 0x3A:
            raise Malformed("expected ':'")
        self.at += 1
        return (name, self.value())

    def number(self):
        part = NUMBER_PART.match(self.data, self.at).group()
        if len(part) > 1024 or not NUMBER.fullmatch(part):
            raise Malformed("expected a value")
        self.at += len(part)
        return Number(part.decode("ascii"))

    def string(self):
        self.at += 1
        parts = []
        while True:
            run = PLAIN.match(self.data, self.at).group()
            try:
                parts.append(run.decode("utf-8"))
            except UnicodeDecodeError:
                raise Malformed("not valid UTF-8") from None
            self.at += len(run)
            c = self.peek()
            self.at += 1
            if c == 0x22:
                return "".join(parts)
            if c != 0x5C:
                raise Malformed("a control character must be escaped")
            parts.append(self.escape())

    def escape(self):
        c = self.peek()
        self.at += 1
        if c in ESCAPES:
            return ESCAPES[c]
        digits = self.data[self.at : self.at + 4]
        if c != 0x75 or not re.fullmatch(rb"[0-9a-fA-F]{4}", digits):
            raise Malformed("unknown escape")
        self.at += 4
        return chr(int(digits, 16))


class Object(list):
    """Members in order."""

    def __init__(self, members):
        super().__init__(members)
        names = [utf16(name) for name, _ in members]
        if len(set(names)) < len(names):
            raise Malformed("duplicate member")

    def get(self, name):
        return next((value for key, value in self if key == name), None)

    def names(self):
        return [name for name, _ in self]


def utf16(text):
    return text.encode("utf-16-be", "surrogatepass")


# ---- lines ------------------------------------------------------------------------------------------------------------

MEMBERS = ["seq", "time", "session", "cage", "id", "kind", "action", "decision", "rules", "detail", "prev", "hash"]
SEQ = re.compile(r"[1-9][0-9]{0,17}")
WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{6}Z")
ENDING = re.compile(rb',"prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"}')
HEX64 = re.compile(r"[0-9a-f]{64}")


class Line:
    def __init__(self, data):
        if len(data) > MAX_LINE:
            raise Malformed("it is too long")
        ending = ENDING.fullmatch(data[-149:])
        if not ending or len(data) <= 149:
            raise Malformed("it does not end in prev and hash")
        self.data = data
        self.prev, self.hash = ending.group(1), ending.group(2)
        self.members = Json(data).whole()
        if not isinstance(self.members, Object) or self.members.names() != MEMBERS:
            raise Malformed("its members are not those of a line, in their order")
        self.check()

    def check(self):
        get = self.members.get
        seq = get("seq")
        if not isinstance(seq, Number) or not SEQ.fullmatch(seq):
            raise Malformed("seq is not a whole number from 1 on")
        self.seq = int(seq)
        for name in ("time", "session", "cage", "id", "kind", "decision", "prev", "hash"):
            if type(get(name)) is not str:
                raise Malformed(name + " is not a text")
        for name in ("session", "cage", "id", "decision"):
            if len(utf16(get(name))) > 2048:
                raise Malformed(name + " is too long")
        self.time, self.kind = get("time"), get("kind")
        if not is_time(self.time):
            raise Malformed("time is not a UTC time")
        if self.kind not in ("intent", "outcome", "note"):
            raise Malformed("kind is none of intent, outcome and note")
        self.action, self.detail = get("action"), get("detail")
        if not isinstance(self.action, Object) or not isinstance(self.detail, Object):
            raise Malformed("action or detail is not an object")
        rules = get("rules")
        if type(rules) is not list or any(type(rule) is not str for rule in rules):
            raise Malformed("rules is not a list of texts")

    def says(self, name):
        """Is this a note of the log itself, of that name?"""
        return self.kind == "note" and self.action.get("name") == name and type(self.action.get("name")) is str

    def expected_hash(self, prev):
        return hashlib.sha256(prev + self.data[:-75]).hexdigest().encode("ascii")


def is_time(text):
    found = TIME.fullmatch(text)
    if not found:
        return False
    year, month, day, hour, minute, second = map(int, found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1 <= month <= 12 and 1 <= day <= days[month - 1] and hour < 24 and minute < 60 and second < 60


# ---- seals ------------------------------------------------------------------------------------------------------------


def keyed(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


class Seals:
    """What must be true of the seals of a log; with the seal key, their MACs too."""

    def __init__(self, key=None):
        self.key = key
        self.begun = 0
        self.steps = {}
        self.ended = set()
        self.over = {}
        self.last = 0
        self.step_keys = {}

    def take(self, line):
        get = line.members.get
        if line.kind != "note" or any(get(name) for name in ("session", "cage", "id", "decision", "rules")) or line.action.names() != ["name"]:
            raise Malformed("the seal has members that a seal leaves empty")
        detail = line.detail
        part = detail.get("part")
        names = ["part", "epoch", "step", "opened", "over", "mac"]
        if part != "begin":
            names.remove("over")
        if part not in ("begin", "batch", "end") or detail.names() != names:
            raise Malformed("the seal's detail has not the form of a seal")
        epoch, step, opened = (self.whole(detail.get(name)) for name in ("epoch", "step", "opened"))
        over = [self.whole(value) for value in detail.get("over")] if part == "begin" else []
        mac = detail.get("mac")
        if type(mac) is not str or not HEX64.fullmatch(mac) or line.data[-223:-149] != b',"mac":"%s"}' % mac.encode():
            raise Malformed("the seal's mac has not its form")
        if part == "begin":
            self.begin(epoch, step, over, line.seq)
        elif self.begun <= epoch or epoch in self.ended or epoch in self.over or step != self.steps[epoch] + 1:
            raise Malformed("the seal does not follow its epoch")
        else:
            self.steps[epoch] = step
        if opened != self.begun:
            raise Malformed("the seal counts other epochs than have begun")
        if part == "end":
            self.ended.add(epoch)
        if self.key is not None and not hmac.compare_digest(self.mac(epoch, line), mac):
            raise Malformed("the seal's mac is wrong")
        self.last = line.seq
        return part

    @staticmethod
    def whole(value):
        if not isinstance(value, Number) or not WHOLE.fullmatch(value):
            raise Malformed("the seal has a number that is none")
        return int(value)

    def begin(self, epoch, step, over, seq):
        if epoch != self.begun or step != 0:
            raise Malformed("the seal begins another epoch than the next")
        if over != sorted(set(over)) or any(old >= self.begun for old in over):
            raise Malformed("the seal names epochs as over that it cannot")
        for old in over:
            if old not in self.ended:
                self.over[old] = seq
        self.steps[epoch] = 0
        self.begun += 1

    def mac(self, epoch, line):
        if line.detail.get("part") == "begin":
            self.step_keys[epoch] = keyed(self.key, b"cagewright audit seal: first step")
            self.key = keyed(self.key, b"cagewright audit seal: next epoch")
        else:
            self.step_keys[epoch] = keyed(self.step_keys[epoch], b"cagewright audit seal: next step")
        return keyed(self.step_keys[epoch], line.prev, line.data[:-223]).hex()


# ---- the tree, RFC 9162 section 2.1 -----------------------------------------------------------------------------------


def leaf_hash(data):
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """The roots of the complete subtrees, the largest first."""

    def __init__(self):
        self.size = 0
        self.roots = []

    def add(self, leaf):
        bits = self.size
        while bits & 1:
            leaf = node_hash(self.roots.pop(), leaf)
            bits >>= 1
        self.roots.append(leaf)
        self.size += 1

    def root(self):
        if not self.roots:
            return hashlib.sha256().digest()
        root = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            root = node_hash(left, root)
        return root


def inclusion_root(index, size, leaf, path):
    """The root that a leaf at this place has with this path, or None: by the recursive definition of a path."""
    if size == 1:
        return leaf if not path else None
    if not path:
        return None
    k = 1 << ((size - 1).bit_length() - 1)
    if index < k:
        left, right = inclusion_root(index, k, leaf, path[:-1]), path[-1]
    else:
        left, right = path[-1], inclusion_root(index - k, size - k, leaf, path[:-1])
    return None if left is None or right is None else node_hash(left, right)


def consistency_roots(old, size, path, old_root, whole):
    """Both roots that a path gives, or None: by the recursive definition of a proof."""
    if old == size:
        if whole:
            return (old_root, old_root) if not path else None
        return (path[0], path[0]) if len(path) == 1 else None
    if not path:
        return None
    k = 1 << ((size - 1).bit_length() - 1)
    if old <= k:
        left = consistency_roots(old, k, path[:-1], old_root, whole)
        return left and (left[0], node_hash(left[1], path[-1]))
    right = consistency_roots(old - k, size - k, path[:-1], old_root, False)
    return right and (node_hash(path[-1], right[0]), node_hash(path[-1], right[1]))


def consistent(old, size, path, old_root, new_root):
    if old == 0 or old == size:
        return not path and old_root == (new_root if old == size else hashlib.sha256().digest())
    return consistency_roots(old, size, path, old_root, True) == (old_root, new_root)


# ---- notes ------------------------------------------------------------------------------------------------------------

MAX_ANCHOR = 16 << 20
NEXT = re.compile(rb"(?<=\n)(?=" + re.escape(ORIGIN.encode()) + rb")")
DASH = "\u2014 "
CHECKPOINT = re.compile(
    re.escape(ORIGIN)
    + r"([0-9a-f]{32})\n([1-9][0-9]{0,17})\n([A-Za-z0-9+/]{43}=)\nhead ([0-9a-f]{64})\n"
    + r"time ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z)\n"
)


def canonical(text):
    """The bytes that `text` is the one base64 form of."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError, ValueError):
        raise Malformed("is not base64") from None
    if base64.b64encode(data).decode("ascii") != text:
        raise Malformed("is not base64 in its one form")
    return data


def is_name(text):
    return text != "" and all(
        c != "+" and c > " " and unicodedata.category(c) not in ("Zs", "Zl", "Zp", "Cc") for c in text
    )


class Checkpoint:
    def __init__(self, data):
        if len(data) > MAX_NOTE:
            raise Malformed("is too long")
        try:
            whole = data.decode("utf-8")
        except UnicodeDecodeError:
            raise Malformed("is not UTF-8") from None
        if any(c < " " and c != "\n" for c in whole):
            raise Malformed("contains control characters")
        blank = whole.rfind("\n\n")
        if blank < 0:
            raise Malformed("has no blank line before its signatures")
        self.text = whole[: blank + 1]
        self.signatures = self.parse_signatures(whole[blank + 2 :])
        found = CHECKPOINT.fullmatch(self.text)
        if not found:
            raise Malformed("does not have the lines of a checkpoint")
        self.log, size, root, head, self.time = found.groups()
        self.size = int(size)
        self.root = canonical(root)
        self.head = head.encode("ascii")
        self.found = {}

    @staticmethod
    def parse_signatures(text):
        if not text.endswith("\n"):
            raise Malformed("does not end in a signature line")
        found = []
        for line in text[:-1].split("\n"):
            name, space, value = line[len(DASH) :].rpartition(" ")
            if not line.startswith(DASH) or not space or not is_name(name):
                raise Malformed("has a signature line that is none")
            data = canonical(value)
            if len(data) < 5:
                raise Malformed("has a signature line that is none")
            found.append((name, data[:4], data[4:]))
            if len(found) > MAX_SIGNATURES:
                raise Malformed("has too many signatures")
        return found

    def signed(self, name, kind, key):
        """True: signed. False: not signed. None: forged."""
        if (name, kind, key) not in self.found:
            self.found[name, kind, key] = self.find(name, kind, key)
        return self.found[name, kind, key]

    def find(self, name, kind, key):
        key_id = hashlib.sha256(name.encode("utf-8") + b"\n" + bytes([kind]) + key).digest()[:4]
        answer = False
        for line_name, line_id, signature in self.signatures:
            if line_name == name and line_id == key_id:
                if not self.verifies(kind, key, signature):
                    return None
                answer = True
        return answer

    def verifies(self, kind, key, signature):
        message = self.text.encode("utf-8")
        if kind == 1:
            return ed25519_verifies(key, message, signature)
        if len(signature) != 72 or signature[0] & 0x80:
            return False
        time = int.from_bytes(signature[:8], "big")
        return ed25519_verifies(key, b"cosignature/v1\ntime %d\n" % time + message, signature[8:])


class Trust:
    """Whose signatures count."""

    def __init__(self, key=None, witnesses=(), quorum=0):
        self.key = key
        self.witnesses = witnesses
        self.quorum = quorum

    def objection(self, checkpoint):
        if self.key is not None and checkpoint.signed(ORIGIN + checkpoint.log, 1, self.key) is not True:
            return "is not signed with the pinned key"
        for name, key in self.witnesses:
            if checkpoint.signed(name, 4, key) is None:
                return "carries a wrong signature of the witness " + name
        return None

    def counts(self, checkpoint):
        cosigned = sum(checkpoint.signed(name, 4, key) is True for name, key in self.witnesses)
        return self.key is not None and self.objection(checkpoint) is None and cosigned >= self.quorum


# ---- logs -------------------------------------------------------------------------------------------------------------


class Verifier:
    """One pass over one log."""

    def __init__(self, path, trust, more=(), seal_key=None):
        self.path = path
        self.trust = trust
        self.more = more
        self.seals = Seals(seal_key)
        self.tree = Tree()
        self.head, self.time, self.id = b"0" * 64, "", ""
        self.offset = 0
        self.frozen = False
        self.closed = False
        self.open_intents = {}
        self.anchored = 0
        self.counted = 0

    def verify(self):
        waiting = self.checkpoints()
        if not os.path.lexists(self.path):
            raise Broken(0, 0, "there is no log at %s" % self.path)
        rest = b""
        with open(self.path, "rb") as file:
            while True:
                data = file.readline(MAX_LINE + 2)
                if not data:
                    break
                if b"\0" in data:
                    rest = data[: data.index(b"\0")]
                    self.zeros(file, data[len(rest) :])
                    break
                if not data.endswith(b"\n"):
                    if len(data) > MAX_LINE:
                        raise self.broken("the line is too long")
                    rest = data
                    break
                self.line(data[:-1])
                for checkpoint in waiting.pop(self.tree.size, []):
                    self.hold(checkpoint, len(data))
        if rest:
            raise self.broken(FROZEN if self.frozen else "the last line is torn")
        if self.tree.size == 0:
            raise self.broken("the log is empty")
        if waiting:
            raise self.broken("the log ends here, but a checkpoint was signed for line %d" % max(waiting))

    def zeros(self, file, data):
        """What stands behind a zero byte must be zeros: space that the writer laid out ahead."""
        while data:
            if data.strip(b"\0"):
                raise self.broken("zero bytes stand before other bytes")
            data = file.read(1 << 16)

    def broken(self, reason):
        return Broken(self.tree.size + 1, self.offset, reason)

    def checkpoints(self):
        found = []
        folder, name = os.path.split(os.path.abspath(self.path))
        prefix = name + ".checkpoint."
        beside = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        for file in [os.path.join(folder, entry) for entry in beside if entry.startswith(prefix)]:
            checkpoint = self.read_checkpoints(file, lambda data: [data], MAX_NOTE + 1)[0]
            if os.path.basename(file) != prefix + str(checkpoint.size):
                raise Broken(0, 0, "checkpoint %s is about line %d" % (file, checkpoint.size))
            found.append(checkpoint)
        for file in self.more:
            found += self.read_checkpoints(file, NEXT.split, MAX_ANCHOR)
        if self.trust.quorum > 0 and not any(map(self.trust.counts, found)):
            raise Broken(0, 0, "no checkpoint carries enough cosignatures of the named witnesses")
        waiting = {}
        for checkpoint in found:
            waiting.setdefault(checkpoint.size, []).append(checkpoint)
        return waiting

    def read_checkpoints(self, file, split, most):
        try:
            found = [Checkpoint(note) for note in split(read(file, most, follow=False))]
        except (Malformed, OSError) as e:
            raise Broken(0, 0, "checkpoint %s %s" % (file, e)) from None
        for checkpoint in found:
            objection = self.trust.objection(checkpoint)
            if objection:
                raise Broken(0, 0, "checkpoint %s %s" % (file, objection))
        return found

    def line(self, data):
        try:
            line = Line(data)
        except Malformed as e:
            raise self.broken(FROZEN if self.frozen else "the line cannot be read: %s" % e) from None
        seal = line.action.get("name") == "log.seal"
        if self.frozen and (not seal or self.closed or self.seals.begun == 0 or line.detail.get("part") != "end"):
            raise self.broken(FROZEN)
        if line.seq != self.tree.size + 1:
            raise self.broken("seq is %d where %d must follow" % (line.seq, self.tree.size + 1))
        if line.prev != self.head:
            raise self.broken("prev is not the hash of the line above")
        if line.time < self.time:
            raise self.broken("time goes backwards")
        if line.hash != line.expected_hash(self.head):
            raise self.broken("the line's bytes do not give its hash")
        if line.seq == 1 and not line.says("log.begin"):
            raise self.broken("the first line does not begin a log")
        self.meaning(line, seal)
        self.tree.add(leaf_hash(data))
        self.head, self.time = line.hash, line.time
        self.offset += len(data) + 1

    def meaning(self, line, seal):
        if line.seq == 1:
            log = line.detail.get("log")
            self.id = log if type(log) is str else ""
        if seal:
            try:
                self.seals.take(line)
            except Malformed as e:
                raise self.broken(str(e)) from None
            self.closed = self.frozen
        if line.says("log.panic"):
            self.frozen = True
        name = line.members.get("id")
        if line.kind == "intent" and line.members.get("decision") == "allow" and name:
            self.open_intents[name] = True
        elif line.kind == "outcome":
            self.open_intents.pop(name, None)

    def hold(self, checkpoint, length):
        start = self.offset - length
        if checkpoint.log != self.id:
            raise Broken(1, 0, "the checkpoint of line %d is about another log" % checkpoint.size)
        if checkpoint.head != self.head:
            raise Broken(checkpoint.size, start, "the line is not the one that its checkpoint was signed for")
        if checkpoint.root != self.tree.root():
            raise Broken(
                checkpoint.size, start, "the lines up to here do not give the root that a checkpoint was signed for"
            )
        if self.trust.counts(checkpoint):
            self.anchored = checkpoint.size
            self.counted += 1

    def sealing(self):
        """`none`, `unchecked`, `complete`, `unanchored` or `cut`; see "How the end is judged"."""
        seals = self.seals
        try:
            state = SealState(read(self.path + ".seal", 131073, follow=False), self.id)
        except (Malformed, OSError):
            state = None
        if state is not None:
            ahead = state.epoch > seals.begun and not (seals.begun == 0 and state.closed is None)
            if ahead or (state.closed is not None and not self.has_end(state.closed)):
                return "cut"
        if seals.key is None:
            return "unchecked" if seals.begun else "none"
        if seals.begun and self.frozen and self.closed:
            return "complete"
        unended = [epoch for epoch in range(seals.begun) if epoch not in seals.ended and epoch not in seals.over]
        late = max(seals.over.values(), default=0) > self.anchored
        follows = state is not None and (state.epoch > seals.begun or state.key == seals.key)
        whole = seals.begun and seals.last == self.tree.size and not unended and not late and follows
        return "complete" if whole else "unanchored"

    def has_end(self, closed):
        epoch, step = closed
        return epoch in self.seals.ended and self.seals.steps[epoch] == step


class SealState:
    """The place of `<log>.seal` that counts."""

    FORM = re.compile(
        rb"cagewright audit seal state v1\nlog ([0-9a-f]{32})\nserial (0|[1-9][0-9]{0,17})\nepoch (0|[1-9][0-9]{0,17})\n"
        rb"key ([0-9a-f]{64})\nopen ([0-9 ]+|-)\nclosed (?:([0-9]+) ([0-9]+)|-)\n(?:sum ([0-9a-f]{64})\n)\x00*"
    )

    def __init__(self, data, log):
        best = None
        for place in (data[:65536], data[65536:]):
            found = self.FORM.fullmatch(place)
            if not found or found.group(1) != log.encode("ascii", "replace"):
                continue
            above = place[: place.index(b"sum ")]
            if hashlib.sha256(above).hexdigest().encode() == found.group(8):
                if best is None or int(found.group(2)) > int(best.group(2)):
                    best = found
        if best is None:
            raise Malformed("no place of the seal state counts")
        self.epoch = int(best.group(3))
        self.key = bytes.fromhex(best.group(4).decode())
        self.closed = (int(best.group(6)), int(best.group(7))) if best.group(6) else None


# ---- proofs -----------------------------------------------------------------------------------------------------------


class Proof:
    """The lines above the blank line, and the checkpoint below it."""

    def __init__(self, data):
        if len(data) > MAX_PROOF:
            raise Malformed("is too long")
        above, blank, below = data.partition(b"\n\n")
        if not blank:
            raise Malformed("has no blank line above its checkpoint")
        if any(c != 0x0A and not 0x20 <= c <= 0x7E for c in above):
            raise Malformed("contains other characters than ASCII")
        self.lines = above.decode("ascii").split("\n")
        self.checkpoint = Checkpoint(below)

    def number(self, word):
        line = self.lines.pop(0) if self.lines else ""
        if not line.startswith(word + " ") or not WHOLE.fullmatch(line[len(word) + 1 :]):
            raise Malformed('has no line "%s <number>" where it belongs' % word)
        return int(line[len(word) + 1 :])

    def hashes(self):
        if len(self.lines) > MAX_HASHES:
            raise Malformed("has too many hashes")
        found = [canonical(line) for line in self.lines]
        if any(len(value) != 32 for value in found):
            raise Malformed("has a line that is no hash")
        return found


def check_inclusion(data, trust, line):
    """The number and the bytes of the line that is proven."""
    proof = Proof(data)
    if proof.lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise Malformed("does not start with c2sp.org/tlog-proof@v1")
    extra = None
    if proof.lines and proof.lines[0].startswith("extra "):
        extra = canonical(proof.lines.pop(0)[6:])
    index = proof.number("index")
    size = proof.checkpoint.size
    if index >= size:
        raise Malformed("is about a line behind its checkpoint")
    path = proof.hashes()
    if not trust.counts(proof.checkpoint):
        raise Malformed("has a checkpoint that " + (trust.objection(proof.checkpoint) or "lacks cosignatures"))
    line = extra if line is None else line
    if line is None:
        raise Malformed("does not carry its line, and none was given")
    if inclusion_root(index, size, leaf_hash(line), path) != proof.checkpoint.root:
        raise Malformed("does not lead from its line to its checkpoint's root")
    if Line(line).seq != index + 1:
        raise Malformed("is about a line that calls itself another")
    return index + 1, line


def check_consistency(data, trust, old):
    proof = Proof(data)
    size = proof.number("old")
    if size > proof.checkpoint.size:
        raise Malformed("is about an older log that is longer than its checkpoint's")
    path = proof.hashes()
    for checkpoint in (old, proof.checkpoint):
        if not trust.counts(checkpoint):
            raise Malformed("has a checkpoint that " + (trust.objection(checkpoint) or "lacks cosignatures"))
    if old.log != proof.checkpoint.log:
        raise Malformed("is about another log than the older checkpoint")
    if old.size != size or not consistent(size, proof.checkpoint.size, path, old.root, proof.checkpoint.root):
        raise Malformed("does not lead from the older checkpoint to the newer one")
    return old.size, proof.checkpoint.size


# ---- words ------------------------------------------------------------------------------------------------------------


def read(path, most=4 << 20, follow=True):
    flags = os.O_RDONLY | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    with os.fdopen(os.open(path, flags), "rb") as file:
        return file.read(most)


def hex_key(path):
    text = read(path, 67).rstrip(b"\r\n")
    if not re.fullmatch(rb"[0-9a-fA-F]{64}", text):
        raise OSError("key file %s does not hold 64 hexadecimal digits" % path)
    return bytes.fromhex(text.decode("ascii"))


def witness_key(path):
    parts = read(path, 4096).decode("utf-8").strip().split("+", 2)
    try:
        name, key_id, material = parts[0], parts[1], canonical(parts[2])
    except (IndexError, Malformed):
        raise OSError("key file %s holds no verifier key" % path) from None
    expected = hashlib.sha256(name.encode("utf-8") + b"\n" + material).hexdigest()[:8]
    if len(material) != 33 or material[0] != 4 or not is_name(name) or key_id != expected:
        raise OSError("key file %s holds no verifier key of a witness" % path)
    return name, material[1:]


def judge_log(path, trust, more=(), seal_key=None):
    verifier = Verifier(path, trust, more, seal_key)
    try:
        verifier.verify()
    except Broken as e:
        return {"intact": False, "line": e.line, "offset": e.offset, "reason": e.reason}
    return {
        "intact": True,
        "log": verifier.id,
        "events": verifier.tree.size,
        "head": verifier.head.decode("ascii"),
        "root": base64.b64encode(verifier.tree.root()).decode("ascii"),
        "anchored": verifier.anchored,
        "unanchored": verifier.tree.size - verifier.anchored,
        "checkpoints_verified": verifier.counted,
        "interrupted": list(verifier.open_intents)[:100000],
        "frozen": verifier.frozen,
        "sealing": verifier.sealing(),
    }


def judge_proof(data, trust, line=None, old=None):
    try:
        if old is not None:
            start, end = check_consistency(data, trust, Checkpoint(old))
            return {"proven": True, "from": start, "to": end}
        seq, line = check_inclusion(data, trust, line)
        return {"proven": True, "line": seq, "hash": Line(line).hash.decode("ascii")}
    except Malformed as e:
        return {"proven": False, "reason": "the proof " + str(e)}


def corpus(folder):
    """Each case is a folder with a log and, or, a proof: one JSON line for each, by name."""
    pinned = os.path.join(folder, "key.pub.hex")
    key = hex_key(pinned) if os.path.exists(pinned) else None
    witness = os.path.join(folder, "witness.vkey")
    witnesses = [witness_key(witness)] if os.path.exists(witness) else []
    seal = os.path.join(folder, "seal.hex")
    seal_key = hex_key(seal) if os.path.exists(seal) else None
    for name in sorted(os.listdir(folder)):
        case = os.path.join(folder, name)
        if not os.path.isdir(case):
            continue
        trust = Trust(key, witnesses, 1 if os.path.exists(os.path.join(case, "witnessed")) else 0)
        answer = {"case": name}
        if os.path.exists(os.path.join(case, "log")):
            answer["log"] = judge_log(os.path.join(case, "log"), trust, (), seal_key)
        if os.path.exists(os.path.join(case, "proof")):
            data = read(os.path.join(case, "proof"))
            old = os.path.join(case, "old")
            answer["proof"] = judge_proof(data, trust, None, read(old) if os.path.exists(old) else None)
        print(json.dumps(answer, sort_keys=True))
    return 0


OPTIONS = {"--key": 1, "--checkpoint": 1, "--since": 1, "--witness-key": 1, "--require-witness": 1, "--seal-key": 1,
           "--line": 1, "--require-anchored": 0, "--json": 0}  # fmt: skip


def words(arguments):
    given, rest = {}, []
    arguments = list(arguments)
    while arguments:
        word = arguments.pop(0)
        if word in OPTIONS:
            if OPTIONS[word] and not arguments:
                raise ValueError(word + " needs a value")
            given.setdefault(word, []).append(arguments.pop(0) if OPTIONS[word] else True)
        elif word.startswith("-"):
            raise ValueError("no such option: " + word)
        else:
            rest.append(word)
    return given, rest


def trust_of(given):
    witnesses = [witness_key(path) for path in given.get("--witness-key", [])]
    quorum = int(given.get("--require-witness", ["0"])[-1])
    if not 0 <= quorum <= len({key for _, key in witnesses}):
        raise ValueError("--require-witness asks for more witnesses than are named")
    key = hex_key(given["--key"][-1]) if "--key" in given else None
    return Trust(key, witnesses, quorum)


def tell(answer, given):
    if "--json" in given:
        print(json.dumps(answer))
    elif answer.get("intact") or answer.get("proven"):
        print("ok: " + ", ".join("%s %s" % item for item in answer.items() if item[0] not in ("intact", "proven")))
    elif "intact" in answer:
        print("broken: line %(line)d (byte %(offset)d): %(reason)s" % answer)
    else:
        print("not proven: " + ascii(answer["reason"])[1:-1])


def main(arguments):
    given, rest = words(arguments)
    if "--help" in arguments or len(rest) != 2 or rest[0] not in ("log", "proof", "corpus"):
        raise ValueError(__doc__)
    command, path = rest
    if command == "corpus":
        return corpus(path)
    trust = trust_of(given)
    if command == "proof":
        if trust.key is None:
            raise ValueError("proof: --key is missing")
        line = read(given["--line"][-1]) if "--line" in given else None
        line = line[:-1] if line is not None and line.endswith(b"\n") else line
        old = read(given["--since"][-1]) if "--since" in given else None
        answer = judge_proof(read(path), trust, line, old)
        tell(answer, given)
        return 0 if answer["proven"] else 1
    seal_key = hex_key(given["--seal-key"][-1]) if "--seal-key" in given else None
    answer = judge_log(path, trust, given.get("--checkpoint", []) + given.get("--since", []), seal_key)
    tell(answer, given)
    if not answer["intact"]:
        return 1
    if answer["sealing"] == "cut":
        return 7
    return 6 if answer["sealing"] == "unanchored" or ("--require-anchored" in given and answer["unanchored"]) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ValueError as wrong:
        print(wrong, file=sys.stderr)
        sys.exit(2)
    except OSError as wrong:
        print("verify.py: %s" % wrong, file=sys.stderr)
        sys.exit(125)
