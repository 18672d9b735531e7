package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.CageRun;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Who still lives when a run is over, however it ended.
record SurvivorStories(Stage stage) {
    /// Who outlives a run does so for ever; who is being killed on a busy machine may take a while.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    List<Probe> probes() {
        return List.of(
                ordinaryEnd(),
                killed("supervisor-killed", "KILL", "kill -9 the product's process"),
                killed("supervisor-terminated-and-killed", "QUIT", "signal QUIT, then KILL"),
                timeout(),
                signalled(),
                orphans(),
                killAll());
    }

    private String mark(String name) {
        return stage.workspace().resolve("free/" + name).toString();
    }

    private Twin runs() {
        return new Twin("processes of a cage are there while it runs", () -> {
            try (var run = started("lives", "hold")) {
                long count = Look.processesWith(mark("lives")).size();
                Files.createFile(Path.of(mark("lives") + "-go"));
                var result = run.await();
                Files.delete(Path.of(mark("lives") + "-go"));
                Files.delete(Path.of(mark("lives")));
                return count == 1 && result.exit() == 0 ? held("works") : fell(count + " processes; " + result);
            }
        });
    }

    private Command started(String name, String story) throws IOException, InterruptedException {
        return started(stage.cage(), name, story);
    }

    private Command started(CageRun cage, String name, String story) throws IOException, InterruptedException {
        var run = cage.start(stage.probe().toString(), "story", story, mark(name), mark(name) + "-go");
        if (!Look.until(PATIENCE, () -> Files.exists(Path.of(mark(name))) || !run.isAlive())
                || !Files.exists(Path.of(mark(name)))) {
            throw new AssertionError("did not begin: " + run.await());
        }
        return run;
    }

    private Outcome nobodyWith(String name, String detail) throws IOException {
        boolean isGone =
                Look.until(PATIENCE, () -> Look.processesWith(mark(name)).isEmpty());
        return isGone ? held(detail) : fell("alive: " + Look.processesWith(mark(name)) + "; " + detail);
    }

    private Probe ordinaryEnd() {
        return new Probe(
                "B135-survivors",
                Invariant.I12,
                "outlive the run by setsid, a double fork, ignored signals or a held pipe",
                runs(),
                new Twin("leave five processes and end", () -> {
                    showThatTheyOutlive();
                    var result = stage.cage().run(stage.probe().toString(), "story", "linger", mark("linger"));
                    var outcome = nobodyWith("linger", "exit " + result.exit());
                    return result.exit() == 0 && Files.exists(Path.of(mark("linger")))
                            ? outcome
                            : fell(result.toString());
                }));
    }

    private void showThatTheyOutlive() throws IOException, InterruptedException {
        var began = stage.base().resolve("outlive").toString();
        try (var run = Command.start(
                List.of(stage.programs().probe().toString(), "story", "linger", began),
                stage.base(),
                stage.environment())) {
            run.await();
        }
        Look.until(PATIENCE, () -> Look.processesWith(began).size() == 5);
        var alive = Look.processesWith(began);
        Look.end(alive);
        if (alive.size() != 5) {
            throw new AssertionError("outside a cage five outlive their parent, not " + alive.size());
        }
    }

    private Probe killed(String id, String signal, String act) {
        return new Probe(id, Invariant.I12, "outlive the death of the supervisor", runs(), new Twin(act, () -> {
            try (var run = started(id, "ignore")) {
                int before = Look.processesWith(mark(id)).size();
                Command.output(List.of("kill", "-" + signal, String.valueOf(run.pid())), stage.base());
                if (!signal.equals("KILL")) {
                    ProcessHandle.of(run.pid()).ifPresent(ProcessHandle::destroyForcibly);
                }
                run.await();
                var outcome = nobodyWith(id, before + " before");
                return before == 3 ? outcome : fell("expected 3 processes, saw " + before);
            }
        }));
    }

    private Probe timeout() {
        return new Probe(
                "B137-timeout",
                Invariant.I12,
                "go on after the time limit",
                new Twin("a run within its limit ends by itself", () -> {
                    var result = stage.cage(Stage.WORKSPACE + "resources: {timeout: 5m}\n")
                            .run("true");
                    return result.exit() == 0 ? held("works") : fell(result.toString());
                }),
                new Twin("ignore every signal, with children, beyond a limit of 10 s", () -> {
                    var cage = stage.cage(Stage.WORKSPACE + "resources: {timeout: 10s}\n");
                    try (var run = started(cage, "timeout", "ignore")) {
                        var result = run.await();
                        var outcome = nobodyWith("timeout", "exit " + result.exit());
                        return result.exit() == 124 ? outcome : fell("expected 124: " + result);
                    }
                }));
    }

    private Probe signalled() {
        return new Probe(
                "B133-terminate",
                Invariant.I12,
                "go on when the product is asked to end",
                new Twin("the program gets TERM and its own exit code counts", () -> {
                    try (var run = started("term", "say-signal")) {
                        Command.output(List.of("kill", "-TERM", String.valueOf(run.pid())), stage.base());
                        var result = run.await();
                        return result.exit() == 7 ? held("exit 7") : fell("expected 7: " + result);
                    }
                }),
                new Twin("ignore TERM; the product is asked again and again", () -> {
                    try (var run = started("stubborn", "ignore")) {
                        boolean isOver = Look.until(PATIENCE, () -> {
                            ProcessHandle.of(run.pid()).ifPresent(ProcessHandle::destroy);
                            return !run.isAlive();
                        });
                        return isOver ? nobodyWith("stubborn", "ended") : fell("still runs after " + PATIENCE);
                    }
                }));
    }

    private Probe orphans() {
        return new Probe(
                "B138-orphans",
                Invariant.I12,
                "fill the process table with dead processes",
                runs(),
                new Twin("500 orphans", () -> {
                    var result = stage.cage().run(stage.probe().toString(), "story", "orphans", "500");
                    return result.out().equals("zombies 0\n") && result.exit() == 0
                            ? held("zombies 0")
                            : fell(result.toString());
                }));
    }

    private Probe killAll() {
        return new Probe(
                "kill-everything",
                Invariant.I6,
                "kill every process it can",
                runs(),
                new Twin("kill(-1, SIGKILL)", () -> {
                    var result = stage.cage().run(stage.probe().toString(), "story", "kill-all");
                    return stage.host().isSleeperAlive() && result.exit() == 0
                            ? held("the host's process lives")
                            : fell(result.toString());
                }));
    }
}
