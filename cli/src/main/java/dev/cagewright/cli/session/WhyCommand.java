package dev.cagewright.cli.session;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.recorded.RecordedLines;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright why ID`: what was decided under that id, by which rule, and what would change it.
@Command(name = "why", description = "Explains a decision by its id.", mixinStandardHelpOptions = true)
public final class WhyCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "ID", description = "A decision's id, e.g. k3v9x2m4qp-1, as a denial or the log shows it.")
    private String id = "";

    @Option(names = "--audit", paramLabel = "LOG", description = "The log to look in; by default the session's own.")
    private Optional<Path> audit = Optional.empty();

    @Option(names = "--json", description = "Print the log's lines about it as a JSON array.")
    private boolean json;

    public WhyCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var decision = new DecisionId(id);
        var lines = find(decision);
        if (lines.isEmpty()) {
            console.say("no decision " + decision + " in "
                    + Visible.text(log(decision).toString()));
            return ExitCode.CHECK_FAILED.code();
        }
        if (json) {
            console.out()
                    .println("["
                            + String.join(",", lines.stream().map(LogLine::json).toList()) + "]");
        } else {
            lines.forEach(this::show);
        }
        return ExitCode.OK.code();
    }

    private Path log(DecisionId decision) throws IOException {
        return audit.isPresent() ? audit.get().toAbsolutePath() : new RecordedLines(folders).logOf(decision);
    }

    /// The decision's lines, oldest first.
    private List<LogLine> find(DecisionId decision) throws IOException {
        var found = new ArrayList<LogLine>();
        EventReader.Sink sink = line -> {
            if (line instanceof StoredLine.Whole(var whole)) {
                found.add(whole);
            }
        };
        if (audit.isPresent()) {
            RecordedLines.decision(decision, log(decision), sink);
        } else {
            new RecordedLines(folders).decision(decision, sink);
        }
        return found;
    }

    private void show(LogLine line) {
        var event = line.event();
        var out = console.out();
        switch (event.kind()) {
            case INTENT -> {
                var word = event.ruling().decision();
                var paint = word.equals("allow")
                        ? console.palette().good(word)
                        : console.palette().bad(word);
                out.println(paint + "  " + event.origin().id() + "  " + line.time());
                out.println("  action   " + event.action().write());
                out.println("  rules    " + String.join(", ", event.ruling().rules()));
                event.detail().text("why").ifPresent(why -> out.println("  why      " + ByteString.of(why)));
                event.detail().text("at").ifPresent(at -> out.println("  where    " + ByteString.of(at)));
                suggestions(event.detail().member("would_allow")).forEach(hint -> out.println("  allow    " + hint));
            }
            case OUTCOME -> out.println("  outcome  " + event.detail().write());
            case NOTE ->
                out.println("  note     "
                        + event.action()
                                .text("name")
                                .map(name -> ByteString.of(name) + " ")
                                .orElse("")
                        + event.detail().write());
        }
    }

    private static List<String> suggestions(Optional<JsonValue> member) {
        if (member.orElse(null) instanceof JsonArray(List<JsonValue> items)) {
            return items.stream()
                    .map(item -> item instanceof JsonString(String text)
                            ? ByteString.of(text).printable()
                            : "?")
                    .toList();
        }
        return List.of();
    }
}
