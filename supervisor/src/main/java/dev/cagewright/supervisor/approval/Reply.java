package dev.cagewright.supervisor.approval;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.util.Locale;

/// What came back to a [Question].
///
/// @param digest of the object that was shown to whoever replied; another one's reply answers nothing
/// @param scope how far an agreement reaches; of no meaning otherwise
/// @param how the way it came: `terminal`, `command`, `timeout` ...
/// @param who the name of the account it came from
public record Reply(Word word, String digest, Scope scope, String how, String who) {
    /// The largest reply, bytes.
    static final int MOST = 8 << 10;

    /// Which answer.
    public enum Word {
        AGREED,
        REFUSED,
        /// Nobody answered in time.
        EXPIRED;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public JsonObject toJson() {
        return Json.object()
                .put("reply", word.text())
                .put("digest", digest)
                .put("scope", scope.word())
                .put("how", how)
                .put("who", who)
                .build();
    }

    /// @throws IOException if it is no reply; then nobody agreed
    static Reply parse(byte[] text) throws IOException {
        try {
            if (Json.parse(text, MOST) instanceof JsonObject json) {
                return new Reply(
                        Word.valueOf(text(json, "reply").toUpperCase(Locale.ROOT)),
                        text(json, "digest"),
                        Scope.parse(text(json, "scope")),
                        text(json, "how"),
                        text(json, "who"));
            }
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            throw new IOException("reply: " + e.getMessage(), e);
        }
        throw new IOException("reply: not an object");
    }

    private static String text(JsonObject json, String member) throws IOException {
        return json.text(member).orElseThrow(() -> new IOException("reply: no \"" + member + "\""));
    }
}
