package dev.cagewright.cli.changes;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.Discard;
import dev.cagewright.supervisor.changes.apply.Application;
import dev.cagewright.supervisor.changes.apply.ApplyJson;
import dev.cagewright.supervisor.changes.apply.RecordedAct;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright discard SESSION [PATH...]`: throws a session's changes away.
@Command(
        name = "discard",
        description = "Throws a session's changes away; the host keeps what it has.",
        mixinStandardHelpOptions = true)
public final class DiscardCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "0", paramLabel = "SESSION", description = SessionWord.HELP)
    private String id = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(index = "1..*", paramLabel = "PATH", description = "What to throw away; everything by default.")
    private List<String> paths = new ArrayList<>();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public DiscardCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var session = new HeldSession(console, folders, SessionWord.id(folders, id));
        return paths.isEmpty() && Discard.isHalfDone(session.folder())
                ? session.whileHeld(this::finish)
                : session.act(this::discard);
    }

    /// What an interrupted discard left; its intent is recorded.
    private int finish(Path folder) throws IOException {
        if (Discard.isHalfDone(folder)) {
            Discard.all(folder);
        }
        console.say("finished what was interrupted: nothing of session " + folder.getFileName() + "'s changes is left");
        return ExitCode.OK.code();
    }

    private int discard(CopyChoice choice) throws IOException, DeniedException {
        var chosen = choice.paths(paths.stream().map(WrittenPath::bytes).toList());
        for (SessionCopy copy : chosen.keySet()) {
            new Application(copy)
                    .recover()
                    .forEach(told -> console.say(ByteString.of(told).printable()));
        }
        var detail = Json.object()
                .put(
                        "copies",
                        chosen.entrySet().stream()
                                .map(one -> ApplyJson.discard(
                                        one.getKey(),
                                        one.getValue().stream()
                                                .map(RelativePath::toString)
                                                .toList()))
                                .toList())
                .build();
        try (var act = RecordedAct.open(choice.record(), "discard", detail)) {
            var warrant = act.pass();
            warrant.spend();
            var missing = new ArrayList<RelativePath>();
            if (paths.isEmpty()) {
                Discard.all(choice.folder());
            } else {
                for (var one : chosen.entrySet()) {
                    missing.addAll(Discard.some(one.getKey(), one.getValue()));
                }
            }
            act.ended(warrant.id(), Json.object().put("discarded", true).build());
            return show(choice, missing, warrant.id().value());
        }
    }

    private int show(CopyChoice choice, List<RelativePath> missing, String decision) {
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("session", choice.record().id().value())
                            .put("decision", decision)
                            .put(
                                    "not_there",
                                    missing.stream().map(RelativePath::toString).toList())
                            .build()
                            .write());
        } else {
            missing.forEach(path -> console.say("there is no change at " + path));
            console.say("discarded; " + decision);
        }
        return (missing.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }
}
