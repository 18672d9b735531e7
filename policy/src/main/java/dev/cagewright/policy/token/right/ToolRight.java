package dev.cagewright.policy.token.right;

import dev.cagewright.policy.mcp.NamePattern;
import dev.cagewright.policy.quantity.Field;

/// Tools of MCP servers that may be called: `files/read_file`, `files/get_*`, `*/echo`. Each part is a name, with one
/// `*` at most for any characters; `%XX` stands for a byte of UTF-8 that is no visible ASCII, for `%`, and in the
/// server's name for `/`.
public record ToolRight(NamePattern server, NamePattern tool) {
    /// Reads `SERVER/TOOL`.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static ToolRight parse(String field, String text) {
        int slash = text.indexOf('/');
        var server = PercentEncoding.decoded(slash < 0 ? "" : text.substring(0, slash));
        var tool = PercentEncoding.decoded(text.substring(slash + 1));
        try {
            return new ToolRight(
                    NamePattern.parse(field, server.orElseThrow(() -> refusal(field, text))),
                    NamePattern.parse(field, tool.orElseThrow(() -> refusal(field, text))));
        } catch (IllegalArgumentException _) {
            throw refusal(field, text);
        }
    }

    private static IllegalArgumentException refusal(String field, String text) {
        return Field.refusal(field, text, "SERVER/TOOL, each with one * at most, e.g. files/read_*; * is every tool");
    }

    boolean matches(String calledServer, String calledTool) {
        return server.matches(calledServer) && tool.matches(calledTool);
    }

    boolean covers(ToolRight other) {
        return server.covers(other.server) && tool.covers(other.tool);
    }

    @Override
    public String toString() {
        return PercentEncoding.of(server.toString(), "/") + "/" + PercentEncoding.of(tool.toString(), "");
    }
}
