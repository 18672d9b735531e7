package dev.cagewright.supervisor.journal;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import java.util.stream.Collectors;

/// An action in one line for people, safe on a terminal.
public final class ActionText {
    private static final String PLAIN = "[A-Za-z0-9_@%+=:,./-]+";

    private ActionText() {}

    public static String of(Action action) {
        return switch (action) {
            case Action.ProcExec exec ->
                "proc.exec " + exec.argv().stream().map(ActionText::word).collect(Collectors.joining(" "));
            case Action.FsRead read -> "fs.read " + read.path();
            case Action.FsWrite write -> "fs.write " + write.path();
            case Action.HttpRequest request ->
                "http.request " + request.method() + " " + request.host() + ":" + request.port()
                        + ByteString.of(request.path()).printable();
            case Action.NetConnect connect -> "net.connect " + connect.host() + ":" + connect.port();
            case Action.NetPublish(int port) -> "net.publish port " + port;
            case Action.DnsLookup lookup -> "dns.lookup " + lookup.host();
            case Action.McpCall(String server, String tool) -> "mcp.call " + named(server) + " " + named(tool);
            case Action.SecretUse _, Action.RunControl _ ->
                ActionJson.of(action).write();
        };
    }

    /// Names that servers choose, beside each other.
    private static String named(String name) {
        return word(ByteString.of(name));
    }

    /// As a shell would need it, for the eye only.
    private static String word(ByteString word) {
        var text = word.printable();
        return text.matches(PLAIN) ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
