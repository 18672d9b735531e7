package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.audit.log.Appended;
import dev.cagewright.supervisor.journal.JournalTrace;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Where the audit log tells of a run. Other sessions write into the same log, so a run's lines need not follow each
/// other.
///
/// @param id the log's id, 32 digits
/// @param lines how many lines of the log are the run's own; 0 when nothing could be written
/// @param sha256 of the hashes of those lines in their order, each with a line end; of the first
///     [JournalTrace#MOST_LINES] when there are more
/// @param first the number of the first of them, 0 for none
/// @param last the number of the last of them, 0 for none
/// @param head the hash of the last of them; empty for none
public record LogRange(String id, long lines, String sha256, long first, long last, String head) {
    /// The range of `trace` in the log `id`.
    public static LogRange of(String id, JournalTrace trace) {
        var first = trace.lines().isEmpty() ? 0 : trace.lines().getFirst().seq();
        return new LogRange(
                id,
                trace.count(),
                digest(trace.lines().stream().map(Appended::hash).toList()),
                first,
                trace.last().map(Appended::seq).orElse(0L),
                trace.last().map(Appended::hash).orElse(""));
    }

    /// The digest of lines.
    ///
    /// @param hashes of lines, in their order
    public static String digest(List<String> hashes) {
        var sha = Sha256.fresh();
        hashes.forEach(hash -> sha.update((hash + "\n").getBytes(StandardCharsets.US_ASCII)));
        return Sha256.of(sha);
    }

    JsonObject toJson() {
        return Json.object()
                .put("id", id)
                .put("lines", lines)
                .put("sha256", sha256)
                .put("first", first)
                .put("last", last)
                .put("head", head)
                .build();
    }

    static LogRange read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var range = new LogRange(
                members.text("id"),
                members.count("lines"),
                members.digest("sha256"),
                members.count("first"),
                members.count("last"),
                members.digestOrEmpty("head"));
        members.end();
        return range;
    }
}
