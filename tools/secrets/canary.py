"""The search for values where none may be: after success, and after each way to fail.

Searched are every process of a cage (memory, environment, arguments, descriptors, all files that it sees and can write), the
processes that the product starts beside it, and, when it is over, everything that was written: standard streams, the
person's folders (log, captures, HAR, receipts), the workspace, core files and the JVM's reports.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

import spellings
from stage import Absent, Failed, Stage

SOON = 90
PIECE = 1 << 20
KEY = {"Authorization": "Bearer $GITHUB_TOKEN"}


def children(pid):
    """Of a process, and of those, by their parents (proc_pid_stat(5))."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(errors="replace")
            except OSError:
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found, next_ones = [], [pid]
    while next_ones:
        below = parents.get(next_ones.pop(), [])
        found += below
        next_ones += below
    return found


def memory(pid):
    """What a process can read of its memory, in pieces that overlap; each with its range."""
    try:
        maps = pathlib.Path("/proc/%d/maps" % pid).read_text().splitlines()
        with open("/proc/%d/mem" % pid, "rb", buffering=0) as mem:
            for line in maps:
                bounds, rights = line.split()[:2]
                start, end = (int(each, 16) for each in bounds.split("-"))
                if "r" not in rights or "[v" in line:
                    continue
                for at in range(start, end, PIECE):
                    try:
                        mem.seek(at)
                        yield line, mem.read(min(PIECE + 4096, end - at))
                    except (OSError, ValueError, OverflowError):
                        continue
    except OSError:
        return


def holds(pid, values):
    """How many pieces of its memory have a value as it is."""
    return sum(value.encode() in data for _, data in memory(pid) for value in values.values())


