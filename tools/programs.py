#!/usr/bin/env python3
"""Runs real programs in the cage, with the built product, each in a fresh workspace.

    tools/programs.py                 runs all, prints a line each, ends with 1 if one does not work
    tools/programs.py git gcc         runs these
    tools/programs.py --write FILE    runs all and writes the table
    tools/programs.py --list          prints the names

A program that this machine does not have is told as missing and is no failure.
"""

import argparse
import contextlib
import fcntl
import os
import pathlib
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

PRODUCT = pathlib.Path(__file__).resolve().parent.parent / "cagewright"
PATH = "/usr/local/bin:/usr/bin:/bin"
POLICY = """tool: programs
min_isolation: namespaces
fs:
  mounts:
    - {path: /workspace, mode: rw}
%(mounts)snet: {mode: none}
%(exec)sresources: {memory: 2GiB, processes: 256, timeout: 3m, output: 10MiB}
"""


class Failed(Exception):
    """What a program did not do."""


class Place:
    """One fresh workspace, its policy and the product's own state."""

    def __init__(self, root, allowlist, mounts):
        self.root = pathlib.Path(root)
        self.workspace = self.root / "workspace"
        self.workspace.mkdir()
        listed = "exec: {allowlist: [%s]}\n" % ", ".join(self.path(name) for name in allowlist) if allowlist else ""
        for name in mounts:
            (self.root / name).mkdir()
        lines = "".join("    - {path: /%s, mode: ro, source: %s}\n" % (name, self.root / name) for name in mounts)
        self.policy = self.root / "policy.yaml"
        self.policy.write_text(POLICY % {"exec": listed, "mounts": lines})
        self.listed = bool(allowlist)
        self.environment = dict(os.environ, XDG_STATE_HOME=str(self.root / "state"),
                                XDG_CONFIG_HOME=str(self.root / "config"), TERM="xterm", PS1="$ ")

    def path(self, name):
        return str(self.workspace / name[2:]) if name.startswith("./") else name

    def write(self, name, text, mode=0o644):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def command(self, *argv):
        return [str(PRODUCT), "run", "-q", "--policy", str(self.policy), "--workspace", str(self.workspace), "--",
                *(self.path(word) for word in argv)]

    def run(self, *argv, code=0, says="", timeout=200):
        """Runs one program in the cage; what it writes to standard output."""
        done = subprocess.run(self.command(*argv), env=self.environment, cwd=self.workspace, timeout=timeout,
                              stdin=subprocess.DEVNULL, capture_output=True)
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        if done.returncode != code or says not in out + err:
            raise Failed("`%s` ended with %d (expected: %d%s): %s" % (
                " ".join(argv), done.returncode, code, ", \"%s\"" % says if says else "", self.last(out + err)))
        return out

    def last(self, text):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return " / ".join(lines[-6:]).replace(str(self.workspace), "/workspace")[:600] or "no output"

    def has(self, name):
        if not (self.workspace / name).exists():
            raise Failed("%s was not made" % name)


class Screen:
    """A terminal of the person's, with the product on it."""

    def __init__(self, place, *argv, rows=24, columns=80):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(place.workspace)
            os.execvpe(str(PRODUCT), place.command(*argv), place.environment)
        self.resize(rows, columns)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.fd, text.encode())

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.text += data.decode(errors="replace")
        return bool(data)

    def wait_for(self, words, seconds=60):
        """Until these words are on the screen; forgets what was there up to them."""
        end = time.monotonic() + seconds
        while words not in self.text:
            if time.monotonic() > end or not (self.read(1) or time.monotonic() < end):
                raise Failed("the terminal never showed \"%s\": %r" % (words, self.text[-300:]))
        self.text = self.text.split(words, 1)[1]

    def code(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.1)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
        raise Failed("it did not end")

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


