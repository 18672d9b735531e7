package dev.cagewright.cli.audit;

import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.anchor.Anchor;
import dev.cagewright.supervisor.anchor.Cadence;
import dev.cagewright.supervisor.anchor.Schedule;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright audit schedule`: has each run sign the log when it ends.
@Command(
        name = "schedule",
        description = {
            "Has runs sign your state folder's log when they end, and carry the checkpoint to anchors.",
            "Without options it shows what is scheduled."
        },
        mixinStandardHelpOptions = true)
public final class ScheduleCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Option(names = "--key-hex", paramLabel = "FILE", description = "PREFIX.secret.hex of keygen.")
    private Optional<Path> key = Optional.empty();

    @Option(
            names = "--every",
            paramLabel = "N|TIME",
            description = "Only after N more lines, or once a line is unsigned for TIME; at each end by default.")
    private List<String> every = new ArrayList<>();

    @Option(names = "--anchor", paramLabel = "FILE|URL", description = "Where checkpoints go.")
    private List<String> anchors = new ArrayList<>();

    @Option(names = "--off", description = "Schedule nothing.")
    private boolean off;

    public ScheduleCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        if (off) {
            console.out().println(Schedule.remove(folders) ? "no checkpoints any more" : "nothing was scheduled");
        } else if (key.isPresent()) {
            var file = key.get().toAbsolutePath();
            SigningKey.read(file);
            var places = anchors.stream().map(text -> Anchor.parse(text).text()).toList();
            new Schedule(file, Cadence.parse(every), places).store(folders);
            show();
        } else if (!every.isEmpty() || !anchors.isEmpty()) {
            throw new IllegalArgumentException("--key-hex: none (expected: the key that signs)");
        } else {
            show();
        }
        return ExitCode.OK.code();
    }

    private void show() throws IOException {
        var schedule = Schedule.load(folders);
        if (schedule.isEmpty()) {
            console.out().println("nothing is scheduled");
            return;
        }
        console.out().println("runs sign the log when they end");
        console.out().println("  key    " + Visible.text(schedule.get().key().toString()));
        console.out().println("  when   " + schedule.get().cadence().text());
        for (var anchor : schedule.get().anchors()) {
            console.out().println("  anchor " + Visible.text(anchor));
        }
    }
}
