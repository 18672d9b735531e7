package dev.cagewright.cli.grant;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.read.EventView;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.grant.GrantOffice;
import dev.cagewright.supervisor.grant.GrantRecord;
import dev.cagewright.supervisor.grant.GrantState.Standing;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Grants as rows.
record GrantRows(Console console, StateFolders folders) {
    private static final String ROW = "%-14s  %7s  %-16s  %-12s  %s";

    /// Which are looked for.
    enum Which {
        HOLDING,
        ALL
    }

    /// One of them.
    ///
    /// @param word how it stands: granted, expired, revoked, or over with its session
    record Row(SessionRecord session, GrantRecord record, String word) {
        boolean isHolding() {
            return word.equals(Standing.GRANTED.word());
        }
    }

    /// Those of one session, or of all: of those that live where only what holds is looked for.
    List<Row> of(Optional<String> word, Which which) throws IOException {
        var store = new SessionStore(folders);
        var office = new GrantOffice(folders);
        var rows = new ArrayList<Row>();
        for (var session : sessions(word, which)) {
            boolean isAlive = store.isAlive(session.id());
            for (var record : office.all(session.id())) {
                var row = new Row(session, record, standing(record, isAlive));
                if (which == Which.ALL || row.isHolding()) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static String standing(GrantRecord record, boolean isAlive) {
        if (record.standing() != Standing.GRANTED) {
            return record.standing().word();
        }
        if (!isAlive) {
            return "ended";
        }
        boolean isOver = !Instant.now().isBefore(record.grant().until());
        return (isOver ? Standing.EXPIRED : Standing.GRANTED).word();
    }

    private List<SessionRecord> sessions(Optional<String> word, Which which) throws IOException {
        if (word.isPresent()) {
            return List.of(session(word.get()));
        }
        return which == Which.HOLDING
                ? new GrantOffice(folders).living()
                : new SessionStore(folders).list((_, _) -> {});
    }

    /// The session that `word` names.
    ///
    /// @throws IllegalArgumentException if there is none
    SessionRecord session(String word) throws IOException {
        return SessionWord.find(folders, word)
                .orElseThrow(() -> new IllegalArgumentException("session: there is no \"" + Visible.text(word)
                        + "\" (expected: one that cagewright ls shows)"));
    }

    void show(List<Row> rows) {
        if (rows.isEmpty()) {
            console.say("nothing is granted");
            return;
        }
        console.out().println(String.format(Locale.ROOT, ROW, "ID", "LEFT", "CAGE", "BY", "WHAT"));
        rows.forEach(row -> console.out().println(Visible.text(text(row))));
    }

    private static String text(Row row) {
        var grant = row.record().grant();
        return String.format(
                Locale.ROOT,
                ROW,
                grant.id(),
                row.isHolding() ? left(grant.until()) : row.word(),
                EventView.shorten(row.session().cage(), 16),
                EventView.shorten(row.record().by(), 12),
                grant.opening()
                        + (row.record().addresses().isEmpty()
                                ? ""
                                : " at " + String.join(", ", row.record().addresses())));
    }

    /// How long until then, in whole seconds, minutes or hours.
    static String left(Instant until) {
        long seconds = Math.max(0, Duration.between(Instant.now(), until).toSeconds());
        return seconds < 120 ? seconds + "s" : seconds < 7200 ? seconds / 60 + "m" : seconds / 3600 + "h";
    }

    void json(List<Row> rows) {
        console.out()
                .println(Json.of(rows.stream().map(GrantRows::json).toList()).write());
    }

    private static JsonObject json(Row row) {
        var json = Json.object()
                .put("session", row.session().id().value())
                .put("cage", row.session().cage());
        row.record().toJson().members().forEach((name, value) -> {
            if (!name.equals("standing")) {
                json.put(name, value);
            }
        });
        return json.put("standing", row.word()).build();
    }
}
