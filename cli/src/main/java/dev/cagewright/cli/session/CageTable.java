package dev.cagewright.cli.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.CageState;
import dev.cagewright.supervisor.resident.LastSession;
import dev.cagewright.supervisor.resident.ResidentClient;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The named cages of a person, and which of them are up.
///
/// @param rows by name
record CageTable(List<Row> rows) {
    private static final String ROW = "%-16s  %-11s  %-20s  %8s  %6s  %s";

    /// @param state `up`, how its last session ended, or `new` before its first
    /// @param session its session, the last one when it is down; empty before its first
    /// @param since when its session began
    /// @param workspace empty where its file cannot be read
    record Row(
            String name,
            String state,
            String session,
            Optional<Instant> since,
            Optional<CageState> up,
            String workspace) {
        JsonObject toJson() {
            var json = Json.object()
                    .put("name", name)
                    .put("state", state)
                    .put("session", session)
                    .put("workspace", workspace);
            since.ifPresent(when -> json.put("since", when.toString()));
            up.ifPresent(now ->
                    json.put("programs", now.programs()).put("own", now.own()).put("denials", now.denials()));
            return json.build();
        }
    }

    /// @param console hears what cannot be told
    static CageTable of(StateFolders folders, Console console) throws IOException {
        var up = up(folders, console);
        var cages = NamedCages.of(folders);
        var rows = new ArrayList<Row>();
        for (String name : cages.names()) {
            var now = up.stream().filter(cage -> cage.name().equals(name)).findFirst();
            rows.add(row(folders, name, now, workspace(cages, name)));
        }
        return new CageTable(List.copyOf(rows));
    }

    private static List<CageState> up(StateFolders folders, Console console) throws IOException {
        try {
            var client = ResidentClient.find(folders);
            return client.isPresent() ? client.get().state().cages() : List.of();
        } catch (IOException e) {
            console.say(Visible.text("which cages are up cannot be told: " + e.getMessage()));
            return List.of();
        }
    }

    private static Row row(StateFolders folders, String name, Optional<CageState> now, String workspace)
            throws IOException {
        if (now.isPresent()) {
            var cage = now.get();
            return new Row(name, "up", cage.session(), Optional.of(cage.since()), now, workspace);
        }
        var last = LastSession.of(folders, name);
        return new Row(
                name,
                last.map(record -> record.end().map(SessionRecord.End::state).orElse("interrupted"))
                        .orElse("new"),
                last.map(record -> record.id().value()).orElse(""),
                last.map(SessionRecord::start),
                now,
                workspace);
    }

    private static String workspace(NamedCages cages, String name) {
        try {
            return cages.find(name).workspace().toString();
        } catch (IOException | PolicySyntaxException _) {
            return "";
        }
    }

    void show(Console console) {
        console.out()
                .println(String.format(Locale.ROOT, ROW, "CAGE", "STATE", "SINCE", "PROGRAMS", "DENIED", "WORKSPACE"));
        for (Row row : rows) {
            console.out()
                    .println(String.format(
                            Locale.ROOT,
                            ROW,
                            row.name(),
                            row.state(),
                            row.since()
                                    .map(when ->
                                            when.truncatedTo(ChronoUnit.SECONDS).toString())
                                    .orElse("-"),
                            row.up().map(cage -> Long.toString(cage.programs())).orElse("-"),
                            row.up().map(cage -> Long.toString(cage.denials())).orElse("-"),
                            row.workspace().isEmpty()
                                    ? "(its cage.yaml cannot be read)"
                                    : Visible.text(row.workspace())));
        }
    }
}
