package dev.cagewright.cli.session;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.supervisor.standstill.Order;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright resume SESSION`.
@Command(
        name = "resume",
        description = {
            "Lets a run go on that stands still since a decoy was used where it may not be, or ends it.",
            "Exit code 1: there is no such run, or it does not stand still."
        },
        mixinStandardHelpOptions = true)
public final class ResumeCommand implements Callable<Integer> {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int LOOKS = 100;

    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", description = SessionWord.HELP)
    private String word = "";

    @Option(names = "--end", description = "End it instead.")
    private boolean end;

    public ResumeCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var record = SessionWord.find(folders, word);
        if (record.isEmpty()) {
            console.say("no session " + word + " (expected: one that cagewright ls shows)");
            return ExitCode.CHECK_FAILED.code();
        }
        var id = record.get().id();
        var folder = folders.sessions().resolve(id.value());
        if (!new SessionStore(folders).isAlive(id) || !Order.isAwaited(folder)) {
            console.say("session " + id + " does not stand still (expected: one that cagewright ls shows as paused)");
            return ExitCode.CHECK_FAILED.code();
        }
        var order = end ? Order.END : Order.RESUME;
        order.give(folder);
        return told(folder, order, "session " + id + (end ? " is ended" : " goes on"));
    }

    private int told(Path folder, Order order, String sentence) {
        for (int look = 0; look < LOOKS; look++) {
            if (!Order.isAwaited(folder)) {
                console.say(sentence);
                return ExitCode.OK.code();
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
        console.say("the order to " + order.word() + " was given, and its supervisor has not followed it yet");
        return ExitCode.CHECK_FAILED.code();
    }
}
