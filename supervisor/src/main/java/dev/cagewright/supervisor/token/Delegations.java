package dev.cagewright.supervisor.token;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Who made which token of which, as an audit log has it.
///
/// @param all oldest first
public record Delegations(List<Delegation> all) {
    public Delegations {
        all = List.copyOf(all);
    }

    /// One token that was made.
    ///
    /// @param lineage the names of its links, root first, its own last
    /// @param by `host`, or the session that asked
    /// @param time as the log has it
    /// @param rights of its own link
    public record Delegation(
            List<String> lineage,
            String key,
            String by,
            String time,
            String expires,
            JsonObject rights,
            boolean isRevoked) {
        public Delegation {
            lineage = List.copyOf(lineage);
        }

        public String rev() {
            return lineage.getLast();
        }

        /// E.g. `child-1  by k3v9x2m4qp  until 2026-01-01T00:00:00Z  actions http.request; hosts a.test`.
        public String text() {
            var granted = rights.members().entrySet().stream()
                    .map(member -> member.getKey() + " " + words(member.getValue()))
                    .collect(Collectors.joining("; "));
            return rev() + "  by " + by + "  until " + expires + "  " + (granted.isEmpty() ? "nothing" : granted);
        }
    }

    /// Reads a log to its beginning.
    public static Delegations of(Path log) throws IOException {
        var made = new ArrayList<LogLine>();
        var revoked = new HashSet<String>();
        new EventReader(log).newestFirst(EventQuery.ALL, line -> {
            if (line instanceof StoredLine.Whole(var whole)) {
                switch (whole.event().actionName()) {
                    case "token.mint", "token.delegate" -> made.addFirst(whole);
                    case "token.revoke" -> revoked.add(inKey(whole.event().detail(), text(whole, "rev")));
                    default -> {}
                }
            }
        });
        return new Delegations(made.stream().map(line -> read(line, revoked)).toList());
    }

    private static Delegation read(LogLine line, Set<String> revoked) {
        var detail = line.event().detail();
        var lineage = texts(detail.member("lineage").orElse(null));
        return new Delegation(
                lineage.isEmpty() ? List.of(text(line, "rev")) : lineage,
                text(line, "key"),
                text(line, "by"),
                line.time().toString(),
                text(line, "expires"),
                detail.member("rights").orElse(null) instanceof JsonObject rights ? rights : JsonObject.EMPTY,
                lineage.stream().anyMatch(rev -> revoked.contains(inKey(detail, rev))));
    }

    private static String text(LogLine line, String member) {
        return line.event().detail().text(member).orElse("?");
    }

    private static String inKey(JsonObject detail, String rev) {
        return detail.text("key").orElse("?") + " " + rev;
    }

    /// Those that were minted, and those whose parents the log does not have.
    public List<Delegation> roots() {
        var known = all.stream().map(one -> one.key() + one.lineage()).collect(Collectors.toSet());
        return all.stream()
                .filter(one -> one.lineage().size() == 1 || !known.contains(one.key() + parent(one)))
                .toList();
    }

    /// What was made of it.
    public List<Delegation> childrenOf(Delegation one) {
        return all.stream()
                .filter(child -> child.lineage().size() > 1
                        && child.key().equals(one.key())
                        && parent(child).equals(one.lineage()))
                .toList();
    }

    private static List<String> parent(Delegation one) {
        return one.lineage().subList(0, one.lineage().size() - 1);
    }

    private static List<String> texts(@Nullable JsonValue value) {
        return value instanceof JsonArray(List<JsonValue> items)
                ? items.stream()
                        .map(item -> item instanceof JsonString(String text) ? text : "?")
                        .toList()
                : List.of();
    }

    private static String words(JsonValue value) {
        return value instanceof JsonString(String text) ? text : String.join(",", texts(value));
    }
}
