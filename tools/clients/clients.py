#!/usr/bin/env python3
"""Runs real clients in cages of the built product, none of which knows of a proxy, against servers on this machine.

    tools/clients/clients.py                 runs all, prints a line each, ends with 1 if one does not work
    tools/clients/clients.py curl git        runs these
    tools/clients/clients.py --write FILE    runs all and writes the table
    tools/clients/clients.py --list          prints the names
    tools/clients/clients.py --mib 512 ...   takes less than 1 GiB for what is big

Each client does something that is allowed and something that is not. One that this machine does not have, or whose
registry cannot be reached from it, is told as missing and is no failure.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import lab
import languages
import programs
import protocols

CLIENTS = programs.CLIENTS + languages.CLIENTS + protocols.CLIENTS


class Result:
    """What came of one client: `state` is `works`, `missing` or `fails`."""

    def __init__(self, client, state, words="", place=None):
        self.client, self.state, self.words, self.place = client, state, words, place

    def line(self):
        if self.state == "works":
            return "%s: works%s" % (self.client.name, "" if not self.place.seen else "; denied in %.1f s" % self.place.slowest)
        return "%s: %s: %s" % (self.client.name, self.state, self.words)

    def row(self):
        def cell(text):
            return text.replace("|", "/")
        if self.state == "missing":
            return "| %s | | %s | not tried: %s | | | |" % (self.client.name, self.client.did, cell(self.words))
        if self.state == "fails":
            return "| %s | %s | %s | **no**: %s | | | |" % (self.client.name, self.client.version(), self.client.did, cell(self.words))
        denial = "`%s`" % cell(plain(self.place.seen)).replace("`", "'") if self.place.seen else ""
        seconds = "%.1f s" % self.place.slowest if self.place.seen else ""
        if self.place.slowest > lab.SOON:
            seconds = "**slow**: " + seconds
        return "| %s | %s | %s | works | %s | %s | %s |" % (
            self.client.name, self.client.version(), self.client.did, self.client.needs + self.place.note, denial, seconds)


def plain(text):
    """Without what is different in every run."""
    text = re.sub(r"^\d+-\d+-\d+ [\d:]+ ", "", re.sub(r"origin\.test:\d+", "origin.test", text))
    return re.sub(r"cagewright why \S+?-\d+", "cagewright why ID", text)


def attempt(client):
    with tempfile.TemporaryDirectory(prefix="cagewright-") as root:
        os.chmod(root, 0o755)
        try:
            with lab.opened(root) as origin:
                place = lab.Place(root, origin, client.registries)
                client.tries(place)
                return Result(client, "works", place=place)
        except lab.Absent as absent:
            return Result(client, "missing", str(absent))
        except lab.Failed as failure:
            return Result(client, "fails", str(failure).replace(root, ""))


HEAD = """# Real clients in the cage

Written by `tools/clients/clients.py --write docs/clients.md`: each client runs in a cage of the built product, through
the command line, without a proxy variable and without a setting that is not in the table. What it talks to are servers
on this machine under the name `origin.test` (`addresses:` and `upstream_ca:` in the policy), or the registry that the tool
is configured with (`registries:`). Each does something that is allowed, and something that is not; the last two columns
are what a person then reads (of the gateway's JSON: status and detail) and how long it took, from the client's
first question to its end. A cage sets the variables by which programs find
roots that are not the system's (docs/network.md), and its certificate stands in the system's and the JDKs' own stores.

| client | version | what was done | result | what it needed | a denial reads | after |
| --- | --- | --- | --- | --- | --- | --- |
"""


def main():
    parser = argparse.ArgumentParser(description="Runs real clients in the cage.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--mib", type=int, default=1024)
    chosen = parser.parse_args()
    programs.big = chosen.mib * programs.MIB
    if chosen.list:
        print("\n".join(client.name for client in CLIENTS))
        return 0
    unknown = set(chosen.names) - {client.name for client in CLIENTS}
    if unknown:
        print("no client of that name: %s" % ", ".join(sorted(unknown)))
        return 2
    results = []
    for client in CLIENTS:
        if not chosen.names or client.name in chosen.names:
            result = attempt(client)
            print(result.line(), flush=True)
            results.append(result)
    if chosen.write:
        pathlib.Path(chosen.write).write_text(HEAD + "".join(result.row() + "\n" for result in results))
    return 1 if any(result.state == "fails" for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