def wait_for_program(*argv, seconds=60):
    """Until a process of the machine is one: what is typed goes to it from then on."""
    line = b"".join(word.encode() + b"\0" for word in argv)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if file.read_bytes() == line:
                    return
        time.sleep(0.05)
    raise Failed("no process became `%s`" % " ".join(argv))


def bash(place):
    with contextlib.closing(Screen(place, "bash", "--norc", "--noprofile")) as screen:
        screen.type("PS1='ready''> '\n")
        screen.wait_for("ready> ")
        screen.type("echo $((6 * 7))-$(tty)\n")
        screen.wait_for("42-/dev/pts/")
        screen.type("stty size\n")
        screen.wait_for("24 80")
        screen.resize(40, 132)
        screen.type("until [ \"$(stty size)\" = '40 132' ]; do sleep 0.2; done; echo re''sized $(tput cols)\n")
        screen.wait_for("resized 132")
        nap = str(300_000_000 + os.getpid())
        screen.type("sleep %s\n" % nap)
        screen.wait_for("sleep " + nap)
        wait_for_program("sleep", nap)
        screen.type("\x03")
        screen.type("echo co''de $?\n")
        screen.wait_for("code 130")
        screen.type("sleep 1%s\n" % nap)
        screen.wait_for("sleep 1" + nap)
        wait_for_program("sleep", "1" + nap)
        screen.type("\x1a")
        screen.wait_for("Stopped")
        screen.type("bg; jobs -r\n")
        screen.wait_for("Running")
        screen.type("kill %1; wait; echo gone $(jobs -r | wc -l)\n")
        screen.wait_for("gone 0")
        screen.type("exit 7\n")
        code = screen.code()
        if code != 7:
            raise Failed("exit 7 came out as %d" % code)


def bash_script(place):
    place.write("build.sh", "#!/bin/bash\nset -euo pipefail\nfor word in a b; do echo \"$word\" | tr a-z A-Z; done\nexit 3\n",
                0o755)
    out = place.run("./build.sh", code=3)
    if out.split() != ["A", "B"]:
        raise Failed("it wrote %r" % out)


GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


def git(place):
    place.write("notes.txt", "one\n")
    place.run(*GIT, "init", "-q")
    place.run(*GIT, "add", "notes.txt")
    place.run(*GIT, "commit", "-q", "-m", "First")
    place.run(*GIT, "log", "--oneline", says="First")
    place.write("notes.txt", "two\n")
    place.run(*GIT, "status", "--porcelain", says="M notes.txt")
    place.run(*GIT, "diff", says="+two")
    place.run(*GIT, "clone", "-q", "--no-hardlinks", ".", "copy")
    place.has("copy/notes.txt")


def git_existing(place):
    """A repository that the person made: its hooks and configuration stay as they are."""
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "--allow-empty", "-m", "First")):
        subprocess.run([*GIT, *words], cwd=place.workspace, check=True, capture_output=True)
    place.write("notes.txt", "one\n")
    place.run(*GIT, "add", "notes.txt")
    place.run(*GIT, "commit", "-q", "-m", "Second")
    place.run(*GIT, "checkout", "-q", "-b", "side")
    place.run(*GIT, "checkout", "-q", "main")
    place.run(*GIT, "merge", "-q", "side")
    place.run(*GIT, "gc", "-q")
    place.run(*GIT, "log", "--oneline", says="Second")
    place.run("git", "config", "core.hooksPath", "/tmp")
    place.run("git", "config", "remote.origin.url", "https://example.com/x.git")
    host = (place.workspace / ".git/config").read_text()
    if "hookspath" in host.lower():
        raise Failed("git config changed what the host's git runs")
    if "https://example.com/x.git" not in host:
        raise Failed("git config of a remote did not reach the host")
    place.write("hook.py", "open('.git/hooks/pre-commit', 'w').write('#!/bin/sh')\n")
    if not place.listed:
        place.run("python3", "hook.py", code=1, says="Error")
    if (place.workspace / ".git/hooks/pre-commit").exists():
        raise Failed("a hook was written")


