package dev.cagewright.cli.changes;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.changes.ChangeJson;
import dev.cagewright.supervisor.changes.ChangeSet;
import dev.cagewright.supervisor.changes.PivotReport;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright changes SESSION`: what a run did to its copies, and what of it the host would execute.
@Command(
        name = "changes",
        description = {
            "Shows what a session changed in its copy of the workspace.",
            "For one that worked on the host's own files: what it left there that the host would execute."
        },
        mixinStandardHelpOptions = true)
public final class ChangesCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", description = SessionWord.HELP)
    private String id = "";

    @Option(names = "--stat", description = "Print how many lines of each file came and went.")
    private boolean stat;

    @Option(names = "--diff", description = "Print a patch that git apply takes.")
    private boolean diff;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public ChangesCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        if ((stat ? 1 : 0) + (diff ? 1 : 0) + (json ? 1 : 0) > 1) {
            throw new IllegalArgumentException("--stat, --diff, --json: more than one (expected: one of them)");
        }
        try {
            var choice = CopyChoice.ofEither(folders, SessionWord.id(folders, id));
            if (choice.copies().isEmpty()) {
                return new LeftText(console).show(choice, json ? LeftText.Form.JSON : LeftText.Form.LINES);
            }
            if (json) {
                console.out().println(json(choice).write());
            } else {
                show(choice);
            }
            return ExitCode.OK.code();
        } catch (NoCopyException e) {
            console.say(String.valueOf(e.getMessage()));
            return ExitCode.CHECK_FAILED.code();
        }
    }

    private void show(CopyChoice choice) throws IOException {
        var text = new ChangeText(console);
        for (SessionCopy copy : choice.copies()) {
            var changes = ChangeSet.of(copy);
            if (diff) {
                text.patch(changes);
            } else if (stat) {
                text.stat(changes);
            } else {
                text.list(changes, choice.record().id());
            }
            changes.missed().forEach(missed -> console.say("not looked at: " + missed));
        }
    }

    private static JsonObject json(CopyChoice choice) throws IOException {
        var copies = new ArrayList<JsonObject>();
        for (SessionCopy copy : choice.copies()) {
            var changes = ChangeSet.of(copy);
            var pivots = PivotReport.of(changes);
            copies.add(Json.object()
                    .put("at", copy.at().value())
                    .put("host", ActionJson.bytes(copy.lower()))
                    .put("mechanism", copy.mechanism().word())
                    .put(
                            "changes",
                            changes.differences().stream().map(ChangeJson::of).toList())
                    .put("host_would_execute", pivots(pivots))
                    .put("complete", changes.isComplete())
                    .put("missed", changes.missed())
                    .build());
        }
        return Json.object()
                .put("session", choice.record().id().value())
                .put("copies", copies)
                .build();
    }

    private static List<JsonObject> pivots(PivotReport report) {
        return report.findings().stream()
                .map(finding -> Json.object()
                        .put("path", ActionJson.bytes(finding.path().bytes()))
                        .put("why", finding.sentence())
                        .build())
                .toList();
    }
}
