package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.nio.file.Path;
import java.util.List;

/// Which files a run changed in its session copies. Of a workspace that is no copy nothing is stated: the host's own
/// programs write there too.
///
/// @param why nothing is stated; empty when something is
/// @param count how many changes there are
/// @param sha256 of the whole list, one compact JSON object and a line end each; empty when nothing is stated
/// @param files the first changes by path, at most [#MOST]
/// @param missed what could not be looked at, each one sentence
public record ChangesStated(String why, long count, String sha256, List<ChangedFile> files, List<String> missed) {
    /// So many are in the receipt itself; the list beside it has all.
    public static final int MOST = 5_000;

    /// The longest list, bytes.
    public static final int MAX_LIST = 64 << 20;

    public ChangesStated {
        files = List.copyOf(files);
        missed = List.copyOf(missed);
    }

    /// Nothing is known.
    public static ChangesStated none(String why) {
        return new ChangesStated(why, 0, "", List.of(), List.of());
    }

    /// Where the whole list of a session is.
    ///
    /// @param folder the session's
    public static Path file(Path folder) {
        return folder.resolve("changes.jsonl");
    }

    /// Did the run work on copies, so that its changes are known?
    public boolean isStated() {
        return why.isEmpty();
    }

    JsonObject toJson() {
        return Json.object()
                .put("stated", isStated())
                .put("why", why)
                .put("count", count)
                .put("sha256", sha256)
                .put(
                        "files",
                        new JsonArray(files.stream()
                                .<JsonValue>map(ChangedFile::toJson)
                                .toList()))
                .put("missed", missed)
                .build();
    }

    static ChangesStated read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        members.truth("stated");
        var changes = new ChangesStated(
                members.text("why"),
                members.count("count"),
                members.digestOrEmpty("sha256"),
                members.list("files", ChangedFile::read),
                members.texts("missed"));
        members.end();
        return changes;
    }
}