class Hunt:
    """One run of hunted.py, and what is found."""

    def __init__(self, stage, *options, ready=None):
        self.stage, self.number = stage, 0
        self.process = subprocess.Popen(
            stage.line(["python3", stage.script("hunted.py")], *options), env=stage.environment, cwd=stage.workspace,
            stdin=subprocess.DEVNULL, stdout=open(stage.root / "out", "wb"), stderr=open(stage.root / "err", "wb"),
            preexec_fn=ready)

    def ask(self, *steps):
        """Has steps done, each a path of api.github.com or a whole step."""
        whole = [step if isinstance(step, list) else self.get(step) for step in steps]
        (self.stage.workspace / "new").write_text(json.dumps(whole))
        os.rename(self.stage.workspace / "new", self.stage.workspace / ("phase-%d.json" % self.number))

    def do(self, *steps, code=None):
        """The same; what came of each that was waited for."""
        self.ask(*steps)
        self.wait(lambda: (self.stage.workspace / ("phase-%d.said" % self.number)).exists(), "an answer of the cage")
        came = json.loads((self.stage.workspace / ("phase-%d.said" % self.number)).read_text())
        self.number += 1
        for answer in came:
            if code and answer[0] != code:
                raise Failed("%s came (expected: %d)" % (answer, code))
        return came

    def get(self, path, how="", method="GET", body="", fields=None):
        host = "" if path.startswith("https:") else self.stage.url("api.github.com")
        return [method, host + path, KEY if fields is None else fields, body, how]

    def wait(self, what, words):
        until = time.time() + SOON
        while not what():
            if time.time() > until:
                raise Failed("%s did not come in %d s: %s" % (words, SOON, self.said()[-900:]))
            if self.process.poll() is not None and not what():
                raise Failed("the run was over with %d before %s: %s" % (self.process.returncode, words, self.said()[-900:]))
            time.sleep(0.05)

    def said(self):
        return (self.stage.root / "out").read_bytes() + (self.stage.root / "err").read_bytes()

    def search(self, when):
        """Everything that lives below the supervisor; of the supervisor itself all but its memory."""
        values = self.stage.values
        found = children(self.process.pid)
        if len(found) < 2:
            raise Failed("%s: only %s live below the supervisor" % (when, found))
        for pid in [self.process.pid, *found]:
            self.records(pid, when)
        decoys = 0
        for pid in found:
            for line, data in memory(pid):
                decoys += b"GITHUB_TOKEN=ghp_" in data
                self.stage.clean(data, "%s: the memory of %s at %s" % (when, name(pid), line))
        if not decoys:
            raise Failed("%s: the search finds no decoy in the cage, so it finds nothing" % when)
        if os.geteuid() == 0 and not holds(self.process.pid, values):  # nobody else reads the supervisor's memory
            raise Failed("%s: the search does not find the value in the gateway" % when)
        self.files(found, when)
        self.stage.nothing_kept()

    def records(self, pid, when):
        for record in ("environ", "cmdline", "maps", "status", "comm", "mountinfo", "stack", "auxv"):
            try:
                data = pathlib.Path("/proc/%d/%s" % (pid, record)).read_bytes()
            except OSError:
                continue
            self.stage.clean(data, "%s: %s of %s" % (when, record, name(pid)))
        try:
            links = [os.readlink(link) for link in pathlib.Path("/proc/%d/fd" % pid).iterdir()]
        except OSError:
            links = []
        self.stage.clean("\n".join(links).encode(), "%s: the descriptors of %s" % (when, name(pid)))

    def files(self, pids, when):
        """What a cage has of its own: its home, its temporary files, its shared memory."""
        ours, seen = os.readlink("/proc/self/ns/mnt"), set()
        for pid in pids:
            try:
                space = os.readlink("/proc/%d/ns/mnt" % pid)
                home = re.search(rb"(?:^|\0)HOME=/([^\0]+)", pathlib.Path("/proc/%d/environ" % pid).read_bytes())
            except OSError:
                continue
            if space == ours or space in seen or not home:
                continue
            seen.add(space)
            for tree in (home.group(1).decode(), "tmp", "dev/shm", "var/tmp", "run"):
                for path in walk(pathlib.Path("/proc/%d/root" % pid) / tree):
                    self.stage.clean(path.read_bytes(), "%s: the cage's file %s" % (when, path))
        if not seen:
            raise Failed("%s: no process has a file tree of its own" % when)

    def end(self, code=0):
        """Ends it, and searches what is left."""
        (self.stage.workspace / "new").write_text('"END"')
        os.rename(self.stage.workspace / "new", self.stage.workspace / ("phase-%d.json" % self.number))
        self.over(code)

    def over(self, code=None):
        below = children(self.process.pid)
        try:
            ended = self.process.wait(timeout=SOON)
        except subprocess.TimeoutExpired:
            raise Failed("the run did not end: %s" % self.said()[-900:]) from None
        if code is not None and ended != code:
            raise Failed("the run ended with %d (expected: %d): %s" % (ended, code, self.said()[-900:].decode("latin-1")))
        until = time.time() + SOON
        while any(os.path.exists("/proc/%d" % pid) for pid in below) and time.time() < until:
            time.sleep(0.05)
        alive = [name(pid) for pid in below if os.path.exists("/proc/%d" % pid)]
        if alive:
            raise Failed("alive after the run: %s" % alive)
        self.stage.clean(self.said(), "what the run wrote")
        self.stage.nothing_kept()
        dumped = [str(path) for path, _ in self.stage.kept() if re.match(r"core|hs_err|.*\.hprof|.*\.mdmp", path.name)]
        if dumped:
            raise Failed("left behind: %s" % dumped)


def name(pid):
    try:
        return "%d (%s)" % (pid, pathlib.Path("/proc/%d/comm" % pid).read_text(errors="replace").strip())
    except OSError:
        return "%d (gone)" % pid


def walk(tree):
    for folder, _, names in os.walk(tree):
        for each in names:
            path = pathlib.Path(folder) / each
            if path.is_file() and not path.is_symlink() and path.stat().st_size < 64 * PIECE:
                yield path


def says(answer, *words):
    for each in words:
        if each not in answer[2]:
            raise Failed("the answer does not say %r: %s" % (each, answer))


