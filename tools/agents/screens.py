"""Agents on a real terminal: tmux runs them, types, and reads the screen."""

import os
import pathlib
import re
import subprocess
import time
import uuid

from stage import Failed

PATIENCE = 120
ENDED = "the-run-ended"


class Screen:
    """What an agent shows: `ready` when it takes a prompt, `leave` what ends it, keys of tmux(1)."""

    def __init__(self, ready, leave, words=()):
        self.ready, self.leave, self.words = re.compile(ready), leave, list(words)


CLAUDE = Screen(r"bypass permissions on", ["/exit", "Enter"])
CODEX = Screen(r"(?m)^› |OpenAI Codex", ["/quit", "Enter"])
GEMINI = Screen(r"Type your message", ["/quit", "Enter"], ["-m", "gemini-2.5-pro"])
OPENCODE = Screen(r"Ask anything", ["/exit", "Enter"], ["-m", "anthropic/claude-sonnet-4-5"])
PI = Screen(r"claude-sonnet-4-5", ["/quit", "Enter"], ["--provider", "anthropic", "--model", "claude-sonnet-4-5"])


class Terminal:
    """A server of tmux of its own, with one window."""

    def __init__(self, stage, command):
        self.socket, self.seen = "cagewright-" + uuid.uuid4().hex[:8], ""
        script = stage.root / "start.sh"
        words = " ".join("'%s'" % word.replace("'", "'\\''") for word in command)
        script.write_text("%s\necho %s $?\nsleep 600\n" % (words, ENDED))
        subprocess.run(["tmux", "-L", self.socket, "-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "40", "-c",
                        str(stage.workspace), "sh", str(script)], env=stage.environment, check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)

    def press(self, *keys):
        for key in keys:
            subprocess.run(["tmux", "-L", self.socket, "send-keys", "-t", "0", key], check=True)
            time.sleep(0.3)

    def type(self, text):
        subprocess.run(["tmux", "-L", self.socket, "send-keys", "-t", "0", "-l", text], check=True)
        time.sleep(1)

    def shows(self):
        told = subprocess.run(["tmux", "-L", self.socket, "capture-pane", "-p", "-t", "0"], capture_output=True, text=True)
        if told.stdout not in self.seen:
            self.seen += told.stdout
        return told.stdout

    def wait(self, pattern, what):
        until = time.time() + PATIENCE
        while time.time() < until:
            shown = self.shows()
            if re.search(pattern, shown):
                return shown
            if ENDED in shown and pattern != ENDED:
                raise Failed("ended before %s: %s" % (what, trimmed(shown)))
            time.sleep(0.3)
        raise Failed("%s did not come in %d s: %s" % (what, PATIENCE, trimmed(self.shows())))


def trimmed(shown):
    return " / ".join(line.rstrip() for line in shown.splitlines() if line.strip())[-1500:]


def play(agent, stage, prompt, over):
    """From the start to the end, with one prompt; all that was on the screen."""
    screen = agent.screen
    line = stage.line(agent.name, agent.secrets, screen.words)
    with Terminal(stage, line) as terminal:
        shot(agent, "start", terminal.wait(screen.ready, "its prompt"))
        terminal.type(prompt)
        terminal.press("Enter")
        shot(agent, "worked", terminal.wait(re.escape(over), "the end of its work"))
        terminal.press("C-c")
        time.sleep(1)
        if ENDED not in terminal.shows():
            terminal.type(screen.leave[0])
            terminal.press(*screen.leave[1:])
        shown = terminal.wait(ENDED, "its end")
        shot(agent, "ended", shown)
        code = re.search(ENDED + r" (\d+)", shown)
        if not code or code.group(1) not in ("0", "130"):
            raise Failed("ended with %s: %s" % (code and code.group(1), trimmed(shown)))
        return terminal.seen


def shot(agent, name, shown):
    """Keeps a screen in the folder that SHOTS names, for whoever wants to look."""
    folder = os.environ.get("SHOTS")
    if folder:
        pathlib.Path(folder, "%s-%s.txt" % (agent.name, name)).write_text(shown)

