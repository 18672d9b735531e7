"""What the clients of docs/clients.md are tried with: an origin on this machine, a policy, cages of the built product."""

import contextlib
import datetime
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
PRODUCT = pathlib.Path(os.environ.get("CAGEWRIGHT", HERE.parent.parent / "cagewright"))
PATH = "/usr/local/bin:/usr/bin:/bin"
HANGS = 20.0  # seconds: a denial that takes longer on a busy machine is no answer
SOON = 3.0  # seconds that the table takes for granted
POLICY = """tool: clients
min_isolation: namespaces
fs:
  mounts:
    - {path: /workspace, mode: rw}
net:
  mode: allowlist
%(registries)s  hosts:
    - host: origin.test
      ports: [%(ports)s]
      methods: [GET, HEAD, POST, PUT, DELETE, OPTIONS]
      paths: ["/ok/**", "/ok.Greeter/**"]
      addresses: [127.0.0.1]
      upstream_ca: %(roots)s
resources: {memory: 3GiB, processes: 512, timeout: 15m, output: 10MiB}
"""


STEPS = """import subprocess, sys, time
for n in range(int(sys.argv[1])):
    words = open("steps/%d.words" % n).read().split("\\0")[:-1]
    began = time.time()
    with open("steps/%d.out" % n, "wb") as out, open("steps/%d.err" % n, "wb") as err:
        try:
            code = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=400).returncode
        except (subprocess.TimeoutExpired, OSError) as failure:
            code = 255
            err.write(str(failure).encode())
    open("steps/%d.end" % n, "w").write("%d %f %f" % (code, began, time.time()))
"""


class Failed(Exception):
    """What a client did not do."""


class Absent(Exception):
    """What this machine does not have."""


class Step:
    """One command in a cage, and what has to come of it.

    says: all of it has to be in what the command writes; code: how it has to end; tells: part of the line that a person
    reads of a denial, the mark of a denied step: it has to be over before HANGS.
    """

    def __init__(self, *argv, says=(), code=0, tells=""):
        self.argv, self.code, self.tells = argv, code, tells
        self.says = ((says,) if isinstance(says, str) else tuple(says)) + ((tells,) if tells else ())

    def check(self, code, out, err, seconds):
        missing = [words for words in self.says if words not in out + err]
        if code != self.code or missing:
            raise Failed("`%s` ended with %d (expected: %d%s): %s" % (
                self.text(), code, self.code, ", %s" % missing if missing else "", last(out + "\n" + err)))
        if self.tells and seconds > HANGS:
            raise Failed("denied `%s` took %.1f s" % (self.text(), seconds))

    def text(self):
        return " ".join(self.argv)[:300]


def denied(*argv, tells, code):
    return Step(*argv, tells=tells, code=code)


