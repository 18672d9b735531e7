package dev.cagewright.cli.audit;

import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `cagewright panic`: freezes a log for ever.
@Command(
        name = "panic",
        description = "Freezes a log after a suspected compromise: nothing can be appended any more, so nothing runs.",
        mixinStandardHelpOptions = true)
public final class PanicCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Mixin
    private final LogOption log = new LogOption();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
    private String reason = "panic";

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public PanicCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var path = log.path(folders);
        try (var open = AuditLog.open(path, InstantSource.system())) {
            var last = open.panic(Origin.LOG, reason);
            console.out()
                    .println(
                            json
                                    ? Json.object()
                                            .put("frozen", path.toString())
                                            .put("line", last.seq())
                                            .build()
                                            .write()
                                    : "frozen: " + Visible.text(path.toString()) + " at line " + last.seq());
        }
        return ExitCode.OK.code();
    }
}
