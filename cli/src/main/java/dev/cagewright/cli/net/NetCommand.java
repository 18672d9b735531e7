package dev.cagewright.cli.net;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright net SESSION`: who talked to whom, how much, what was refused and why. From the audit log.
@Command(
        name = "net",
        description = "Shows what a session's cage said to the network, oldest first: requests, connections, look-ups.",
        mixinStandardHelpOptions = true)
public final class NetCommand implements Callable<Integer> {
    /// How often a followed log is looked at.
    private static final Duration PACE = Duration.ofMillis(200);

    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", description = SessionWord.HELP)
    private String session = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the session ends.")
    private boolean follow;

    @Option(names = "--denied", description = "Only what was refused.")
    private boolean denied;

    @Option(names = "--summary", description = "One row a host, and one a budget.")
    private boolean summary;

    @Option(names = "--json", description = "Print a JSON object a line; with --summary one array.")
    private boolean json;

    private final BudgetRows budgets = new BudgetRows();
    private long lastLine;
    private Instant lastTime = Instant.MIN;

    public NetCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        if (follow && summary) {
            throw new IllegalArgumentException("--follow, --summary: both (expected: one of them)");
        }
        var record = SessionWord.find(folders, session);
        if (record.isEmpty()) {
            console.say("no session " + Visible.text(session) + " (cagewright ls lists them)");
            return ExitCode.CHECK_FAILED.code();
        }
        if (summary) {
            summary(record.get());
        } else {
            lines(record.get());
        }
        return ExitCode.OK.code();
    }

    private void summary(SessionRecord record) throws IOException {
        var table = new NetSummary();
        var crossings = new Crossings(wanted(table::add));
        pass(record, crossings);
        crossings.end();
        if (json) {
            console.out().println(table.json(budgets.json()).write());
        } else {
            table.lines().forEach(console.out()::println);
            budgets.lines().forEach(console.out()::println);
        }
    }

    private void lines(SessionRecord record) throws IOException {
        var crossings = new Crossings(wanted(this::show));
        boolean lives;
        do {
            lives = follow && new SessionStore(folders).isAlive(record.id());
            pass(record, crossings);
            if (lives) {
                LockSupport.parkNanos(PACE.toNanos());
            }
        } while (lives);
        crossings.end();
    }

    private Crossings.Sink wanted(Crossings.Sink sink) {
        return crossing -> {
            if (!denied || crossing.isRefused()) {
                sink.take(crossing);
            }
        };
    }

    /// Hands on the session's lines that were not handed on yet.
    private void pass(SessionRecord record, Crossings crossings) throws IOException {
        var from = lastTime.isAfter(record.start()) ? lastTime : record.start();
        new EventReader(Path.of(record.auditLog())).oldestFirst(EventQuery.ALL.notBefore(from), line -> {
            switch (line) {
                case StoredLine.Whole(var whole) -> take(record, whole, crossings);
                case StoredLine.Damaged(var reason) -> console.say("damaged line: " + reason);
            }
        });
    }

    private void take(SessionRecord record, LogLine line, Crossings crossings) throws IOException {
        if (line.seq() <= lastLine) {
            return;
        }
        lastLine = line.seq();
        lastTime = line.time();
        if (line.event().origin().session().equals(record.id().value())) {
            crossings.take(line);
            budgets.take(line);
        }
    }

    private void show(Crossing crossing) throws IOException {
        console.out().println(json ? crossing.json().write() : NetLine.of(crossing, console.palette()));
        if (console.isBroken()) {
            throw new IOException("standard output was closed");
        }
    }
}
