package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.journal.ActionJson;
import java.util.List;

/// The words of a command, and their digest, which is that of `/proc/PID/cmdline`: each word and a NUL behind it.
///
/// @param count how many there are
/// @param words as the audit log shows them: a text, or an object with base64; none when they are too long
public record Argv(String sha256, long count, List<JsonValue> words) {
    /// Words are shown up to this size together, bytes as written. The digest speaks for longer ones.
    private static final int SHOWN = 64 << 10;

    public Argv {
        words = List.copyOf(words);
    }

    /// What a receipt says of `argv`.
    public static Argv of(List<ByteString> argv) {
        var sha = Sha256.fresh();
        for (ByteString word : argv) {
            sha.update(word.toByteArray());
            sha.update((byte) 0);
        }
        var words = ActionJson.array(argv);
        boolean isShort = words.bytes().length <= SHOWN;
        return new Argv(Sha256.of(sha), argv.size(), isShort ? words.items() : List.of());
    }

    /// How much of a receipt its words are, bytes.
    public int shownBytes() {
        return new JsonArray(words).bytes().length;
    }

    /// The same without its words.
    public Argv unshown() {
        return new Argv(sha256, count, List.of());
    }

    JsonObject toJson() {
        return Json.object()
                .put("sha256", sha256)
                .put("count", count)
                .put("words", new JsonArray(words))
                .build();
    }

    static Argv read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var argv = new Argv(members.digest("sha256"), members.count("count"), members.list("words", Argv::word));
        members.end();
        return argv;
    }

    private static JsonValue word(String where, JsonValue json) throws ReceiptSyntaxException {
        if (json instanceof JsonString) {
            return json;
        }
        var bytes = Members.of(where, json);
        bytes.text("base64");
        bytes.end();
        return json;
    }
}
