package dev.cagewright.cli.audit;

import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.EventView;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `cagewright audit events`: what happened, the newest first.
@Command(
        name = "events",
        description = "Lists events, newest first; control characters are escaped, --json prints lines as they are.",
        mixinStandardHelpOptions = true)
public final class EventsCommand implements Callable<Integer> {
    private static final long USUAL_LIMIT = 50;

    private final Console console;
    private final StateFolders folders;

    @Mixin
    private final LogOption log = new LogOption();

    @Option(names = "--session", paramLabel = "ID", description = "Only this session.")
    private Optional<String> session = Optional.empty();

    @Option(names = "--action", paramLabel = "NAME", description = "Only this kind of action, e.g. proc.exec.")
    private Optional<String> action = Optional.empty();

    @Option(names = "--decision", paramLabel = "WORD", description = "Only allow or deny.")
    private Optional<String> decision = Optional.empty();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Not before: a time like 2026-01-31T12:00:00Z, or an age like 30m, 2h, 7d.")
    private Optional<String> since = Optional.empty();

    @Option(names = "--limit", paramLabel = "N", description = "At most N events; ${DEFAULT-VALUE} by default.")
    private long limit = USUAL_LIMIT;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what is appended.")
    private boolean follow;

    @Option(names = "--json", description = "Print the log's lines byte for byte.")
    private boolean json;

    public EventsCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var start = since.map(EventsCommand::instant);
        var query = new EventQuery(session, action, decision, start, limit);
        var reader = new EventReader(log.path(folders));
        if (follow) {
            reader.follow(query, this::show);
        } else {
            reader.newestFirst(query, this::show);
        }
        return ExitCode.OK.code();
    }

    private static Instant instant(String text) {
        if (text.indexOf('T') > 0) {
            try {
                return Instant.parse(text);
            } catch (DateTimeException _) {
                throw new IllegalArgumentException("--since: \"" + text + "\" (expected: like 2026-01-31T12:00:00Z)");
            }
        }
        return InstantSource.system()
                .instant()
                .minus(TimeSpan.parse("--since", text).value());
    }

    private void show(StoredLine line) throws IOException {
        switch (line) {
            case StoredLine.Whole(var whole) ->
                console.out().println(json ? whole.json() : EventView.text(whole, EventView.UNLIMITED));
            case StoredLine.Damaged(var reason) -> console.say("damaged line: " + reason);
        }
        if (console.isBroken()) {
            throw new IOException("standard output was closed");
        }
    }
}
