"""Programs that fetch: curl, wget, git, npm, pip, mvn, apt, openssl."""

import hashlib
import os
import subprocess
import time
import zipfile

from lab import Absent, Client, Failed, Step, denied, program

MIB = 1 << 20
REST = 256 * MIB  # of the supervisor with the gateway and the compiler, whatever passes
big = 1024 * MIB  # what passes; clients.py --mib


def curl(place):
    program("curl")
    content = os.urandom(3 * MIB)
    (place.workspace / "big").write_bytes(content)
    whole = '"sha256":"%s"' % hashlib.sha256(content).hexdigest()
    url = place.url
    fetch = ("curl", "-sS")
    old = ("curl", "-sS", "--http1.1")
    place.run(
        Step(*fetch, url("/ok/echo?a=%2f"), says='"http":"2.0"'),
        Step(*old, url("/ok/echo?a=%2f"), says=('"http":"1.1"', '"url":"/ok/echo?a=%2f"')),
        Step(*old, "-i", "-T", "big", "-H", "Expect: 100-continue", url("/ok/echo", "secure1"), says=("HTTP/1.1 100", whole)),
        Step(*fetch, "-T", "big", url("/ok/echo"), says=whole),
        Step(*old, "-H", "Transfer-Encoding: chunked", "-T", "big", url("/ok/echo", "clear"), says=whole),
        Step(*old, "-T", "big", "-H", "Expect: 100-continue", "-w", "%{http_code} %{size_upload}", url("/ok/early"),
             says="413 0"),
        Step(*old, "-T", "big", "-H", "Expect:", "-w", "%{http_code}", url("/ok/early"), says="413"),
        Step(*fetch, "-T", "big", "-w", "%{http_code}", url("/ok/early"), says="413"),
        *[step for kind in (fetch, old) for step in (
            Step(*kind, "-I", url("/ok/bytes/100"), says=("200", "ength: 100")),
            Step(*kind, "-i", "-r", "11-20", url("/ok/bytes/100"), says=("206", "bytes 11-20/100", "cagewright")),
            Step(*kind, "-i", url("/ok/hints"), says=("103", "rel=preload", "after a hint")),
            Step(*kind, "-i", url("/ok/trailers"), says="x-sha256: e3b0c44298fc1c14"),
            Step(*kind, "-i", url("/ok/empty"), says="204"),
            Step(*kind, "-i", url("/ok/unchanged"), says=("304", 'etag: "1"')),
            Step(*kind, "-i", url("/ok/cookies"), says=("set-cookie: a=1", "set-cookie: b=2")),
            Step(*kind, "--compressed", url("/ok/packed"), says="packed packed"),
            Step(*kind, "-o", "/dev/null", "-w", "%{size_download} bytes", url("/ok/packed"), says="56 bytes"),
            Step(*kind, "-o", "/dev/null", "-w", "%{num_headers} fields", url("/ok/many"), says="15"),
            Step(*kind, "-L", url("/ok/redirect"), says='"url":"/ok/echo"'))],
        Step("curl", "-sS", "-0", "-w", "%{size_download}", "-o", "/dev/null", url("/ok/stream/100000", "clear"), says="100000"),
        Step(*fetch, *[url(path, "rawsecure") for path in ("/ok/old", "/ok/closing", "/ok/extensions", "/ok/trailing")],
             says="until the end\nuntil the end\nfive fourabc"),
        Step(*old, url("/ok/old", "rawclear"), url("/ok/extensions", "rawclear"), says="until the end\nfive four"),
        Step(*old, url("/ok/brief", "rawsecure"), "-:", "-sS", "--rate", "2/s", "-d", "x", url("/ok/brief", "rawsecure"),
             url("/ok/brief", "rawsecure"), says="fourfourfour"),
        Step(*old, url("/ok/cut"), code=18), Step(*fetch, url("/ok/cut"), code=92),
        Step(*old, url("/ok/cutchunked"), code=18), Step(*fetch, url("/ok/cutchunked"), code=92),
        Step("sh", "-c", "curl -sSZ --parallel-immediate --parallel-max 40 %s | wc -c" % (url("/ok/bytes/") + "[1000000-1000039]"),
             says=str(sum(range(1000000, 1000040)))),
        denied(*fetch, "-f", url("/no"), tells="returned error: 403", code=22),
        denied(*fetch, "-i", "https://other.test/x", tells="no rule of net.hosts names this host", code=0),
        denied(*fetch, "-i", "http://other.test/x", tells="no rule of net.hosts names this host", code=0))
    place.asked("PUT /ok/echo", "1.1")
    place.asked("PUT /ok/echo", "2.0")


