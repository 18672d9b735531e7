#!/usr/bin/env python3
"""Has the official clients talk to a server that has the tools of the conformance suite.

    tools/mcp/peers.py stdio PROGRAM ARGUMENT...      a server that they start, over stdin and stdout
    tools/mcp/peers.py http URL TOKEN                 a server that is there, over streamable HTTP
    tools/mcp/peers.py --server NAME ...              that server of several behind one door
    tools/mcp/peers.py --install --packages DIR       installs the packages and nothing more
    tools/mcp/peers.py --packages DIR ...             keeps the packages there; by default they go when it ends

The clients are those of the TypeScript SDK, versions 1 and 2, version 2 in its choice of era as well, of the Java SDK, and
the inspector in both eras. It needs npm and mvn with a registry each, and a JDK 25 (JAVA_HOME). It prints a line for each, and ends with 1 if one fails, with 2 if the
clients cannot be had.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "agents"))
from packages import Absent, Packages

SDKS = {
    "v1": "@modelcontextprotocol/sdk@1.32.2",
    "v2": "@modelcontextprotocol/client@2.4.0",
    "v2-auto": "@modelcontextprotocol/client@2.4.0",
}
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"

# Without the list of versions that belong together the SDK's own choice of them hangs.
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>peer</groupId><artifactId>peer</artifactId><version>1</version><packaging>pom</packaging>
  <dependencyManagement><dependencies><dependency>
    <groupId>tools.jackson</groupId><artifactId>jackson-bom</artifactId><version>3.3.0</version><type>pom</type><scope>import</scope>
  </dependency></dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>io.modelcontextprotocol.sdk</groupId><artifactId>mcp-core</artifactId><version>2.1.0</version></dependency>
    <dependency><groupId>io.modelcontextprotocol.sdk</groupId><artifactId>mcp-json-jackson3</artifactId><version>2.1.0</version></dependency>
  </dependencies>
</project>
"""
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def sdk(packages, node, name, way):
    folder = packages.install("sdk-" + name.split("-")[0], SDKS[name]).parent.parent
    return [str(node / "node"), str(HERE / "client.mjs"), str(folder), name, *way]


def inspector(packages, node, era, way, server):
    program = packages.install("inspector", INSPECTOR) / "mcp-inspector"
    target = way[1:] if way[0] == "stdio" else [way[1], "--transport", "http", "--header", "Authorization: Bearer " + way[2]]
    return [str(node / "node"), str(program.resolve()), "--cli", *target, "--protocol-era", era,
            "--method", "tools/call", "--tool-name", (server + "__" if server else "") + "test_simple_text"]


def java_sdk(packages, way):
    place = packages.folder / "sdk-java"
    done = place / "installed"
    if not done.exists() or done.read_text() != POM:
        place.mkdir(parents=True, exist_ok=True)
        (place / "pom.xml").write_text(POM)
        try:
            told = subprocess.run(["mvn", "-q", "-B", COPY, "-DoutputDirectory=jars"], cwd=place, capture_output=True, text=True,
                                  timeout=600, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired) as failure:
            raise Absent("mvn: %s" % failure) from None
        if told.returncode != 0:
            raise Absent("mvn ended with %d; can its repository be reached? It said: %s" % (told.returncode, told.stdout[-600:]))
        done.write_text(POM)
    java = pathlib.Path(os.environ.get("JAVA_HOME", "/usr")) / "bin" / "java"
    return [str(java), "-cp", str(place / "jars") + "/*", str(HERE / "Peer.java"), *way]


def main():
    parser = argparse.ArgumentParser(description="Has the official clients talk to a server.")
    parser.add_argument("--packages")
    parser.add_argument("--server")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("way", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    if chosen.install:
        chosen.way = ["stdio", ""]
    if len(chosen.way) < 2 or chosen.way[0] not in ("stdio", "http"):
        parser.error("which way? stdio PROGRAM ARGUMENT..., or http URL TOKEN")
    content = True
    with tempfile.TemporaryDirectory(prefix="cagewright-mcp-") as folder:
        packages = Packages(chosen.packages or folder)
        try:
            node = packages.node()
            commands = {name: sdk(packages, node, name, chosen.way) for name in SDKS}
            commands["java"] = java_sdk(packages, chosen.way)
            for era in ("legacy", "modern"):
                commands["inspector-" + era] = inspector(packages, node, era, chosen.way, chosen.server)
        except Absent as absent:
            print("the clients cannot be had: %s" % absent, file=sys.stderr)
            return 2
        if chosen.install:
            return 0
        variables = dict(os.environ, MCP_SERVER=chosen.server) if chosen.server else None
        for name, command in commands.items():
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                                  env=variables)
            said = done.stdout.strip()
            if name.startswith("inspector") and done.returncode == 0:
                said = json.dumps(json.loads(said))
            print("%-18s %s" % (name, said if done.returncode == 0 else "FAILS: " + said + done.stderr[-3000:]))
            content = content and done.returncode == 0
    return 0 if content else 1


if __name__ == "__main__":
    sys.exit(main())
