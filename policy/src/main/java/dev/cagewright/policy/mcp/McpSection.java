package dev.cagewright.policy.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `mcp`: what a client may have of a server in a cage, and a server of its client. Silence is denial.
///
/// @param tools absent in a layer that has no opinion about calls; the most specific entry settles a call, and of
///     equals the first
/// @param results what may come back
/// @param requests what a server may ask of its client
public record McpSection(Optional<List<ToolRule>> tools, ResultTerms results, RequestTerms requests) {
    /// No opinion.
    public static final McpSection SILENT = new McpSection(Optional.empty(), ResultTerms.SILENT, RequestTerms.SILENT);

    /// On one list.
    public static final int MOST_TOOLS = 2_000;

    public McpSection {
        tools = tools.map(List::copyOf);
        if (tools.map(List::size).orElse(0) > MOST_TOOLS) {
            throw new IllegalArgumentException("mcp.tools: "
                    + tools.map(List::size).orElse(0) + " entries (expected: at most " + MOST_TOOLS + ")");
        }
    }

    /// The same as it is while somebody learns what it lacks: tools that no entry names may be called. A list that is
    /// full has no place for that.
    public McpSection observing() {
        var entries = new ArrayList<>(tools.orElse(List.of()));
        if (entries.size() < MOST_TOOLS) {
            entries.add(ToolRule.learning());
        }
        return new McpSection(Optional.of(entries), results, requests);
    }
}