def origins():
    """One cage: success, then every way in which an origin fails; a decoy elsewhere; a request too many."""
    with Stage(["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com], in: [header, query, path, body]}"],
               terms=", budget: {requests: 12/day}") as stage:
        hunt = Hunt(stage)
        hunt.do("/user", "/q?access_token=$GITHUB_TOKEN", "/p/$GITHUB_TOKEN/x", code=200)
        hunt.do(hunt.get("/b", method="POST", body='{"token": "$GITHUB_TOKEN"}',
                         fields=dict(KEY, **{"Content-Type": "application/json"})), code=200)
        stage.presented("api.github.com", "Bearer %s")
        if not any(stage.values["GITHUB_TOKEN"].encode() in body for body in stage.services.bodies):
            raise Failed("the body had no value when it arrived")
        hunt.search("after success")
        hunt.do("/bad/refuses", code=500)
        cut, coding, torn, head = hunt.do("/bad/cut", "/bad/coding", "/bad/torn", "/bad/head")
        says(coding, "coding that cannot be read")
        if 200 in (coding[0], head[0]):
            raise Failed("what cannot be read was let through: %s" % [coding, head])
        elsewhere, = hunt.do(hunt.get(stage.url("api.openai.com", "/x")), code=403)
        says(elsewhere, "urn:cagewright:problem:credential", "GITHUB_TOKEN")
        for _ in range(6):
            spent = hunt.do("/user")[0]
        if spent[0] == 200:
            raise Failed("the budget was not spent: %s" % spent)
        says(spent, "budget")
        stage.services.shutdown()
        stage.services.server_close()
        hunt.search("after every failure of an origin")
        hunt.end()


def withdrawn():
    """A stream goes on while its secret is removed; later its store cannot be read."""
    entries = ["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com]}",
               "{name: OPENAI_API_KEY, env: OPENAI_API_KEY, use_with: [api.openai.com]}"]
    with Stage(entries) as stage:
        hunt = Hunt(stage)
        other = hunt.get(stage.url("api.openai.com", "/nothing"), fields={"Authorization": "Bearer $OPENAI_API_KEY"})
        hunt.do("/user", code=200)
        hunt.do(hunt.get("/bad/stalls", how="behind"))
        hunt.wait(stage.services.stalled.is_set, "the stream")
        if stage.product("secret", "rm", "GITHUB_TOKEN").returncode != 0:
            raise Failed("the secret was not removed")
        hunt.wait(lambda: hunt.do("/user")[0][0] == 403, "the refusal of a secret that was removed")
        says(hunt.do("/user")[0], "GITHUB_TOKEN")
        hunt.search("while a stream lives whose secret is gone")
        store = next((stage.root / "state").rglob("user.secrets"))
        store.write_bytes(b"unreadable")
        hunt.wait(lambda: hunt.do(other)[0][0] == 403, "the refusal of a secret whose store is unreadable")
        hunt.search("with a store that cannot be read")
        stage.services.go_on.set()
        hunt.end()
        log = (stage.root / "state/cagewright/audit.jsonl").read_text()
        for words in ("was removed, has expired", "its store cannot be read"):
            if words not in log:
                raise Failed("the log does not say %r" % words)


def denied():
    """Somebody would have to agree, and nobody does; then the policy becomes narrower under a stream."""
    more = "approval: {timeout: 1s, require_for: [{http.request: {methods: [PUT], hosts: [api.github.com]}}]}\n"
    with Stage(["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com]}"], more=more) as stage:
        hunt = Hunt(stage, "--approvals", "wait")
        hunt.do("/user", code=200)
        hunt.do(hunt.get("/put", method="PUT", body="{}"), code=403)
        hunt.search("after nobody agreed")
        hunt.do(hunt.get("/bad/stalls", how="behind"))
        hunt.wait(stage.services.stalled.is_set, "the stream")
        stage.policy.write_text(stage.policy.read_text().replace("host: api.github.com", "host: api.gitlab.com"))
        hunt.wait(lambda: hunt.do("/user")[0][0] == 403, "the narrower policy")
        hunt.search("after the policy became narrower")
        hunt.end()


def killed(how):
    """The supervisor ends in the middle of a request, with core files allowed."""
    def ready():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def tries():
        with Stage(["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com]}"]) as stage:
            hunt = Hunt(stage, ready=ready)
            hunt.do("/user", code=200)
            hunt.do(hunt.get("/bad/stalls", how="behind"))
            hunt.wait(stage.services.stalled.is_set, "the stream")
            hunt.search("in the middle of a request")
            attach(hunt)
            os.kill(hunt.process.pid, how)
            hunt.over()
            if hunt.process.returncode == 0:
                raise Failed("it ended well")
            stage.services.go_on.set()
            if not stage.cage("python3", "-V"):
                raise Failed("no run after it")
            told = stage.product("ls")
            stage.clean(told.stdout + told.stderr, "ls")
            if b"interrupted" not in told.stdout:
                raise Failed("ls does not tell of it: %s" % told.stdout)
    return tries


