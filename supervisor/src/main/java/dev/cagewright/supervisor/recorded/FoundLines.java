package dev.cagewright.supervisor.recorded;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/// Writes what was found byte for byte as it stands in the log, each line with its end, and counts it. For one thread.
public final class FoundLines implements EventReader.Sink {
    private final OutputStream out;
    private long lines;
    private long damaged;

    /// Writes to `out`, which whoever made it closes.
    public FoundLines(OutputStream out) {
        this.out = out;
    }

    @Override
    public void take(StoredLine line) throws IOException {
        switch (line) {
            case StoredLine.Whole(var whole) -> {
                var bytes = Arrays.copyOf(whole.bytes(), whole.length() + 1);
                bytes[whole.length()] = '\n';
                out.write(bytes);
                lines++;
            }
            case StoredLine.Damaged _ -> damaged++;
        }
    }

    /// `code` 0, `told` nothing, `lines` that were written, `damaged` that were met and cannot be shown.
    public JsonObject told() {
        return Json.object()
                .put("code", 0)
                .put("told", Json.array().build())
                .put("lines", lines)
                .put("damaged", damaged)
                .build();
    }
}
