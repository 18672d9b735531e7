"""Real clients with decoys, against the services: the key arrives, and the cage never sees it."""

import json
import subprocess

import spellings
from stage import Absent, Failed, Stage, letters, program

ANTHROPIC = ("api.anthropic.com", "/v1/messages", "x-api-key", "", "ANTHROPIC_API_KEY")
COMPLETIONS = ("api.openai.com", "/v1/chat/completions", "Authorization", "Bearer ", "OPENAI_API_KEY")
RESPONSES = ("api.openai.com", "/v1/responses", "Authorization", "Bearer ", "OPENAI_API_KEY")
SIZES = (1, 3, 7, 4000)
DEBIAN = "/usr/bin/python3"  # what the distribution's packages are for
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com")


def talk(stage, program_words, api, size, names=None):
    """Has all spellings told by one API, in pieces of a size; checks what came."""
    host, path, field, prefix, variable = api
    names = names or spellings.NAMES
    said = stage.cage(*program_words, stage.url(host, path), field, prefix, variable, host, str(size), *names)
    stage.clean(said, "what %s read" % program_words[0])
    decoy, *told = said.decode().splitlines()
    if len(told) != len(names):
        raise Failed("%d answers (expected: %d): %s" % (len(told), len(names), said[-300:]))
    for line in map(json.loads, told):
        whole(stage, decoy, line["spelling"], line["text"])
    stage.presented(host, prefix + "%s")


def whole(stage, decoy, spelling, text):
    """The decoy stands where the key was, in the same spelling, and nothing else is changed."""
    stage.clean(text.encode(), "the text in %s" % spelling)
    expected = "your key is %s, is it not?" % spellings.told(decoy, spelling)
    if not spellings.alike(text, expected, spelling, len("your key is ")):
        raise Failed("in %s the text became %r" % (spelling, text))


def python(how):
    def tries():
        program("python3")
        with Stage() as stage:
            if how == "requests" and subprocess.run([DEBIAN, "-c", "import requests"], capture_output=True).returncode:
                raise Absent("requests is not on this machine")
            words = (DEBIAN if how == "requests" else "python3", stage.script("talk.py"), how)
            for api, sizes in ((ANTHROPIC, SIZES), (RESPONSES, SIZES[1:3])):
                for size in sizes if how == "urllib" else sizes[:2]:
                    talk(stage, words, api, size)
            stage.nothing_kept()
    return tries


def node(how):
    def tries():
        program("node")
        with Stage() as stage:
            words = ("node", stage.script("talk.mjs"), how)
            for api, sizes in ((COMPLETIONS, SIZES), (ANTHROPIC, SIZES[:1])):
                for size in sizes if how == "fetch" else sizes[:2]:
                    talk(stage, words, api, size)
            stage.nothing_kept()
    return tries


def curl():
    program("curl")
    script = """for url in %(anthropic)s; do
  curl -sSN -i "$url" -H "x-api-key: $ANTHROPIC_API_KEY" -H 'anthropic-version: 2023-06-01' -H 'content-type: application/json' -d "$1"
  curl -sSN --compressed "$url" -H "x-api-key: $ANTHROPIC_API_KEY" -H 'content-type: application/json' -d "$2"
done
for url in %(openai)s; do
  curl -sSN -i "$url" -H "Authorization: Bearer $OPENAI_API_KEY" -H 'content-type: application/json' -d "$3"
  curl -sSN --compressed "$url" -H "Authorization: Bearer $OPENAI_API_KEY" -H 'content-type: application/json' -d "$4"
done
curl -sS -i %(github)s -H "Authorization: token $GITHUB_TOKEN"
curl -sS -i %(github)s -H 'Authorization: Bearer '"$GITHUB_TOKEN" -X POST -d '{"a": 1}'
curl -sS -i %(other)s -H "Authorization: Bearer $GITHUB_TOKEN"
"""
    with Stage() as stage:
        def asked(host, streams):
            told = "echo %s base64+1 3" % host
            return json.dumps({"model": "m", "stream": streams, "input": told, "messages": [{"role": "user", "content": told}]})
        text = script % {"anthropic": stage.url(*ANTHROPIC[:2]), "github": stage.url("api.github.com", "/user"),
                         "openai": " ".join(stage.url(*api[:2]) for api in (COMPLETIONS, RESPONSES)),
                         "other": stage.url("api.openai.com", "/v1/chat/completions")}
        bodies = [asked(host, streams) for host in ("api.anthropic.com", "api.openai.com") for streams in (False, True)]
        said = stage.shell(text, *bodies)
        stage.clean(said, "what curl read")
        stage.clean(spellings.stripped(said), "what curl read, put together")
        for words in (b"message_stop", b"[DONE]", b"response.completed", b'"login": "acme"', b"problem:credential"):
            if words not in said:
                raise Failed("curl read no %s: %s" % (words, said[-900:]))
        stage.presented("api.anthropic.com")
        stage.presented("api.openai.com", "Bearer %s")
        stage.presented("api.github.com", "token %s")
        stage.presented("api.github.com", "Bearer %s")
        if any(host == "api.openai.com" and shown == "Bearer " + stage.keys["api.github.com"]
               for host, shown in stage.services.shown):
            raise Failed("a key went to a host that it is not bound to")
        stage.nothing_kept()


