"""The agents, and what is tried with each."""

import platform
import time

import screens
from model import MARK, OVER, Step
from stage import Failed

MACHINE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
DENIED = "denied.example.com"
STEPS = [
    Step("read", path="README.md"),
    Step("run", text="uname -s > by-command.txt; printenv > variables.txt; cat by-command.txt"),
    Step("write", path="by-tool.txt", text="written in the cage"),
    Step("run", text="curl -sS -m 30 https://%s/take" % DENIED)]
PROMPT = "This is " + MARK + ": do what you are told."
HEAD = """| agent | version | without a terminal | on a terminal | was refused besides |
| --- | --- | --- | --- | --- |
"""


class Agent:
    """One row of the table.

    package: NAME@VERSION; lean: the package that is enough to run it, and the program in it; secrets: lent to it;
    words: behind the scaffold's name without a terminal; scripts: packages whose install scripts have to run
    """

    def __init__(self, name, package, secrets, words, **more):
        self.name, self.package, self.secrets, self.words = name, package, secrets, words
        self.lean, self.scripts = more.get("lean"), more.get("scripts", ())
        self.screen = more.get("screen")
        self.has_screen = self.screen is not None

    def version(self):
        return self.package.rpartition("@")[2]

    def install(self, packages, lean):
        """Folders for the PATH: its program's, and that of the node which it needs."""
        if lean and self.lean:
            wanted, program = self.lean
            return [packages.install(self.name + "-lean", wanted).parent / program]
        return [packages.install(self.name, self.package, self.scripts), packages.node()]


AGENTS = [
    Agent("claude-code", "@anthropic-ai/claude-code@2.1.332", ["ANTHROPIC_API_KEY"], ["-p", PROMPT],
          scripts=["@anthropic-ai/claude-code"],
          lean=("@anthropic-ai/claude-code-linux-%s@2.1.332" % MACHINE, "@anthropic-ai/claude-code-linux-" + MACHINE),
          screen=screens.CLAUDE),
    Agent("codex", "@openai/codex@0.171.0", ["OPENAI_API_KEY"], ["exec", "--skip-git-repo-check", PROMPT],
          lean=("@openai/codex@0.171.0-linux-" + MACHINE, "@openai/codex/vendor/%s-unknown-linux-musl/bin" % platform.machine()),
          screen=screens.CODEX),
    Agent("gemini", "@google/gemini-cli@0.61.0", ["GEMINI_API_KEY"], ["-m", "gemini-2.5-pro", "-p", PROMPT],
          screen=screens.GEMINI),
    Agent("opencode", "opencode-ai@1.18.33", ["ANTHROPIC_API_KEY"], ["run", "-m", "anthropic/claude-sonnet-4-5", PROMPT],
          screen=screens.OPENCODE),
    Agent("pi", "@earendil-works/pi-coding-agent@1.6.0", ["ANTHROPIC_API_KEY"],
          ["-p", "--provider", "anthropic", "--model", "claude-sonnet-4-5", PROMPT], screen=screens.PI),
    Agent("openclaw", "openclaw@2026.9.6", ["ANTHROPIC_API_KEY"],
          ["agent", "--local", "--agent", "main", "--message", PROMPT])]


class Result:
    """What came of one agent; `failure` is empty if all of it held."""

    def __init__(self, agent, failure=""):
        self.agent, self.failure = agent, failure
        self.seconds, self.told, self.refused, self.requests = {}, "", set(), 0

    def line(self):
        head = "%s %s: " % (self.agent.name, self.agent.version())
        if self.failure:
            return head + "fails: " + self.failure
        ways = ", ".join("%s in %.0f s" % way for way in self.seconds.items())
        return "%sworks %s; key real at the model and a decoy in the cage, echo redacted; told: %s; refused besides: %s" % (
            head, ways, self.told, ", ".join(sorted(self.refused)) or "nothing")

    def row(self):
        def way(name):
            return "works, %.0f s" % self.seconds[name] if name in self.seconds else "not tried"
        cells = [self.agent.name, self.agent.version(), way("without a terminal"), way("on a terminal"),
                 ", ".join(sorted(self.refused)) or "nothing"]
        if self.failure:
            cells[2:] = ["**fails**: " + self.failure.replace("|", "/"), "", ""]
        return "| " + " | ".join(cells) + " |"


def require(holds, words):
    if not holds:
        raise Failed(words)


def prompt(agent, stage, result):
    """Without a terminal: the whole loop, asked nothing."""
    code, seconds, out, err = stage.run(agent.name, agent.secrets, agent.words)
    said = (out[-700:] + " // " + err[-1500:]).replace("\n", " / ")
    require(code == 0 and OVER in out, "ended with %d: %s" % (code, said))
    require(out.count("your key is") == 2, "did not show what its model said: %s" % said)
    held(agent, stage, result, out + err)
    result.seconds["without a terminal"] = seconds


def screen(agent, stage, result):
    """On a terminal: starts without a dialog, takes a prompt, works, is interrupted, ends."""
    for file in ("by-command.txt", "by-tool.txt", "variables.txt"):
        (stage.workspace / file).unlink(missing_ok=True)
    stage.model.forget()
    began = time.time()
    shown = screens.play(agent, stage, PROMPT, OVER)
    held(agent, stage, result, shown)
    result.seconds["on a terminal"] = time.time() - began


def held(agent, stage, result, shown):
    """What has to be so after a loop, whoever began it."""
    model, name = stage.model, agent.secrets[0]
    real = stage.keys[name]
    require(len(model.results) == len(STEPS), "the model got %d results" % len(model.results))
    require("heliotrope" in model.results[0], "did not read the repository: %s" % model.results[0][:300])
    for file, text in (("by-command.txt", "Linux"), ("by-tool.txt", "written in the cage")):
        path = stage.workspace / file
        require(path.is_file() and path.read_text().strip() == text, "%s was not written" % file)
    told = [words for words in ("no rule of net.hosts names this host",) if words in model.results[3]]
    require(told, "the model was not told of the denial: %s" % model.results[3][:300])
    result.told = told[0]
    require({credential for _, _, credential in model.seen} == {real}, "the key at the model: %s" % [
        (path, credential == real) for _, path, credential in model.seen])
    in_cage = (stage.workspace / "variables.txt").read_text()
    require(name + "=" in in_cage and real not in in_cage, "the real key was in the cage, or no decoy")
    require(real not in shown, "the real key was shown")
    require(not stage.shown(real), "the real key is in %s" % stage.shown(real))
    refused = stage.refused()
    require(DENIED in refused, "%s is not among the refused: %s" % (DENIED, refused))
    result.refused |= set(refused) - {DENIED}
    litter = stage.litter("by-command.txt", "by-tool.txt", "variables.txt")
    require(not litter, "left in the repository: %s" % litter)
    require(not stage.alive(), "still runs: %s" % stage.alive())