def node(place):
    place.write("main.js", """
const fs = require('fs');
const {Worker} = require('worker_threads');
fs.writeFileSync('out.txt', 'written');
new Worker('require("worker_threads").parentPort.postMessage(6 * 7)', {eval: true})
  .on('message', answer => console.log('answer ' + answer));
""")
    place.run("node", "main.js", says="answer 42")
    place.has("out.txt")


def npm(place):
    place.run("npm", "init", "-y")
    place.write("package.json", """{"name": "demo", "version": "1.0.0", "scripts": {"test": "node --test"}}\n""")
    place.write("demo.test.js", "require('node:test')('adds', () => require('assert').equal(1 + 1, 2));\n")
    place.run("npm", "test", says="pass 1")
    place.run("npm", "pack")
    place.has("demo-1.0.0.tgz")
    place.run("npm", "install", "--offline", "--no-audit", "--no-fund", "./demo-1.0.0.tgz")
    place.has("node_modules/demo/package.json")


def python(place):
    place.write("main.py", """
import multiprocessing, subprocess, sys, tempfile
def square(n): return n * n
if __name__ == '__main__':
    with multiprocessing.Pool(2) as pool:
        print('squares', sum(pool.map(square, range(10))))
    print(subprocess.run([sys.executable, '--version'], capture_output=True, text=True, check=True).stdout)
    tempfile.NamedTemporaryFile().write(b'x')
""")
    place.run("python3", "main.py", says="squares 285")


def venv(place):
    place.write("make.py", "import venv; venv.create('env', with_pip=False)\n")
    place.write("main.py", "import sys; print('inside', sys.prefix != sys.base_prefix)\n")
    place.run("python3", "make.py")
    place.has("env/bin/python3")
    place.run("./env/bin/python3", "main.py", says="inside True")


def java(place):
    place.write("Main.java", """
public class Main {
    public static void main(String[] args) throws Exception {
        var thread = new Thread(() -> System.out.println("answer " + 6 * 7));
        thread.start();
        thread.join();
        java.nio.file.Files.writeString(java.nio.file.Path.of("out.txt"), "written");
    }
}
""")
    place.run("java", "Main.java", says="answer 42")
    place.has("out.txt")


def javac(place):
    place.write("Main.java", "public class Main { public static void main(String[] a) { System.out.println(a.length); } }\n")
    place.run("javac", "-d", "out", "Main.java")
    place.run("java", "-cp", "out", "Main", "x", "y", says="2")
    place.run("jar", "--create", "--file", "main.jar", "-C", "out", ".")
    place.has("main.jar")


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>demo</groupId><artifactId>demo</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><plugins>%s</plugins></build></project>
"""


def newest(plugin):
    """The newest version of a Maven plugin that this machine has whole."""
    folder = repository() / "org/apache/maven/plugins" / plugin
    found = sorted(folder.glob("*/*.jar"), key=lambda jar: [int(n) if n.isdigit() else 0 for n in jar.parent.name.split(".")])
    return found[-1].parent.name if found else ""


def maven(place):
    plugins = "".join("<plugin><artifactId>%s</artifactId><version>%s</version></plugin>" % (name, newest(name))
                      for name in ("maven-resources-plugin", "maven-compiler-plugin"))
    place.write("pom.xml", POM % plugins)
    readable_copy(repository(), place.root / "repository")
    place.write("src/main/java/Main.java", "public class Main {}\n")
    place.run("mvn", "-o", "-B", "-q", "-Dmaven.repo.local=/repository", "compile")
    place.has("target/classes/Main.class")


def readable_copy(source, target):
    """With folders that the cage's user can enter: a home directory is often closed to others."""
    for folder, _, names in os.walk(source):
        here = target / pathlib.Path(folder).relative_to(source)
        here.mkdir(parents=True, exist_ok=True)
        here.chmod(0o755)
        for name in names:
            try:
                os.link(os.path.join(folder, name), here / name)
            except OSError:
                shutil.copyfile(os.path.join(folder, name), here / name)


