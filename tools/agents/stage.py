"""A person's folders, stored keys, a repository, and agents in cages of the built product."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PRODUCT = pathlib.Path(os.environ.get("CAGEWRIGHT", HERE.parent.parent / "cagewright"))
SYSTEM = "/usr/local/bin:/usr/bin:/bin"
TIMEOUT = 240
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class Failed(Exception):
    """What did not hold."""


def letters(count):
    return "".join(LETTERS[each % len(LETTERS)] for each in os.urandom(count))


def keys():
    """New ones of the vendors' shapes, by the secret's name. They are worth nothing."""
    return {"ANTHROPIC_API_KEY": "sk-ant-api03-" + letters(93) + "AA", "OPENAI_API_KEY": "sk-proj-" + letters(120),
            "GEMINI_API_KEY": "AIza" + letters(35)}


class Stage:
    """`programs` are folders for the person's PATH; `secrets` are stored; `user` is the number of an
    ordinary one who does it all; `model` answers in the place of every host that a scaffold names."""

    def __init__(self, model, programs, secrets, user=None):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="cagewright-agents-"))
        self.model, self.keys, self.programs = model, keys(), programs
        self.workspace = self.root / "repository"
        self.workspace.mkdir()
        self.environment = {
            "PATH": ":".join([*map(str, programs), SYSTEM]), "HOME": str(self.root / "person"), "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "XDG_STATE_HOME": str(self.root / "state"),
            "XDG_CONFIG_HOME": str(self.root / "config"), **self.java()}
        (self.root / "person").mkdir()
        self.repository()
        self.prefix = []
        if user is not None:
            self.prefix = ["setpriv", "--reuid=%d" % user, "--regid=%d" % user, "--clear-groups", "--"]
            subprocess.run(["chown", "-R", "%d:%d" % (user, user), str(self.root)], check=True)
            subprocess.run(["chmod", "755", str(model.folder), str(model.folder.parent)], check=True)
        for name in secrets:
            self.product("secret", "set", name, given=self.keys[name])

    def java(self):
        return {name: os.environ[name] for name in ("JAVA_HOME", "CAGEWRIGHT_JAVA", "W") if name in os.environ}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root, ignore_errors=True)

    def repository(self):
        (self.workspace / "README.md").write_text("# A repository\n\nIts word is heliotrope.\n")
        git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "First"]):
            subprocess.run([*git, *words], cwd=self.workspace, check=True, capture_output=True)

    def product(self, *words, given=""):
        done = subprocess.run([*self.prefix, str(PRODUCT), *words], env=self.environment, cwd=self.workspace, capture_output=True,
                              text=True, errors="replace", timeout=TIMEOUT, input=given)
        if done.returncode != 0:
            raise Failed("cagewright %s ended with %d: %s" % (" ".join(words), done.returncode, done.stderr[-500:]))
        return done.stdout

    def policy(self, scaffold):
        """The scaffold's own, where each host that it allows is the model's address. Nothing else is changed."""
        text = self.product("scaffold", "show", scaffold, "--file", "policy.yaml")
        here = ", addresses: [%s], upstream_ca: %s" % (self.model.address, self.model.roots)
        changed, count = re.subn(r"(?m)^ +- \{host: ([a-z0-9.-]+)", lambda found: found.group(0) + here, text)
        if not count:
            raise Failed("scaffold %s names no host" % scaffold)
        path = self.root / (scaffold + ".policy.yaml")
        path.write_text(changed)
        return path

    def line(self, scaffold, secrets, words, options=()):
        lent = [word for name in secrets for word in ("-s", name)]
        return [*self.prefix, str(PRODUCT), "run", *options, "--policy", str(self.policy(scaffold)), *lent, scaffold, *words]

    def run(self, scaffold, secrets, words):
        """One run to its end without a terminal: code, seconds, standard output, standard error."""
        command = self.line(scaffold, secrets, words)
        began = time.time()
        try:
            done = subprocess.run(command, env=self.environment, cwd=self.workspace, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
        except subprocess.TimeoutExpired as late:
            raise Failed("did not end in %d s: %s" % (TIMEOUT, (late.stdout or b"")[-600:])) from None
        return done.returncode, time.time() - began, done.stdout, done.stderr

    def refused(self):
        """The hosts that the last run was refused, by the product's own word."""
        lines = self.product("net", "last", "--denied", "--json").splitlines()
        return sorted({json.loads(line).get("host", "?") for line in lines if line.strip()})

    def shown(self, real):
        """Files that an agent can see or that speak of the run, with this value in them."""
        found = []
        for top in ("repository", "person", "state"):
            for folder, _, names in os.walk(self.root / top):
                for name in names:
                    path = pathlib.Path(folder, name)
                    if path.is_file() and not path.is_symlink() and real.encode() in path.read_bytes():
                        found.append(str(path.relative_to(self.root)))
        return found

    def litter(self, *expected):
        """What stands in the repository besides what was there and what was wanted."""
        status = subprocess.run(["git", "-c", "safe.directory=*", "status", "--porcelain", "--ignored"], cwd=self.workspace, capture_output=True, text=True)
        return [line for line in status.stdout.splitlines() if line[3:] not in expected]

    def alive(self):
        """Processes that run out of the agents' folders, a while after the run."""
        places = {str(folder).partition("/node_modules")[0] + "/" for folder in self.programs}
        for _ in range(300):
            found = [exe for exe in executables() if exe.startswith(tuple(places))]
            if not found:
                break
            time.sleep(0.1)
        return found


def executables():
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            found.append(os.readlink(process / "exe"))
        except OSError:
            continue
    return found