def last(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " / ".join(lines[-8:])[-900:] or "no output"


def openssl(*words, cwd):
    done = subprocess.run(["openssl", *words], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed("openssl %s: %s" % (words[0], done.stderr.strip()[-300:]))


def certificates(folder):
    """An authority of its own and a certificate for origin.test, made now."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    (folder / "leaf.ext").write_text("subjectAltName=DNS:origin.test\nextendedKeyUsage=serverAuth\n"
                                     "keyUsage=critical,digitalSignature\nbasicConstraints=CA:false\n")
    openssl("req", "-x509", *curve, "-keyout", "roots.key", "-out", "roots.pem", "-days", "2", "-subj", "/CN=outside",
            "-addext", "basicConstraints=critical,CA:true", "-addext", "keyUsage=critical,keyCertSign", cwd=folder)
    openssl("req", *curve, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=origin.test", cwd=folder)
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "roots.pem", "-CAkey", "roots.key", "-CAcreateserial", "-out",
            "leaf.pem", "-days", "2", "-extfile", "leaf.ext", cwd=folder)


class Origin:
    """The servers of origin.mjs while this is open."""

    def __init__(self, root):
        self.folder = pathlib.Path(root) / "origin"
        for name in ("files", "git", "index"):
            (self.folder / name).mkdir(parents=True)
        certificates(self.folder)
        self.roots = self.folder / "roots.pem"
        self.asked = []
        self.lines = queue.Queue()
        self.process = subprocess.Popen(
            ["node", str(HERE / "origin.mjs"), "leaf.key", "leaf.pem", "."], cwd=self.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        self.ports = self.lines.get(timeout=30)["ports"]

    def read(self):
        for line in self.process.stdout:
            said = json.loads(line)
            if "asked" in said:
                self.asked.append(said)
            self.lines.put(said)

    def has_been_asked(self, words, http=None):
        return any(words in said["asked"] and http in (None, said["http"]) for said in list(self.asked))

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:  # it has this program's standard error, whose reader waits for its end
            self.process.kill()
            self.process.wait()


class Place:
    """One client's workspace, its policy and the product's own state."""

    def __init__(self, root, origin, registries=()):
        self.root, self.origin = pathlib.Path(root), origin
        self.workspace = self.root / "workspace"
        self.workspace.mkdir()
        self.seen = ""  # the line that a person reads of a denial
        self.slowest = 0.0
        self.peak = 0
        self.note = ""  # a figure for the table
        self.policy = self.root / "policy.yaml"
        self.environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        self.environment.update(XDG_STATE_HOME=str(self.root / "state"), XDG_CONFIG_HOME=str(self.root / "config"))
        self.allow(registries)

    def allow(self, registries=()):
        asked = "  registries: [%s]\n" % ", ".join(registries) if registries else ""
        self.policy.write_text(POLICY % {
            "registries": asked, "roots": self.origin.roots, "ports": ", ".join(map(str, self.origin.ports.values()))})

    def url(self, path, server="secure"):
        scheme = "http" if server in ("clear", "rawclear") else "https"
        return "%s://origin.test:%d%s" % (scheme, self.origin.ports[server], path)

    def write(self, name, text):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def has(self, name):
        if not (self.workspace / name).exists():
            raise Failed("%s was not made" % name)

    def cage(self, *argv, timeout=900):
        """Runs one program in the cage: its code, and what was said."""
        command = [str(PRODUCT), "run", "-q", "--policy", str(self.policy), "--workspace", str(self.workspace), "--", *argv]
        process = subprocess.Popen(command, env=self.environment, cwd=self.workspace, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        peak = Peak(process.pid)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failed("`%s` did not end in %d s" % (" ".join(argv)[:200], timeout)) from None
        self.peak = max(self.peak, peak.bytes())
        return process.returncode, out, err

    def run(self, *steps):
        """Runs `steps` one after the other in one cage, and checks what came of each. What they wrote."""
        folder = self.workspace / "steps"
        folder.mkdir(exist_ok=True)
        for number, step in enumerate(steps):
            (folder / ("%d.words" % number)).write_bytes(b"".join(word.encode() + b"\0" for word in step.argv))
        self.write("steps/run.py", STEPS)
        code, out, err = self.cage("python3", "steps/run.py", str(len(steps)))
        if code != 0 or out:
            raise Failed("the steps ended with %d: %s" % (code, last(out + err)))
        written = []
        for number, step in enumerate(steps):
            said = [(folder / ("%d.%s" % (number, kind))).read_text(errors="replace") for kind in ("out", "err", "end")]
            ended, began, over = map(float, said[2].split())
            seconds = over - self.first_question(began, over) if step.tells else over - began
            step.check(int(ended), said[0], said[1], seconds)
            if step.tells:
                self.tell(step, said[0] + "\n" + said[1], seconds)
            written.append(said[0])
        self.no_denied_request_arrived()
        return written

    def first_question(self, began, over):
        """When a client, started and ended then, first asked for anything: what comes before is its own start."""
        for line in self.log().splitlines():
            event = json.loads(line)
            if event["action"]["name"] in ("dns.lookup", "http.request", "net.connect"):
                at = datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp()
                if began <= at <= over:
                    return at
        return began

    def tell(self, step, text, seconds):
        self.slowest = max(self.slowest, seconds)
        line = next(line.strip() for line in text.splitlines() if step.tells in line)
        detail = re.search(r'"status":(\d+),"detail":"([^"]*)"', line)
        self.seen = self.seen or ("%s, %s" % detail.groups() if detail else line[:220])

    def no_denied_request_arrived(self):
        arrived = [said for said in list(self.origin.asked) if " /no" in said["asked"]]
        if arrived:
            raise Failed("what is denied reached the origin: %s" % arrived)

    def asked(self, words, http=None):
        until = time.monotonic() + 10  # the origin says it by a pipe that a thread reads
        while not self.origin.has_been_asked(words, http):
            if time.monotonic() > until:
                raise Failed("the origin was not asked %s in %s: %s" % (words, http or "any HTTP", self.origin.asked[-5:]))
            time.sleep(0.05)

    def log(self):
        return (self.root / "state/cagewright/audit.jsonl").read_text()


class Peak:
    """The most memory that the supervisor of a run holds (VmHWM of the JVM, proc_pid_status(5)), looked at while it lives."""

    def __init__(self, pid):
        self.pid, self.most = pid, 0
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        while True:
            try:
                status = pathlib.Path("/proc/%d/status" % self.pid).read_text()
            except OSError:
                return
            found = [line for line in status.splitlines() if line.startswith("VmHWM:")]
            if not found:
                return
            self.most = max(self.most, int(found[0].split()[1]) * 1024)
            time.sleep(0.1)

    def bytes(self):
        self.thread.join(timeout=2)
        return self.most


def program(name):
    found = shutil.which(name, path=PATH)
    if not found:
        raise Absent("%s is not on this machine" % name)
    return found


@contextlib.contextmanager
def opened(root):
    origin = Origin(root)
    try:
        yield origin
    finally:
        origin.close()


class Client:
    """One row of the table.

    tries: does it all, or raises; version: a command that prints it, or a function; needs: what it needed beyond a
    policy that allows the host
    """

    def __init__(self, name, tries, version, did, needs="nothing", registries=()):
        self.name, self.tries, self.did, self.needs, self.registries = name, tries, did, needs, registries
        self.asks_version = version

    def version(self):
        if callable(self.asks_version):
            return self.asks_version()
        found = [shutil.which(self.asks_version[0], path=PATH) or self.asks_version[0], *self.asks_version[1:]]
        done = subprocess.run(found, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        words = (done.stdout + done.stderr).replace("\033[1m", "").replace("\033[m", "").split()
        return next((word.strip("(),v\"") for word in words if word.strip("(),v\"")[:1].isdigit() and "." in word), "?")
