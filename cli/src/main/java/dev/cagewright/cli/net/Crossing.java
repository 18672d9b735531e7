package dev.cagewright.cli.net;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One request, connection or look-up of a cage as the audit log has it.
///
/// @param begun what was decided, or the note of what came to nothing
/// @param end how it ended; null while it lasts, and for what was refused
public record Crossing(LogLine begun, @Nullable LogLine end) {
    /// The note of what came to nothing before there was something to judge.
    static final String REFUSED = "net.refused";

    /// When it was decided.
    Instant time() {
        return begun.time();
    }

    /// `http.request`, `net.connect`, `dns.lookup` or `net.refused`.
    public String kind() {
        return begun.event().actionName();
    }

    /// The name or address it was for.
    public String host() {
        return kind().equals(REFUSED)
                ? begun.event().detail().text("target").orElse("?")
                : begun.event().action().text("host").orElse("?");
    }

    OptionalLong port() {
        return number(
                kind().equals(REFUSED) ? begun.event().detail() : begun.event().action(), "port");
    }

    Optional<String> method() {
        return begun.event().action().text("method");
    }

    Optional<String> path() {
        return begun.event().action().text("path");
    }

    /// The decision's id; empty where nothing was judged.
    public String id() {
        return begun.event().origin().id();
    }

    List<String> rules() {
        return begun.event().ruling().rules();
    }

    /// Did it come to nothing because somebody said no? An allowed name that leads where nobody may dial counts too.
    public boolean isRefused() {
        return kind().equals(REFUSED)
                || begun.event().ruling().decision().equals("deny")
                || (status().orElse(0) == 403 && !state().equals("complete"));
    }

    OptionalLong status() {
        return ended("status");
    }

    /// How it ended: `complete`, `unreached`, `truncated`; `open` while it lasts; empty for what never began.
    String state() {
        if (end != null) {
            return end.event().detail().text("state").orElse("complete");
        }
        return kind().equals(REFUSED) || begun.event().ruling().decision().equals("deny") ? "" : "open";
    }

    public Optional<String> why() {
        var own = begun.event().detail().text("why");
        return own.isPresent() || end == null ? own : end.event().detail().text("why");
    }

    Optional<String> address() {
        return end == null ? Optional.empty() : end.event().detail().text("address");
    }

    OptionalLong sentBytes() {
        return ended("sent_bytes");
    }

    OptionalLong receivedBytes() {
        return ended("received_bytes");
    }

    OptionalLong wallMillis() {
        return ended("wall_ms");
    }

    private OptionalLong ended(String member) {
        return end == null ? OptionalLong.empty() : number(end.event().detail(), member);
    }

    private static OptionalLong number(JsonObject object, String member) {
        try {
            return object.member(member).orElse(null) instanceof JsonNumber number
                    ? OptionalLong.of(number.asLong())
                    : OptionalLong.empty();
        } catch (ArithmeticException _) {
            return OptionalLong.empty();
        }
    }

    JsonObject json() {
        var json =
                Json.object().put("time", time().toString()).put("kind", kind()).put("host", host());
        port().ifPresent(port -> json.put("port", port));
        method().ifPresent(method -> json.put("method", method));
        path().ifPresent(path -> json.put("path", path));
        json.put("refused", isRefused()).put("id", id()).put("rules", rules()).put("state", state());
        why().ifPresent(why -> json.put("why", why));
        status().ifPresent(status -> json.put("status", status));
        address().ifPresent(address -> json.put("address", address));
        sentBytes().ifPresent(bytes -> json.put("sent_bytes", bytes));
        receivedBytes().ifPresent(bytes -> json.put("received_bytes", bytes));
        wallMillis().ifPresent(time -> json.put("wall_ms", time));
        return json.build();
    }
}