def paused():
    """A decoy elsewhere, and a person who lets it go on, and then does not."""
    with Stage(["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com]}"]) as stage:
        stage.policy.write_text(stage.policy.read_text().replace("secrets: flag", "secrets: flag, decoys: pause"))
        hunt = Hunt(stage)
        hunt.do("/user", code=200)
        session = json.loads(stage.product("ls", "--json").stdout)[0]["id"]
        early = stage.product("resume", session)
        if early.returncode != 1 or b"does not stand still" not in early.stderr:
            raise Failed("a run that does not stand still was resumed: %s" % early)
        for words, sentence in ((("resume", session), b"goes on"), (("resume", "--end", session), b"is ended")):
            hunt.ask(hunt.get(stage.url("api.openai.com", "/x")))
            hunt.wait(lambda: b"paused" in stage.product("ls").stdout, "the pause")
            hunt.search("while it stands still")
            told = stage.product(*words)
            if told.returncode != 0 or sentence not in told.stderr + told.stdout:
                raise Failed("%s: %s" % (words, told))
            if words[1] == session:
                hunt.wait(lambda: (stage.workspace / ("phase-%d.said" % hunt.number)).exists(), "what came after it")
                hunt.number += 1
                hunt.do("/user", code=200)
        hunt.over()
        log = (stage.root / "state/cagewright/audit.jsonl").read_text()
        for name, words in (("run.paused", '"GITHUB_TOKEN"'), ("run.ordered", '"order":"resume"'), ("run.ordered", '"order":"end"')):
            if not any(name in line and words in line for line in log.splitlines()):
                raise Failed("the log has no %s with %s" % (name, words))
        receipt = stage.product("receipt", "show", session)
        stage.clean(receipt.stdout, "the receipt")
        if not re.search(rb"GITHUB_TOKEN, used [2-9] times", receipt.stdout):
            raise Failed("the receipt does not name the secret: %s" % receipt.stdout[-900:])


def full_disk():
    """The disk of log and questions is full when somebody agrees: nothing leaves, and with room again all goes on."""
    if os.geteuid() != 0:
        raise Absent("only root may mount a small disk")
    more = "approval: {timeout: 30s, require_for: [{http.request: {methods: [PUT], hosts: [api.github.com]}}]}\n"
    with Stage(["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com]}"], more=more, disk="16m") as stage:
        hunt = Hunt(stage, "--approvals", "wait")
        hunt.do("/user", code=200)
        hunt.ask(hunt.get("/put", method="PUT", body="{}"))
        hunt.wait(lambda: b"PUT" in stage.product("approvals").stdout, "the question")
        question = re.search(rb"[a-z2-7]{10}-\d+", stage.product("approvals").stdout).group().decode()
        filler = stage.root / "state/filler"
        with open(filler, "wb", buffering=0) as out:
            try:
                while True:
                    out.write(bytes(4096))
            except OSError:
                pass
        agreed = stage.product("approve", question)
        if agreed.returncode == 0 or b"No space left" not in agreed.stderr:
            raise Failed("it was agreed on a full disk: %s" % agreed)
        said = stage.workspace / ("phase-%d.said" % hunt.number)
        hunt.wait(said.exists, "the end of the question")
        hunt.number += 1
        if json.loads(said.read_text())[0][0] == 200 or any(b"{}" == body for body in stage.services.bodies):
            raise Failed("what nobody agreed to arrived: %s" % said.read_text())
        filler.unlink()
        hunt.wait(lambda: hunt.do("/user")[0][0] == 200, "an answer with room again")
        hunt.search("after the disk was full")
        hunt.end()
        checked = stage.product("audit", "verify")
        if checked.returncode not in (0, 6):
            raise Failed("the log is broken: %s" % checked)


def attach(hunt):
    """No tool of the JVM gets at its heap."""
    jcmd = shutil.which("jcmd")
    if not jcmd:
        return
    dump = hunt.stage.root / "taken.hprof"
    done = subprocess.run([jcmd, str(hunt.process.pid), "GC.heap_dump", str(dump)], capture_output=True, timeout=60)
    if done.returncode == 0 or dump.exists():
        raise Failed("a heap dump was taken: %s" % done.stdout)


TRIALS = {"search, origins that fail": origins, "search, secrets withdrawn": withdrawn, "search, denied and tightened": denied,
          "search, supervisor killed": killed(signal.SIGKILL), "search, supervisor crashed": killed(signal.SIGSEGV), "search, paused, resumed and ended": paused,
          "search, full disk while somebody agrees": full_disk}