def repository():
    return pathlib.Path.home() / ".m2/repository"


def gcc(place):
    place.write("main.c", "#include <stdio.h>\n#include <math.h>\nint main(void) { printf(\"answer %d\\n\", (int)floor(42.5)); return 9; }\n")
    place.run("gcc", "-O2", "-Wall", "-o", "main", "main.c", "-lm")
    place.run("./main", code=9, says="answer 42")


def tar(place):
    place.write("folder/a.txt", "a\n")
    place.run("tar", "-czf", "folder.tar.gz", "folder")
    (place.workspace / "folder/a.txt").unlink()
    place.run("tar", "-xzf", "folder.tar.gz")
    place.has("folder/a.txt")


def make(place):
    place.write("Makefile", "main: main.c\n\t$(CC) -o $@ main.c\n")
    place.write("main.c", "#include <stdio.h>\nint main(void) { puts(\"made\"); return 0; }\n")
    place.run("make", "-j2")
    place.has("main")
    if place.listed:
        place.run("./main", says="made")


def perl(place):
    place.write("main.pl", "use POSIX; my $n = `uname -s`; print 'on ', $n; open(my $f, '>', 'out.txt') or die; print $f 'x';\n")
    place.run("perl", "main.pl", says="on Linux")
    place.has("out.txt")


class Program:
    def __init__(self, name, tries, version, did, allowlist, needs="", mounts=(), only_listed=False):
        self.name, self.tries, self.version, self.did = name, tries, version, did
        self.allowlist, self.needs, self.mounts, self.only_listed = allowlist, needs, mounts, only_listed

    def binary(self):
        return self.version[0]

    def installed(self):
        found = shutil.which(self.binary(), path=PATH) is not None
        return found and (self.name != "mvn" or newest("maven-compiler-plugin") != "")

    def attempt(self, allowlist):
        """An empty text when it works, else what did not."""
        with tempfile.TemporaryDirectory(prefix="cagewright-") as root:
            try:
                self.tries(Place(root, allowlist, self.mounts))
                return ""
            except Failed as failure:
                return str(failure).replace(root, "")
            except subprocess.TimeoutExpired:
                return "it did not end in time"


SHELL = ["sh", "bash"]
COMPILER = ["gcc", "./main"]
PROGRAMS = [
    Program("bash", bash, ["bash", "--version"],
            "on a terminal: arithmetic, size and resize, Ctrl-C, Ctrl-Z, bg, jobs, kill, exit 7",
            ["bash", "stty", "sleep", "tput", "tty", "wc"]),
    Program("bash script", bash_script, ["bash", "--version"], "a script as a program of its own: loop, pipe, exit 3",
            ["./build.sh", "bash", "tr"],
            "the script's path and its interpreter on the list; without a list the script is refused, because the"
            " workload can write it", only_listed=True),
    Program("git", git, ["git", "--version"], "init, add, commit, log, status, diff, clone of a local repository", ["git", "sh"],
            "`sh` on the list for the clone alone: git starts git-upload-pack through it"),
    Program("git, own repository", git_existing, ["git", "--version"],
            "add, commit, branch, merge, gc, log; hooks and configuration stay unchanged", ["git"]),
    Program("node", node, ["node", "--version"], "a script with a worker thread that writes a file", ["node"]),
    Program("npm", npm, ["npm", "--version"], "init, test, pack, offline install of the package", ["npm", "node", "sh"],
            "`sh` on the list: npm starts every script of package.json through it"),
    Program("python3", python, ["python3", "--version"], "a pool of processes, a subprocess, temporary files", ["python3"]),
    Program("python3 venv", venv, ["python3", "--version"], "makes an environment, runs its interpreter",
            ["python3", "./env/bin/python3"], only_listed=True,
            needs="the environment's interpreter by its path on the list"),
    Program("java", java, ["java", "--version"], "a source file with a thread that writes a file", ["java"]),
    Program("javac, jar", javac, ["javac", "--version"], "compiles, runs the class, packs a jar", ["javac", "java", "jar"]),
    Program("mvn", maven, ["mvn", "--version"], "`-o compile` of a small project",
            ["mvn"],
            "a copy of the local repository that the cage's user can read, mounted read-only at /repository, and"
            " `-Dmaven.repo.local=/repository`", mounts=("repository",)),
    Program("gcc", gcc, ["gcc", "--version"], "compiles and links with libm, runs the program (exit 9)", COMPILER,
            "the made program by its path on the list", only_listed=True),
    Program("tar", tar, ["tar", "--version"], "packs and unpacks a .tar.gz", ["tar", "gzip", "sh"],
            "`sh` on the list: GNU tar starts the compressor through it"),
    Program("make", make, ["make", "--version"], "-j2: compiles a program; a second run starts it",
            ["make", "sh", "cc", "./main"],
            "`sh` on the list for the recipes; a program that is made during a run is not on that run's list, only on"
            " the next one's"),
    Program("perl", perl, ["perl", "--version"], "a script with backticks that writes a file", ["perl", "sh", "uname"]),
]


