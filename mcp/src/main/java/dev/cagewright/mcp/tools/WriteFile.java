package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// `write_file`: the content of one file of the cage.
record WriteFile(FileTool files) implements Tool {
    private static final int MOST = 3 << 20;
    private static final String CREATE = "create";
    private static final String OVERWRITE = "overwrite";
    private static final String APPEND = "append";

    private static final JsonObject DEFINITION = Tool.definition("""
            {"name": "write_file", "title": "Write a file of the cage",
             "description": "Writes one regular file, as a program in the cage could: whole and on the disk, or not at all. A file that is there keeps its permissions. Links are not followed; protected files (git hooks, agent and editor configuration, keys) stay as they are.",
             "inputSchema": {"type": "object", "additionalProperties": false, "required": ["path", "content"], "properties": {
               "path": {"type": "string", "description": "Below the workspace, or absolute."},
               "content": {"type": "string", "description": "At most 3 MiB."},
               "encoding": {"enum": ["utf-8", "base64"], "default": "utf-8", "description": "What content is in."},
               "mode": {"enum": ["overwrite", "create", "append"], "default": "overwrite", "description": "create leaves a file that is there alone."},
               "parents": {"type": "boolean", "default": false, "description": "Make directories that are not there."}}},
             "outputSchema": {"type": "object", "required": ["path", "size", "created"], "properties": {
               "path": {"type": "string"},
               "size": {"type": "integer", "description": "Of the file now."},
               "created": {"type": "boolean", "description": "Was there none before?"}}},
             "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": false}}
            """);

    @Override
    public String name() {
        return "write_file";
    }

    @Override
    public JsonObject definition() {
        return DEFINITION;
    }

    @Override
    public Set<String> arguments() {
        return Set.of("path", "content", "encoding", "mode", "parents");
    }

    @Override
    public ToolAnswer call(Arguments arguments, Call call)
            throws DeniedException, ConfinementException, IOException, InterruptedException {
        var path = files.ground().policyPath(arguments.text("path"));
        var content = arguments
                .content("content", "encoding", MOST)
                .orElseThrow(() -> new IllegalArgumentException("content: is missing"));
        var mode = mode(arguments.word("mode", OVERWRITE, List.of(CREATE, OVERWRITE, APPEND)));
        var parents = arguments.isSet("parents") ? FileAct.Parents.MADE : FileAct.Parents.REQUIRED;
        var acted = files.act(new FileAct.Write(path, mode, parents, content), call);
        return switch (acted.result()) {
            case FileActed.Refused refused -> FileTool.refused(refused, acted.warrant());
            case FileActed.Written written -> answer(path, written, acted.warrant());
            case FileActed.Read _ -> throw new IllegalStateException("a write read");
        };
    }

    private static FileAct.Mode mode(String word) {
        return switch (word) {
            case CREATE -> FileAct.Mode.CREATE;
            case APPEND -> FileAct.Mode.APPEND;
            default -> FileAct.Mode.REPLACE;
        };
    }

    private static ToolAnswer answer(GuestPath path, FileActed.Written written, Warrant warrant) {
        boolean isNew = written.was() == FileActed.Was.NOTHING;
        var structured = Json.object()
                .put("path", path.value())
                .put("size", written.size())
                .put("created", isNew)
                .build();
        return ToolAnswer.done(
                (isNew ? "created " : "wrote ") + path + ", " + written.size() + " bytes now; decision " + warrant.id(),
                structured,
                ToolAnswer.allowed(warrant, 0));
    }
}
