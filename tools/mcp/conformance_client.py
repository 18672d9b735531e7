#!/usr/bin/env python3
"""Runs the client scenarios of the official MCP conformance suite: servers of the suite's own, which `cagewright mcp wrap
--url` speaks to, and a plain client on its standard streams.

    tools/mcp/conformance_client.py CAGEWRIGHT                    every scenario that applies
    tools/mcp/conformance_client.py CAGEWRIGHT SCENARIO@VERSION   some of them
    tools/mcp/conformance_client.py --packages DIR CAGEWRIGHT     keeps the packages there; by default they go when it ends

CAGEWRIGHT is the program to start. It needs npm with a registry. It prints a line for each scenario, and ends with 1 if
a check fails, with 2 if the suite cannot be had. The scenarios auth/* are about OAuth, which is not offered.
"""

import argparse
import json
import os
import pathlib
import queue
import shlex
import subprocess
import sys
import tempfile
import threading
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "agents"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

SCENARIOS = (
    "initialize@2025-11-25",
    "tools_call@2025-11-25",
    "elicitation-sep1034-client-defaults@2025-11-25",
    "sse-retry@2025-11-25",
    "json-schema-2020-12-preservation@2025-11-25",
    "tools_call@2026-07-28",
    "request-metadata@2026-07-28",
    "sep-2322-client-request-state@2026-07-28",
    "http-standard-headers@2026-07-28",
    "http-custom-headers@2026-07-28",
    "http-invalid-tool-headers@2026-07-28",
    "json-schema-ref-no-deref@2026-07-28",
    "json-schema-2020-12-preservation@2026-07-28",
)

PATIENCE = 60


class Client:
    """A client of the session era that starts its server; it agrees to whatever it is asked, with the defaults."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.answers = {}
        self.last = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": self.agreed(message)})
            elif "id" in message:
                self.answers[message["id"]].put(message)
        for waiting in self.answers.values():
            waiting.put({"error": {"code": 0, "message": "the server is gone"}})

    @staticmethod
    def agreed(message):
        if message["method"] != "elicitation/create":
            return {}
        schema = message["params"].get("requestedSchema", {}).get("properties", {})
        return {"action": "accept", "content": {name: one.get("default", sample(one)) for name, one in schema.items()}}

    def send(self, message):
        with self.lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def begin(self, method, params):
        with self.lock:
            self.last += 1
            number = self.last
        self.answers[number] = queue.Queue()
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def ask(self, method, **params):
        answer = self.answers[self.begin(method, params)].get(timeout=PATIENCE)
        if "error" in answer:
            print("%s: %s" % (method, answer["error"]["message"]), file=sys.stderr)
        return answer.get("result", {})

    def open(self):
        about = {"elicitation": {"form": {"applyDefaults": True}}}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities=about, clientInfo={"name": "play", "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=PATIENCE)


def sample(schema):
    if schema.get("type") == "object":
        return {name: sample(one) for name, one in schema.get("properties", {}).items()}
    if "enum" in schema:
        return schema["enum"][0]
    return {"integer": 7, "number": 5, "boolean": True, "array": []}.get(schema.get("type"), "text")


def play(cagewright, url):
    """The client that the suite starts."""
    with tempfile.TemporaryDirectory(prefix="cagewright-play-") as folder:
        at = urllib.parse.urlsplit(url)
        policy = pathlib.Path(folder, "play.yaml")
        policy.write_text(
            "tool: play\nnet: {hosts: [{host: %s, port: %d, methods: [GET, POST, DELETE]}]}\n"
            "mcp: {tools: ['*'], requests: {elicitation: allow}}\n" % (at.hostname, at.port or 80))
        environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder + "/config", XDG_STATE_HOME=folder + "/state")
        client = Client([cagewright, "mcp", "wrap", "--policy", str(policy), "--name", "play", "--url", url], environment)
        client.open()
        tools = {tool["name"]: tool for tool in client.ask("tools/list").get("tools", [])}
        use(client, tools)
        client.close()


def use(client, tools):
    """All that the server has, each once; what the suite wants called it says itself."""
    wanted = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")).get("toolCalls")
    if wanted:
        for call in wanted:
            # The suite's null is none of what its own schema allows, and such a call is refused before it is sent.
            arguments = {name: value for name, value in call["arguments"].items() if value is not None}
            client.ask("tools/call", name=call["name"], arguments=arguments)
        return
    for name, tool in tools.items():
        arguments = {one: sample(schema) for one, schema in tool.get("inputSchema", {}).get("properties", {}).items()
                     if "$ref" not in schema}
        if name == "json_schema_echo":
            arguments = {"schema": tools["json_schema_2020_12_tool"]["inputSchema"]}
        if name == "add_numbers":
            arguments = {"a": 5, "b": 3}
        client.ask("tools/call", name=name, arguments=arguments)
    for resource in client.ask("resources/list").get("resources", []):
        client.ask("resources/read", uri=resource["uri"])
    for prompt in client.ask("prompts/list").get("prompts", []):
        client.ask("prompts/get", name=prompt["name"], arguments={})


def run(node, suite, cagewright, scenario):
    """The checks of one scenario: how many are good, and what is wrong with the others."""
    name, version = scenario.split("@")
    command = shlex.join([sys.executable, str(pathlib.Path(__file__).resolve()), "--play", cagewright])
    with tempfile.TemporaryDirectory(prefix="cagewright-conformance-") as folder:
        done = subprocess.run(
            [str(node / "node"), str(suite), "client", "--command", command, "--scenario", name, "--spec-version", version,
             "--timeout", "110000", "-o", folder], cwd=folder, capture_output=True, text=True, timeout=180)
        found = [json.loads(file.read_text()) for file in sorted(pathlib.Path(folder).rglob("checks.json"))]
        checks = [check for file in found for check in file]
        bad = ["%s: %s" % (one["id"], one.get("errorMessage")) for one in checks if one["status"] in ("FAILURE", "WARNING")]
        good = sum(one["status"] == "SUCCESS" for one in checks)
        said = "" if done.returncode == 0 and good and not bad else done.stdout[-2000:] + done.stderr[-2000:]
        return good, bad, said


def main():
    parser = argparse.ArgumentParser(description="Runs the client scenarios of the official MCP conformance suite.")
    parser.add_argument("cagewright")
    parser.add_argument("scenarios", nargs="*", default=[])
    parser.add_argument("--packages")
    parser.add_argument("--play", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.play:
        play(chosen.cagewright, chosen.scenarios[0])
        return 0
    from conformance import SUITE
    from packages import Absent, Packages

    with tempfile.TemporaryDirectory(prefix="cagewright-mcp-") as folder:
        packages = Packages(chosen.packages or folder)
        try:
            node = packages.node()
            suite = (packages.install("conformance", SUITE) / "conformance").resolve()
        except Absent as absent:
            print("the suite cannot be had: %s" % absent, file=sys.stderr)
            return 2
        content = True
        for scenario in chosen.scenarios or SCENARIOS:
            good, bad, said = run(node, suite, str(pathlib.Path(chosen.cagewright).resolve()), scenario)
            content = content and not said
            print("%-50s %3d passed%s%s" % (scenario, good, ", %d not: %s" % (len(bad), "; ".join(bad)) if bad else "",
                                            "\n" + said if said else ""), flush=True)
        return 0 if content else 1


if __name__ == "__main__":
    sys.exit(main())