def splits():
    program("curl")
    with Stage() as stage:
        urls = ["%s?api.anthropic.com&%s" % (stage.url("api.anthropic.com", "/splits"), name.replace("+", "%2b"))
                for name in spellings.NAMES]
        said = stage.shell(
            'echo $ANTHROPIC_API_KEY\nfor url; do curl -sSN "$url" -H "x-api-key: $ANTHROPIC_API_KEY"; done\n', *urls)
        stage.clean(said, "what curl read")
        decoy, *lines = said.decode().splitlines()
        expected = [(name, place, spellings.told(decoy, name)) for name in spellings.NAMES
                    for place in range(1, len(spellings.told(decoy, name)))]
        if len(lines) != len(expected):
            raise Failed("%d lines (expected: %d)" % (len(lines), len(expected)))
        for line, (name, place, text) in zip(lines, expected):
            if not spellings.alike(line, "at %d: %s" % (place, text), name):
                raise Failed("%s, cut at %d, became %r" % (name, place, line))
        stage.nothing_kept()


def git(way):
    def tries():
        program("git")
        prepare = {"netrc": ", prepare: [netrc]", "helper": ", prepare: [git]", "url": ""}[way]
        with Stage(["{name: GITHUB_TOKEN, env: GITHUB_TOKEN, use_with: [api.github.com, github.com]%s}" % prepare]) as stage:
            there = stage.services.repository("acme/app.git")
            url = stage.url("github.com", "/acme/app.git")
            if way == "url":
                url = url.replace("https://", "https://x-access-token:$GITHUB_TOKEN@")
            script = """git clone -q "%s" app
cd app
head -c 300000 /dev/urandom > data
git add data
%s commit -q -m Second
git push -q origin HEAD:main
cd ..
git clone -q "%s" again
cmp app/data again/data
echo both the same
""" % (url, " ".join(GIT), url)
            said = stage.shell(script)
            if b"both the same" not in said:
                raise Failed("git said %s" % said[-500:])
            stage.clean(said, "what git said")
            log = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(there), "log", "--format=%s", "main"],
                                 capture_output=True, text=True)
            if log.stdout.split() != ["Second", "First"]:
                raise Failed("the push did not arrive: %r" % log.stdout)
            stage.nothing_kept()
    return tries


def stores(kind):
    """Several keys in one answer, of which one begins with, or runs into, another."""
    def tries():
        program("python3")
        first = letters(60)
        second = {"two": letters(60), "prefix": first[:30], "overlapping": first[-25:] + letters(35)}[kind]
        text = {"two": first + second, "prefix": first + "|" + second + "|" + first[:45],
                "overlapping": first + second[25:]}[kind]
        entries = ["{name: FIRST, env: FIRST, use_with: [api.anthropic.com]}", "{name: SECOND, use_with: [api.github.com]}"]
        with Stage(entries, {"FIRST": first, "SECOND": second}) as stage:
            stage.keys["api.anthropic.com"] = first
            stage.keys["echoed"] = text
            words = ("python3", stage.script("talk.py"), "urllib")
            host, path, field, prefix, _ = ANTHROPIC
            for size in (1, 4000):
                said = stage.cage(*words, stage.url(host, path), field, prefix, "FIRST", "echoed", str(size), *spellings.NAMES)
                stage.clean(said, "what came in pieces of %d" % size)
                for line in map(json.loads, said.decode().splitlines()[1:]):
                    stage.clean(line["text"].encode(), "the text in %s" % line["spelling"])
                    rest = spellings.pieces(line["text"].encode(), second, 16) or spellings.pieces(line["text"].encode(), first, 16)
                    if rest and not (kind == "prefix" and len(rest) < 60):
                        raise Failed("%d letters of a key are left in %s" % (len(rest), line["spelling"]))
            stage.presented("api.anthropic.com")
            stage.nothing_kept()
    return tries


TRIALS = {"curl": curl, "python urllib": python("urllib"), "python requests": python("requests"), "node fetch": node("fetch"),
          "node https": node("https"), "git, .netrc": git("netrc"), "git, credential helper": git("helper"), "git, key in the URL": git("url"),
          "every split": splits, "two keys": stores("two"), "a key that begins another": stores("prefix"),
          "keys that overlap": stores("overlapping")}
