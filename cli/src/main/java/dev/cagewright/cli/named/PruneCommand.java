package dev.cagewright.cli.named;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.named.DeadSessions;
import dev.cagewright.supervisor.named.LeftHomes;
import dev.cagewright.supervisor.named.Litter;
import dev.cagewright.supervisor.named.Remains;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `cagewright prune`: what dead sessions left goes.
@Command(
        name = "prune",
        description = {
            "Removes the folders of sessions that are long over, and what interrupted commands left.",
            "Never touches what lives, what holds undecided changes, or the audit log."
        },
        mixinStandardHelpOptions = true)
public final class PruneCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask; homes stay unless --homes is given, too.")
    private boolean yes;

    @Option(names = "--keep", paramLabel = "N", description = "The newest N sessions stay; ${DEFAULT-VALUE}.")
    private int keep = 50;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--older", paramLabel = "TIME", description = "And those that ended within TIME; 30d.")
    private String older = "30d";

    @Option(names = "--homes", description = "Homes of agents, too, whose workspace or cage is gone.")
    private boolean homes;

    public PruneCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        if (keep < 0) {
            throw new IllegalArgumentException("--keep: " + keep + " (expected: at least 0)");
        }
        var now = Instant.now();
        var sessions = new DeadSessions(folders, keep, age(), now);
        var found = sessions.find();
        var remains = new Remains(folders, now).find();
        tellHeld(found.holding());
        long bytes = sessions(sessions, found.dead(), remains);
        bytes += homes();
        console.say(bytes == 0 ? "nothing was removed" : Sizes.text(bytes) + " given back");
        return ExitCode.OK.code();
    }

    private Duration age() {
        return older.equals("0")
                ? Duration.ZERO
                : TimeSpan.parse("--older", older).value();
    }

    private void tellHeld(List<SessionId> holding) {
        if (!holding.isEmpty()) {
            console.say(holding.size() + " stay for their undecided changes, see cagewright changes: "
                    + holding.stream().limit(5).map(SessionId::value).collect(Collectors.joining(", "))
                    + (holding.size() > 5 ? ", ..." : ""));
        }
    }

    private long sessions(DeadSessions sessions, List<DeadSessions.Dead> dead, List<Litter> remains)
            throws IOException {
        var all = new ArrayList<>(dead.stream().map(DeadSessions.Dead::folder).toList());
        all.addAll(remains);
        if (all.isEmpty() || !isWanted(all, "remove them? [y/N] ")) {
            return 0;
        }
        long bytes = 0;
        for (DeadSessions.Dead one : dead) {
            bytes += sessions.remove(one) ? one.folder().bytes() : 0;
        }
        for (Litter litter : remains) {
            litter.remove();
            bytes += litter.bytes();
        }
        return bytes;
    }

    private long homes() throws IOException {
        var left = new LeftHomes(folders);
        var all = left.find();
        if (!homes) {
            if (!all.isEmpty()) {
                console.say(all.size() + " homes of agents are left of workspaces or cages that are gone ("
                        + Sizes.text(all.stream().mapToLong(Litter::bytes).sum())
                        + "): cagewright prune --homes removes them");
            }
            return 0;
        }
        long bytes = 0;
        for (Litter home : all) {
            if (isWanted(List.of(home), "remove it, with its histories and log-ins? [y/N] ")) {
                left.remove(home);
                bytes += home.bytes();
            }
        }
        return bytes;
    }

    private boolean isWanted(List<Litter> all, String question) throws IOException {
        for (Litter litter : all) {
            console.say("goes: " + Visible.text(litter.what()) + " (" + Sizes.text(litter.bytes()) + ")");
        }
        if (!yes && !Answer.canBeAsked()) {
            throw new IllegalArgumentException(
                    "nothing is removed: there is nobody to ask (expected: -y, or a terminal)");
        }
        return yes || Answer.yes(console, question, Answer.Silence.NO);
    }
}