def gibibyte(place):
    program("curl")
    with open(place.workspace / "gibibyte", "wb") as file:
        file.truncate(big)
    place.run(
        Step("curl", "-sS", "-o", "/dev/null", "-w", "%{size_download}", place.url("/ok/stream/%d" % big), says=str(big)),
        Step("curl", "-sS", "--http1.1", "-o", "/dev/null", "-w", "%{size_download}", place.url("/ok/bytes/%d" % big, "secure1"),
             says=str(big)),
        Step("curl", "-sS", "-T", "gibibyte", place.url("/ok/sink"), says="%d bytes" % big),
        Step("curl", "-sS", "--http1.1", "-T", "gibibyte", place.url("/ok/sink", "secure1"), says="%d bytes" % big))
    bounded(place)


def bounded(place):
    if place.peak > REST:
        raise Failed("the supervisor held %d MiB (at most: %d MiB)" % (place.peak // MIB, REST // MIB))


def wget(place):
    program("wget")
    (place.origin.folder / "files/data").write_bytes(b"0123456789")
    place.write("data", "01234")
    place.write("form", "a=b")
    place.run(
        Step("wget", "-nv", "-O-", place.url("/ok/echo"), says='"http":"1.1"'),
        Step("wget", "-nv", "-O-", "--post-file=form", place.url("/ok/echo"), says=('"method":"POST"', '"size":3')),
        Step("wget", "-nv", "-c", "-O", "bytes", place.url("/ok/bytes/1000000", "secure1")),
        Step("sh", "-c", "head -c 400000 bytes > part && wget -nv -c -O part %s && cmp part bytes" % place.url("/ok/bytes/1000000")),
        Step("wget", "-nv", "-O-", "--spider", place.url("/ok/bytes/10")),
        denied("wget", "-nv", "-O-", place.url("/no"), tells="ERROR 403", code=8),
        denied("wget", "-nv", "-O-", "https://other.test/", tells="ERROR 403", code=8))


GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")


def bare(place, name):
    """An empty repository that takes pushes, and one commit in it."""
    repository = place.origin.folder / "git" / name
    subprocess.run([*GIT, "init", "-q", "--bare", str(repository)], check=True, capture_output=True)
    subprocess.run([*GIT, "-C", str(repository), "config", "http.receivepack", "true"], check=True, capture_output=True)
    tree = subprocess.run([*GIT, "-C", str(repository), "mktree"], check=True, capture_output=True, text=True, input="").stdout
    commit = subprocess.run([*GIT, "-C", str(repository), "commit-tree", "-m", "First", tree.strip()], check=True,
                            capture_output=True, text=True).stdout
    subprocess.run([*GIT, "-C", str(repository), "update-ref", "refs/heads/main", commit.strip()], check=True)
    return repository


def git(place):
    program("git")
    repository = bare(place, "demo.git")
    place.run(
        Step("git", "clone", "-q", place.url("/ok/git/demo.git"), "demo"),
        Step("sh", "-c", "cd demo && head -c 3000000 /dev/urandom > data && git add data"),
        Step(*GIT, "-C", "demo", "commit", "-q", "-m", "Second"),
        Step("git", "-C", "demo", "push", "-q", "origin", "main"),
        Step("git", "clone", "-q", "--depth", "1", place.url("/ok/git/demo.git", "secure1"), "again"),
        Step("cmp", "demo/data", "again/data"),
        denied("git", "clone", "-q", place.url("/no/demo.git"), "none", tells="The requested URL returned error: 403", code=128),
        denied("git", "ls-remote", "https://other.test/demo.git", tells="The requested URL returned error: 403", code=128))
    log = subprocess.run(["git", "-C", str(repository), "log", "--format=%s", "main"], check=True, capture_output=True, text=True)
    if log.stdout.split() != ["Second", "First"]:
        raise Failed("the push did not arrive: %r" % log.stdout)


def push_without_a_cage(place, url, size):
    """How long it takes, in seconds."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(place.root), "GIT_SSL_CAINFO": str(place.origin.roots)}
    there = place.root / "direct"
    near = (*GIT, "-c", "http.curloptResolve=origin.test:%d:127.0.0.1" % place.origin.ports["secure"])

    def git_outside(*words):
        done = subprocess.run([*near, *words], env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed("outside of the cage, git %s: %s" % (words, done.stderr.strip()))

    git_outside("clone", "-q", url, str(there))
    (there / "data").write_bytes(os.urandom(size))
    git_outside("-C", str(there), "add", "data")
    git_outside("-C", str(there), "commit", "-q", "-m", "Big")
    began = time.monotonic()
    git_outside("-C", str(there), "push", "-q", "origin", "HEAD:refs/heads/direct")
    return time.monotonic() - began


def big_push(place):
    program("git")
    bare(place, "big.git")
    size, url = 60 * MIB, place.url("/ok/git/big.git")
    took = push_without_a_cage(place, url, size)
    place.run(
        Step("git", "clone", "-q", url, "big"),
        Step("sh", "-c", "cd big && head -c %d /dev/urandom > data && git add data" % size),
        Step(*GIT, "-C", "big", "commit", "-q", "-m", "Big"),
        Step("git", "-C", "big", "push", "-q", "origin", "main"),
        denied("git", "-C", "big", "push", "-q", place.url("/no/big.git"), "main", tells="The requested URL returned error: 403", code=128))
    place.asked("POST /ok/git/big.git/git-receive-pack")
    bounded(place)
    _, from_here, to_here = map(float, (place.workspace / "steps/3.end").read_text().split())
    place.note = "; took %.1f s, without a cage %.1f s" % (to_here - from_here, took)


def npm(place):
    program("npm")
    reachable("npm", "view", "left-pad@1.3.0", "version")
    place.write("package.json", '{"name": "demo", "version": "1.0.0"}\n')
    place.run(
        Step("npm", "install", "--no-audit", "--no-fund", "left-pad@1.3.0"),
        Step("node", "-e", "console.log(require('left-pad')('x', 3, '-'))", says="--x"),
        denied("npm", "install", "--no-audit", "--no-fund", "--registry", "https://other.test/", "is-odd@3.0.1",
               tells="403 Forbidden", code=1))


def reachable(*command):
    """Ends the try unless the tool gets an answer of its registry outside of any cage."""
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Absent("its registry cannot be reached from this machine")


def wheel(folder):
    """A package made now: one module and its metadata (PEP 427)."""
    folder.mkdir(parents=True)
    parts = {
        "cagedemo.py": "ANSWER = 42\n",
        "cagedemo-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: cagedemo\nVersion: 1.0\n",
        "cagedemo-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    record = "".join("%s,,\n" % name for name in (*parts, "cagedemo-1.0.dist-info/RECORD"))
    with zipfile.ZipFile(folder / "cagedemo-1.0-py3-none-any.whl", "w") as archive:
        for name, text in {**parts, "cagedemo-1.0.dist-info/RECORD": record}.items():
            archive.writestr(name, text)


PIP = ("env", "PIP_CONFIG_FILE=/dev/null", "python3", "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-deps",
       "--no-cache-dir", "--target", "packages")


def pip(place):
    has_pip = subprocess.run([program("python3"), "-m", "pip", "--version"], capture_output=True)
    if has_pip.returncode != 0:
        raise Absent("pip is not on this machine")
    wheel(place.origin.folder / "index/cagedemo")
    place.run(
        Step(*PIP, "--index-url", place.url("/ok/index/"), "cagedemo==1.0"),
        Step("env", "PYTHONPATH=packages", "python3", "-c", "import cagedemo; print(cagedemo.ANSWER)", says="42"),
        denied(*PIP, place.url("/no/cagedemo-1.0-py3-none-any.whl"), tells="ERROR: HTTP error 403", code=1),
        denied(*PIP, "--index-url", "https://other.test/", "cagedemo==1.0", tells="No matching distribution found", code=1))


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>demo</groupId><artifactId>demo</artifactId><version>1</version><packaging>pom</packaging>
<dependencyManagement><dependencies><dependency><groupId>org.junit</groupId><artifactId>junit-bom</artifactId>
<version>5.11.0</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>
</project>
"""
ELSEWHERE = """<settings><mirrors><mirror><id>other</id><url>https://other.test/</url><mirrorOf>*</mirrorOf></mirror></mirrors>
</settings>
"""


def maven(place):
    program("mvn")
    ask = ("mvn", "-B", "-ntp", "-Dmaven.repo.local=%s", "validate", "-f")
    outside = place.root / "outside"
    outside.mkdir()
    (outside / "pom.xml").write_text(POM)
    reachable(*[word % (outside / "repository") if "%s" in word else word for word in ask], str(outside / "pom.xml"))
    place.write("pom.xml", POM)
    place.write("settings.xml", ELSEWHERE)
    here = [word % "repository" if "%s" in word else word for word in ask]
    place.run(
        Step(*here, "pom.xml", says="BUILD SUCCESS"),
        Step("test", "-s", "repository/org/junit/junit-bom/5.11.0/junit-bom-5.11.0.pom"),
        denied("mvn", "-B", "-ntp", "-Dmaven.repo.local=none", "-s", "settings.xml", "validate", "-f", "pom.xml",
               tells="403", code=1))


def apt(place):
    program("apt-get")
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)dists/$(RELEASE)/InRelease"], capture_output=True, text=True)
    names = [line for line in listed.stdout.split() if line.startswith("http")]
    if not names:
        raise Absent("apt has no lists of a registry on this machine")
    helper = "/usr/lib/apt/apt-helper"
    reachable(helper, "download-file", names[0], str(place.root / "release"))
    place.run(
        Step(helper, "download-file", names[0], "release"),
        Step("grep", "-q", "BEGIN PGP SIGNED MESSAGE", "release"),
        denied(helper, "download-file", "https://other.test/InRelease", "none", tells="403  Forbidden", code=100))


def openssl(place):
    program("openssl")
    to = "%s:%d" % ("origin.test", place.origin.ports["secure"])
    client = "printf 'GET %%s HTTP/1.1\\r\\nHost: %%s\\r\\nConnection: close\\r\\n\\r\\n' %s %s | openssl s_client -ign_eof" \
             " -verify_return_error -x509_strict -verify_hostname %s -servername %s -connect %s"
    place.run(
        Step("sh", "-c", client % ("/ok/echo", to, "origin.test", "origin.test", to), says=("Verification: OK", '"url":"/ok/echo"')),
        Step("sh", "-c", client % ("/ok/echo", to, "origin.test", "origin.test", to) + " -tls1_2", says=("TLSv1.2", '"url":"/ok/echo"')),
        Step("openssl", "s_client", "-connect", to, "-noservername", says="alert number 109", code=1),
        Step("openssl", "s_client", "-connect", to, "-servername", "other.test", says="alert number 112", code=1),
        denied("sh", "-c", client % ("/", "other.test", "other.test", "other.test", "other.test:443"),
               tells="no rule of net.hosts names this host", code=0))


CLIENTS = [
    Client("curl", curl, ["curl", "--version"],
           "GET, HEAD, ranges, redirect, cookies, 150 fields, gzip unchanged, 103, trailers, 204, 304 in HTTP/2 and HTTP/1.1; uploads with a length,"
           " chunked and with `Expect: 100-continue`; 413 before the body; HTTP/1.0; answers that end with the connection (no"
           " close_notify), chunk extensions; POST after a kept connection went away; 40 streams at once; an answer that is cut is an error"),
    Client("curl, 1 GiB", gibibyte, ["curl", "--version"],
           "1 GiB down and up, in HTTP/2 and HTTP/1.1; the supervisor stays below 256 MiB"),
    Client("wget", wget, ["wget", "--version"], "GET, POST of a file, going on with half a file, `--spider`"),
    Client("git", git, ["git", "--version"], "clone, push of 3 MB, shallow clone, over https to git-http-backend"),
    Client("git, 60 MB push", big_push, ["git", "--version"], "one push of 60 MiB, chunked; the supervisor stays below 256 MiB"),
    Client("npm", npm, ["npm", "--version"], "`npm install` of a package from npm's own registry", "`registries: [npm]`", ["npm"]),
    Client("pip", pip, [program("python3") if os.path.exists("/usr/bin/python3") else "python3", "-m", "pip", "--version"],
           "`pip install` from a simple index over https"),
    Client("mvn", maven, ["mvn", "--version"], "resolves a bill of materials from Maven's own registry", "`registries: [maven]`", ["maven"]),
    Client("apt", apt, ["apt-get", "--version"], "fetches a signed release file from apt's own registry by apt's own method",
           "`registries: [apt]`", ["apt"]),
    Client("openssl s_client", openssl, ["openssl", "version"],
           "strict verification (`-verify_return_error -x509_strict`), TLS 1.3 and 1.2, a request; no server name and another name are alerts"),
]