def version(program):
    found = [shutil.which(program.binary(), path=PATH), *program.version[1:]]
    done = subprocess.run(found, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    words = (done.stdout + done.stderr).replace("\033[1m", "").replace("\033[m", "").split()
    return next((word.strip("(),v") for word in words if word.strip("(),v")[:1].isdigit() and "." in word), "?")


def results(names):
    for program in PROGRAMS:
        if names and program.name not in names:
            continue
        if not program.installed():
            yield program, None, None
            continue
        open_cage = None if program.only_listed else program.attempt([])
        yield program, open_cage, program.attempt(program.allowlist)


def row(program, open_cage, listed):
    def cell(result):
        return "not allowed, as meant" if result is None else "works" if result == "" else "**no**: " + result.replace("|", "/")
    if listed is None:
        return "| %s | | not on this machine | | | |" % program.name
    return "| %s | %s | %s | %s | %s | %s |" % (
        program.name, version(program), program.did, cell(open_cage),
        cell(listed) + ": `[" + ", ".join(program.allowlist) + "]`", program.needs)


HEAD = """# Real programs in the cage

Written by `tools/programs.py --write docs/programs.md`: each program runs with the built product, through the
command line, in a fresh workspace mounted `rw`, with `net: {mode: none}`, protection at its default, 2 GiB and 256
processes. "Free" is a policy without `exec.allowlist`; "listed" one with exactly the list that is shown, held by
the kernel for every process of the run. `./x` stands for the absolute path of a file in the workspace.

| program | version | what was done | free | listed | what it needs |
| --- | --- | --- | --- | --- | --- |
"""


def main():
    parser = argparse.ArgumentParser(description="Runs real programs in the cage.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--list", action="store_true")
    chosen = parser.parse_args()
    if chosen.list:
        print("\n".join(program.name for program in PROGRAMS))
        return 0
    unknown = set(chosen.names) - {program.name for program in PROGRAMS}
    if unknown:
        parser.error("no such program here: " + ", ".join(sorted(unknown)))
    rows, bad = [], 0
    for program, open_cage, listed in results(chosen.names):
        rows.append(row(program, open_cage, listed))
        bad += bool(open_cage) + bool(listed)
        print("%-22s free: %s; listed: %s" % (program.name, *(
            "-" if one is None else "works" if one == "" else one for one in (open_cage, listed))), flush=True)
    if chosen.write:
        pathlib.Path(chosen.write).write_text(HEAD + "\n".join(rows) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
