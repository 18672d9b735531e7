#!/usr/bin/env python3
"""Runs the official MCP conformance suite against a server on a unix socket, as `cagewright mcp serve --unix` makes one.

    tools/mcp/conformance.py SOCKET                   the scenarios that 2025-11-25 and 2026-07-28 require
    tools/mcp/conformance.py SOCKET 2026-07-28        those of one version
    tools/mcp/conformance.py --packages DIR SOCKET    keeps the packages there; by default they go when it ends
    tools/mcp/conformance.py --install --packages DIR installs the packages and nothing more

It needs npm with a registry. It prints a line for each scenario, and ends with 1 if a required check fails, with 2 if
the suite cannot be had.
"""

import argparse
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "agents"))
from packages import Absent, Packages

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
VERSIONS = ("2025-11-25", "2026-07-28")


class Relay:
    """A port of loopback whose connections are those of a unix socket: the suite knows URLs only."""

    def __init__(self, path):
        self.path = path
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        threading.Thread(target=self.accept, daemon=True).start()

    def url(self):
        return "http://127.0.0.1:%d/mcp" % self.listening.getsockname()[1]

    def accept(self):
        while True:
            near, _ = self.listening.accept()
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self.path)
            except OSError:
                near.close()
                continue
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    @staticmethod
    def carry(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def run(node, suite, url, version):
    """The checks of one version: a list of (scenario, passed, failed, why), and whether the suite is content."""
    with tempfile.TemporaryDirectory(prefix="cagewright-conformance-") as folder:
        done = subprocess.run([str(node / "node"), str(suite), "server", "--url", url, "--requirements", version, "-o", folder],
                              cwd=folder, capture_output=True, text=True, timeout=300)
        found = []
        for file in sorted(pathlib.Path(folder).rglob("checks.json")):
            checks = json.loads(file.read_text())
            scenario = re.sub(r"^(server-)?(.*?)-\d{4}-\d\d-\d\dT.*$", r"\2", file.parent.name)
            bad = [one for one in checks if one["status"] in ("FAILURE", "WARNING")]
            good = [one for one in checks if one["status"] == "SUCCESS"]
            found.append((scenario, len(good), len(bad), [one["id"] + ": " + str(one.get("errorMessage")) for one in bad]))
        return found, done.returncode == 0, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description="Runs the official MCP conformance suite.")
    parser.add_argument("socket", nargs="?")
    parser.add_argument("versions", nargs="*", default=[])
    parser.add_argument("--packages")
    parser.add_argument("--install", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cagewright-mcp-") as folder:
        packages = Packages(chosen.packages or folder)
        try:
            node = packages.node()
            suite = packages.install("conformance", SUITE) / "conformance"
        except Absent as absent:
            print("the suite cannot be had: %s" % absent, file=sys.stderr)
            return 2
        if chosen.install:
            return 0
        if not chosen.socket:
            parser.error("which socket?")
        relay = Relay(chosen.socket)
        content = True
        for version in chosen.versions or VERSIONS:
            found, is_content, said = run(node, suite.resolve(), relay.url(), version)
            content = content and is_content
            for scenario, good, bad, why in found:
                print("%s  %-48s %3d passed%s" % (version, scenario, good, ", %d not: %s" % (bad, "; ".join(why)) if bad else ""))
            print("%s  %s" % (version, "all that is required passes" if is_content else "something required fails\n" + said[-4000:]))
        return 0 if content else 1


if __name__ == "__main__":
    sys.exit(main())
