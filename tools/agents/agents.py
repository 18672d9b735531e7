#!/usr/bin/env python3
"""Runs real coding agents from npm in cages of the built product, against a stand-in for their models on this machine.

    tools/agents/agents.py                   installs and tries all, prints a line each, ends with 1 if one does not work
    tools/agents/agents.py claude-code pi    tries these
    tools/agents/agents.py --prompt          without a terminal only; --screen: on a terminal only (needs tmux)
    tools/agents/agents.py --lean            installs what runs, and no more (claude-code and codex: one package each)
    tools/agents/agents.py --user NUMBER     with root's own right to listen, and all else as this ordinary user
    tools/agents/agents.py --packages DIR    keeps the packages there; by default they go when it ends
    tools/agents/agents.py --write FILE      writes the table
    tools/agents/agents.py --list            prints the names

It needs npm with a registry, openssl, git, curl, and the right to listen at port 443 of a loopback address.
"""

import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import trial
from model import Model
from packages import Absent, Packages
from stage import Failed, Stage


def attempt(agent, chosen, packages):
    """One agent: its result, or why there is none."""
    try:
        programs = agent.install(packages, chosen.lean)
    except Absent as absent:
        return trial.Result(agent, "cannot be tried: %s" % absent)
    with tempfile.TemporaryDirectory(prefix="cagewright-models-") as folder:
        result = trial.Result(agent)
        try:
            model = Model(pathlib.Path(folder) / "model", trial.STEPS)
        except OSError as failure:
            return trial.Result(agent, "cannot be tried: %s" % failure)
        try:
            with Stage(model, programs, agent.secrets, chosen.user) as stage:
                if not chosen.screen:
                    trial.prompt(agent, stage, result)
                if not chosen.prompt and agent.has_screen:
                    trial.screen(agent, stage, result)
        except Failed as failed:
            result.failure = str(failed)
        finally:
            model.close()
        registry = packages.registry()
        result.refused = {"npm registry" if host == registry else host for host in result.refused}
        return result


def main():
    parser = argparse.ArgumentParser(description="Runs real coding agents in the cage.")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--prompt", action="store_true")
    parser.add_argument("--screen", action="store_true")
    parser.add_argument("--lean", action="store_true")
    parser.add_argument("--user", type=int, metavar="NUMBER")
    parser.add_argument("--packages", metavar="DIR")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--list", action="store_true")
    chosen = parser.parse_args()
    if chosen.list:
        print("\n".join(agent.name for agent in trial.AGENTS))
        return 0
    unknown = set(chosen.names) - {agent.name for agent in trial.AGENTS}
    if unknown:
        print("no agent of that name: %s" % ", ".join(sorted(unknown)), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="cagewright-packages-") as away:
        packages = Packages(chosen.packages or away)
        results = []
        for agent in trial.AGENTS:
            if not chosen.names or agent.name in chosen.names:
                results.append(attempt(agent, chosen, packages))
                print(results[-1].line(), flush=True)
    if chosen.write:
        pathlib.Path(chosen.write).write_text(trial.HEAD + "".join(result.row() + "\n" for result in results))
    return 1 if any(result.failure for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
