package dev.cagewright.cli.session;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.read.EventView;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.standstill.Order;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright ls`: the named cages, and the sessions, newest first.
@Command(
        name = "ls",
        aliases = "list",
        description = "Lists named cages, and sessions, newest first.",
        mixinStandardHelpOptions = true)
public final class LsCommand implements Callable<Integer> {
    private static final String ROW = "%-10s  %-20s  %-12s %4s  %-7s  %s";

    private final Console console;
    private final StateFolders folders;

    @Option(names = "--limit", paramLabel = "N", description = "At most N; ${DEFAULT-VALUE} by default.")
    private int limit = 20;

    @Option(names = "--cages", description = "Named cages alone.")
    private boolean cages;

    @Option(names = "--json", description = "Print one JSON array, of sessions unless --cages is given.")
    private boolean json;

    public LsCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit: " + limit + " (expected: at least 1)");
        }
        if (cages || !json) {
            var table = CageTable.of(folders, console);
            if (cages) {
                named(table);
                return ExitCode.OK.code();
            }
            if (!table.rows().isEmpty()) {
                table.show(console);
                console.out().println();
            }
        }
        var all = new SessionStore(folders)
                .list((folder, why) -> console.say("unreadable session " + folder + ": " + why.getMessage()));
        var shown = all.subList(0, Math.min(limit, all.size()));
        if (json) {
            console.out()
                    .println(Json.of(shown.stream().map(this::json).toList()).write());
        } else {
            table(shown);
        }
        return ExitCode.OK.code();
    }

    private void named(CageTable table) {
        if (json) {
            console.out()
                    .println(Json.of(table.rows().stream()
                                    .map(CageTable.Row::toJson)
                                    .toList())
                            .write());
        } else if (table.rows().isEmpty()) {
            console.say("no cages yet (cagewright init NAME makes one)");
        } else {
            table.show(console);
        }
    }

    private JsonObject json(SessionRecord record) {
        var written = record.toJson();
        if (record.end().isPresent()) {
            return written;
        }
        var json = Json.object();
        written.members().forEach(json::put);
        return json.put("state", state(record)).build();
    }

    /// One whose end is not recorded runs as long as its supervisor lives.
    private String state(SessionRecord record) {
        return record.end().map(SessionRecord.End::state).orElseGet(() -> {
            try {
                if (!new SessionStore(folders).isAlive(record.id())) {
                    return "interrupted";
                }
                var folder = folders.sessions().resolve(record.id().value());
                return Order.isAwaited(folder) ? "paused" : "running";
            } catch (IOException _) {
                return "unknown";
            }
        });
    }

    /// Is there a copy that was not discarded, with something in it?
    private boolean holdsChanges(SessionRecord record) throws IOException {
        var folder = folders.sessions().resolve(record.id().value());
        for (SessionCopy copy : SessionCopy.all(folder)) {
            try (var upper = HostFolder.open(ByteString.of(copy.upper().toString()))) {
                if (!upper.names(1).isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void table(List<SessionRecord> records) throws IOException {
        if (records.isEmpty()) {
            console.say("no sessions yet");
            return;
        }
        console.out()
                .println(String.format(Locale.ROOT, ROW, "SESSION", "START", "STATE", "EXIT", "CHANGES", "COMMAND"));
        for (var record : records) {
            var command =
                    record.command().isEmpty() ? "(cage " + record.cage() + ")" : String.join(" ", record.command());
            console.out()
                    .println(String.format(
                            Locale.ROOT,
                            ROW,
                            record.id(),
                            record.start().truncatedTo(ChronoUnit.SECONDS),
                            state(record),
                            record.end()
                                    .map(end -> Integer.toString(end.exit()))
                                    .orElse("-"),
                            holdsChanges(record) ? "held" : "-",
                            EventView.shorten(command, Console.WIDTH - 62)));
        }
    }
}
