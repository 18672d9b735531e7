package dev.cagewright.cli.mcp;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.mcp.relay.Voice;

/// What servers say beside their dialogue, on this process's error output: each line with its server's name, nothing
/// that moves a cursor or colours, and bounded.
record ServerVoice(Console console) implements Voice {
    private static final int LONGEST = 2_000;

    @Override
    public void said(String server, String line) {
        var shown = line.length() > LONGEST ? line.substring(0, LONGEST) + " ..." : line;
        console.asItIs(Visible.text(server + ": " + shown));
    }

    @Override
    public void told(String server, String clause) {
        console.say(Visible.text("the MCP server " + server + " " + clause));
    }
}
