"""A person's folders, stored keys, a policy, and cages of the built product."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import services
import spellings

HERE = pathlib.Path(__file__).resolve().parent
PRODUCT = pathlib.Path(os.environ.get("CAGEWRIGHT", HERE.parent.parent / "cagewright"))
PATH = "/usr/local/bin:/usr/bin:/bin"
TIMEOUT = 180
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
POLICY = """tool: keyed
min_isolation: namespaces
fs: {mounts: [{path: /workspace, mode: rw}]}
net:
  mode: allowlist
  hosts:
%(hosts)s
credentials:
%(credentials)s
inspect: {secrets: flag}
capture: {har: true, body: 1MiB}
resources: {memory: 2GiB, processes: 256, timeout: 5m, output: 20MiB}
"""
HOST = "    - {host: %s, ports: [%d], methods: [GET, POST, PUT], paths: [\"/**\"], addresses: [%s], upstream_ca: %s%s}"


class Failed(Exception):
    """What did not hold."""


class Absent(Exception):
    """What this machine does not have."""


def letters(count):
    return "".join(LETTERS[each % len(LETTERS)] for each in os.urandom(count))


def keys():
    """New ones of the vendors' shapes, by the host that wants them. They are worth nothing."""
    github = "ghp_" + letters(36)
    return {"api.anthropic.com": "sk-ant-api03-" + letters(93) + "AA", "api.openai.com": "sk-proj-" + letters(120),
            "api.github.com": github, "github.com": github}


def program(name):
    found = shutil.which(name, path=PATH)
    if not found:
        raise Absent("%s is not on this machine" % name)
    return found


class Stage:
    """`entries` are lines of credentials; `terms` is added to each host's rule; `more` to the end of the policy; `only` these
    values are stored; `disk` is the size of the state folder's own."""

    def __init__(self, entries=None, values=None, terms="", more="", only=None, disk=None):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="cagewright-secrets-"))
        self.services, self.mounted = None, False
        try:
            self.prepare(entries, values, disk)
            self.allow(terms, more)
            for name in self.values if only is None else only:
                self.store(name, self.values[name])
        except BaseException:
            self.__exit__()
            raise

    def prepare(self, entries, values, disk):
        self.workspace = self.root / "workspace"
        self.workspace.mkdir()
        if disk:
            (self.root / "state").mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + disk, "secrets", str(self.root / "state")], check=True)
            self.mounted = True
        self.keys = keys()
        self.values = {"ANTHROPIC_API_KEY": self.keys["api.anthropic.com"], "OPENAI_API_KEY": self.keys["api.openai.com"],
                       "GITHUB_TOKEN": self.keys["github.com"]}
        self.services = services.Services(self.root / "services", self.keys)
        self.environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        self.environment.update(XDG_STATE_HOME=str(self.root / "state"), XDG_CONFIG_HOME=str(self.root / "config"))
        self.policy = self.root / "policy.yaml"
        self.entries = entries or [
            "{name: ANTHROPIC_API_KEY, env: ANTHROPIC_API_KEY, use_with: [api.anthropic.com]}",
            "{name: OPENAI_API_KEY, env: OPENAI_API_KEY, use_with: [api.openai.com]}",
            "{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com, github.com]}"]
        self.values.update(values or {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.services:
            self.services.close()
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.root / "state")], check=True)
        shutil.rmtree(self.root, ignore_errors=True)

    def allow(self, terms="", more=""):
        hosts = [HOST % (host, self.services.port, self.services.address, self.services.roots, terms)
                 for host in services.HOSTS]
        self.policy.write_text(POLICY % {
            "hosts": "\n".join(hosts), "credentials": "\n".join("  - " + entry for entry in self.entries)} + more)

    def store(self, name, value, *words):
        done = self.product("secret", "set", name, *words, given=value)
        if done.returncode != 0:
            raise Failed("secret set %s: %s" % (name, done.stderr.decode()))

    def product(self, *words, given=None):
        return subprocess.run([str(PRODUCT), *words], env=self.environment, cwd=self.workspace, capture_output=True,
                              timeout=TIMEOUT, input=given.encode() if given is not None else b"")

    def line(self, argv, *options):
        return [str(PRODUCT), "run", "-q", "--policy", str(self.policy), "--workspace", str(self.workspace), *options,
                "--", *argv]

    def cage(self, *argv, options=(), code=0):
        """Runs one program in a cage to its end; what it wrote to standard output."""
        done = subprocess.run(self.line(argv, *options), env=self.environment, cwd=self.workspace,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
        if done.returncode != code:
            raise Failed("`%s` ended with %d (expected: %d): %s" % (
                " ".join(argv)[:200], done.returncode, code, (done.stdout + done.stderr)[-1500:].decode("latin-1")))
        self.clean(done.stderr, "standard error")
        return done.stdout

    def start(self, *argv, options=()):
        return subprocess.Popen(self.line(argv, *options), env=self.environment, cwd=self.workspace,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def script(self, name):
        """One of the scripts beside this file, where the cage sees it."""
        shutil.copy(HERE / name, self.workspace / name)
        return name

    def shell(self, text, *words, **terms):
        """Runs a script in a cage. A policy lets no shell be given text, so Python starts it."""
        (self.workspace / "talk.sh").write_text("set -e\n" + text)
        (self.workspace / "shell.py").write_text("import subprocess, sys\nsys.exit(subprocess.call(['sh', *sys.argv[1:]]))\n")
        return self.cage("python3", "shell.py", "talk.sh", *words, **terms)

    def url(self, host, path=""):
        return self.services.url(host, path)

    def clean(self, data, what):
        """No value is in it, in any spelling."""
        found = spellings.seen(data, self.values)
        if found:
            raise Failed("%s has the value of %s (%s)" % (what, *found))

    def kept(self, *but):
        """Every file below the person's folders and the workspace, with what it holds."""
        for root in (self.root / "state", self.root / "config", self.workspace):
            for path in root.rglob("*"):
                if path.is_file() and not path.is_symlink() and path.name not in but:
                    yield path, path.read_bytes()

    def nothing_kept(self):
        for path, data in self.kept():
            self.clean(data, str(path.relative_to(self.root)))
            self.clean(unpacked(data), str(path.relative_to(self.root)) + ", unpacked")

    def presented(self, host, form="%s"):
        """The origin was shown the real key."""
        if (host, form % self.keys[host]) not in self.services.shown:
            told = [each for name, each in self.services.shown if name == host]
            raise Failed("%s was not shown its key but %s" % (host, [each[:24] for each in told]))


def unpacked(data):
    """What a file of HAR has in base64, and what is gzip."""
    import base64
    import gzip
    import re
    found = []
    for text in re.findall(rb"[A-Za-z0-9+/]{40,}={0,2}", data):
        try:
            found.append(base64.b64decode(text + b"=" * (-len(text) % 4)))
        except ValueError:
            continue
    if data[:2] == b"\x1f\x8b":
        try:
            found.append(gzip.decompress(data))
        except (OSError, EOFError):
            pass
    return b"\n".join(found)
