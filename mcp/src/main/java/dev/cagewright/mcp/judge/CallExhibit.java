package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.ActionDigest;
import dev.cagewright.policy.gate.Exhibit;
import java.util.List;

/// A call with its arguments, for the person who is asked.
record CallExhibit(Action.McpCall call, JsonObject arguments) implements Exhibit {
    private static final int LONGEST_LINE = 400;

    @Override
    public ByteString digest() {
        return ActionDigest.begin(call).bytes(arguments.bytes()).end();
    }

    @Override
    public List<String> lines() {
        return arguments.members().entrySet().stream()
                .map(member ->
                        member.getKey() + ": " + shortened(member.getValue().write()))
                .toList();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_LINE
                ? text
                : text.substring(0, LONGEST_LINE) + "... (" + text.length() + " characters in all)";
    }
}
