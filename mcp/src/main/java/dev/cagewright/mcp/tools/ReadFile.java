package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/// `read_file`: a part of one file, as the cage sees it.
record ReadFile(FileTool files) implements Tool {
    private static final int USUAL = 256 << 10;
    private static final int MOST = 4 << 20;
    private static final String AUTO = "auto";

    private static final JsonObject DEFINITION = Tool.definition("""
            {"name": "read_file", "title": "Read a file of the cage",
             "description": "Returns a part of one regular file, as programs in the cage see it: text if it is UTF-8, else base64. Links are not followed. To go on, call again with offset + bytes.",
             "inputSchema": {"type": "object", "additionalProperties": false, "required": ["path"], "properties": {
               "path": {"type": "string", "description": "Below the workspace, or absolute."},
               "offset": {"type": "integer", "minimum": 0, "description": "The first byte; 0 by default."},
               "limit": {"type": "integer", "minimum": 1, "maximum": 4194304, "description": "At most so many bytes; 262144 by default."},
               "encoding": {"enum": ["auto", "utf-8", "base64"], "default": "auto"}}},
             "outputSchema": {"type": "object", "required": ["path", "content", "encoding", "offset", "bytes", "size", "more"], "properties": {
               "path": {"type": "string"},
               "content": {"type": "string"},
               "encoding": {"enum": ["utf-8", "base64"]},
               "offset": {"type": "integer"},
               "bytes": {"type": "integer", "description": "How many bytes of the file content is."},
               "size": {"type": "integer", "description": "Of the whole file."},
               "more": {"type": "boolean", "description": "Is there more behind these?"}}},
             "annotations": {"readOnlyHint": true, "openWorldHint": false}}
            """);

    @Override
    public String name() {
        return "read_file";
    }

    @Override
    public JsonObject definition() {
        return DEFINITION;
    }

    @Override
    public Set<String> arguments() {
        return Set.of("path", "offset", "limit", "encoding");
    }

    @Override
    public ToolAnswer call(Arguments arguments, Call call)
            throws DeniedException, ConfinementException, IOException, InterruptedException {
        var path = files.ground().policyPath(arguments.text("path"));
        long from = arguments.whole("offset", 0, Long.MAX_VALUE / 2).orElse(0);
        long most = arguments.whole("limit", 1, MOST).orElse(USUAL);
        var encoding = arguments.word("encoding", AUTO, List.of(AUTO, Told.UTF_8, Told.BASE64));
        var acted = files.act(new FileAct.Read(path, from, most), call);
        return switch (acted.result()) {
            case FileActed.Refused refused -> FileTool.refused(refused, acted.warrant());
            case FileActed.Read read -> answer(new Part(path, from, read), encoding, acted.warrant());
            case FileActed.Written _ -> throw new IllegalStateException("a read wrote");
        };
    }

    private record Part(GuestPath path, long from, FileActed.Read read) {}

    private static ToolAnswer answer(Part part, String encoding, Warrant warrant) {
        var content = part.read().content();
        boolean isMore = part.from() + content.size() < part.read().size();
        var text = isMore ? whole(content) : content;
        boolean isText = text.utf8().isPresent() && (text.size() > 0 || content.size() == 0);
        if (encoding.equals(Told.UTF_8) && !isText) {
            return ToolAnswer.refused(
                    part.path() + ": is not UTF-8 there (encoding base64 takes it as it is)", warrant);
        }
        var told = isText && !encoding.equals(Told.BASE64) ? Told.of(text) : Told.binary(content);
        int bytes = told.encoding().equals(Told.BASE64) ? content.size() : text.size();
        var structured = Json.object()
                .put("path", part.path().value())
                .put("content", told.text())
                .put("encoding", told.encoding())
                .put("offset", part.from())
                .put("bytes", bytes)
                .put("size", part.read().size())
                .put("more", part.from() + bytes < part.read().size())
                .build();
        return ToolAnswer.done(told.text(), structured, ToolAnswer.allowed(warrant, 0));
    }

    /// Without a character at the end that is not whole.
    private static ByteString whole(ByteString content) {
        int begun = Told.begun(content);
        var whole = new byte[content.size() - begun];
        System.arraycopy(content.toByteArray(), 0, whole, 0, whole.length);
        return ByteString.copyOf(whole);
    }
}
