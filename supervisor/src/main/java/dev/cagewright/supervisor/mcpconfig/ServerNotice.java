package dev.cagewright.supervisor.mcpconfig;

import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What a person should hear of a repository's MCP servers when an agent starts in it.
public final class ServerNotice {
    private static final int MOST_NAMES = 3;

    private ServerNotice() {}

    /// At most a sentence for each kind; none where there is no file, or one that cannot be read.
    public static List<String> of(Path workspace) {
        try {
            return of(ServerFile.read(workspace.resolve(".mcp.json")));
        } catch (IOException _) {
            return List.of(); // the agent will say what it makes of it
        }
    }

    private static List<String> of(ServerFile file) {
        var told = new ArrayList<String>();
        var bare = file.bare();
        if (!bare.isEmpty()) {
            told.add(".mcp.json has an agent start " + names(bare) + ": in this cage here; for agents without one,"
                    + " cagewright mcp import gives each a cage of its own");
        }
        var caged = file.servers().stream()
                .filter(Server.Program.class::isInstance)
                .map(Server.Program.class::cast)
                .filter(Server.Program::isCaged)
                .toList();
        if (!caged.isEmpty()) {
            told.add(".mcp.json has " + names(caged)
                    + " started by cagewright, which makes no cage in a cage: not here");
        }
        return List.copyOf(told);
    }

    private static String names(List<Server.Program> programs) {
        var names = programs.stream()
                .limit(MOST_NAMES)
                .map(program -> Quoted.bare(program.name()))
                .collect(Collectors.joining(", "));
        return programs.size() > MOST_NAMES ? names + " and " + (programs.size() - MOST_NAMES) + " more" : names;
    }
}
