package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What one run sees of another: nothing, before, beside or after it.
record SessionStories(Stage stage) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    List<Probe> probes() {
        return List.of(next(), beside(), processes(), protection());
    }

    private String free(String name) {
        return stage.workspace().resolve("free/" + name).toString();
    }

    /// Starts a run that has planted its canaries and waits.
    private Command planted(String name) throws IOException, InterruptedException {
        var run = stage.cage().start(stage.probe().toString(), "story", "plant", free(name), free(name + "-go"));
        if (!Look.until(PATIENCE, () -> Files.exists(Path.of(free(name))) || !run.isAlive()) || !run.isAlive()) {
            throw new AssertionError("did not plant: " + run.await());
        }
        return run;
    }

    private Command.Result release(Command run, String name) throws IOException, InterruptedException {
        Files.createFile(Path.of(free(name + "-go")));
        var result = run.await();
        Files.deleteIfExists(Path.of(free(name + "-go")));
        Files.deleteIfExists(Path.of(free(name)));
        return result;
    }

    private Outcome sees(Command.Result look) {
        boolean isComplete = look.exit() == 0 && look.out().lines().count() == 6;
        return isComplete && !look.out().contains(" 1")
                ? held(look.out().replace('\n', ' ').strip())
                : fell(look.toString());
    }

    private Twin plants() {
        return new Twin("plant a file in /tmp, /dev/shm and HOME, a queue, memory and an abstract socket", () -> {
            try (var run = planted("plants")) {
                var result = release(run, "plants");
                return result.out().equals("planted 1\n") ? held("works") : fell(result.toString());
            }
        });
    }

    /// Without a cage the second process sees everything that the first left: the story is a real one.
    private void showThatItIsReal() throws IOException, InterruptedException {
        synchronized (SessionStories.class) {
            plantAndLookWithoutACage();
        }
    }

    private void plantAndLookWithoutACage() throws IOException, InterruptedException {
        var probe = stage.programs().probe().toString();
        var folder = stage.freshWorkspace("real").root();
        var go = Files.writeString(folder.resolve("go"), "").toString();
        var environment = Map.of("HOME", folder.toString());
        try (var first = Command.start(
                List.of(probe, "story", "plant", folder.resolve("began").toString(), go), folder, environment)) {
            first.await();
        }
        try (var second = Command.start(List.of(probe, "story", "look"), folder, environment)) {
            if (second.await().out().lines().filter(line -> line.endsWith(" 1")).count() != 5) {
                throw new AssertionError("outside a cage five of six canaries stay: " + second.await());
            }
        }
        try (var last = Command.start(List.of(probe, "story", "sweep"), folder, environment)) {
            last.await();
        }
    }

    private Probe next() {
        return new Probe(
                "canary-of-the-last-session",
                Invariant.I7,
                "find what the session before left",
                plants(),
                new Twin("look in the next run", () -> {
                    showThatItIsReal();
                    try (var run = planted("last")) {
                        release(run, "last");
                    }
                    return sees(stage.cage().run(stage.probe().toString(), "story", "look"));
                }));
    }

    private Probe beside() {
        return new Probe(
                "canary-of-another-session",
                Invariant.I7,
                "find what a session beside this one has",
                plants(),
                new Twin("look while the other runs", () -> {
                    try (var run = planted("beside")) {
                        var look = stage.cage().run(stage.probe().toString(), "story", "look");
                        release(run, "beside");
                        return sees(look);
                    }
                }));
    }

    private Probe protection() {
        return new Probe(
                "protection-after-another-session",
                Invariant.I9,
                "write a protected name when the session that held it first is over",
                plants(),
                new Twin("create .mcp.json after a session beside this one has ended", () -> {
                    var file = stage.workspace().resolve(".mcp.json");
                    try (var first = planted("first")) {
                        try (var second = stage.cage().start(holdWrite("second", file.toString()))) {
                            boolean began = Look.until(PATIENCE, () -> Files.exists(Path.of(free("second"))));
                            release(first, "first");
                            var result = release(second, "second");
                            return began && !Look.text(file).contains("from the cage") && !Files.exists(file)
                                    ? held(result.out().strip())
                                    : fell(result.toString());
                        }
                    }
                }));
    }

    private String[] holdWrite(String name, String file) {
        return new String[] {stage.probe().toString(), "story", "hold-write", free(name), free(name + "-go"), file};
    }

    private Probe processes() {
        return new Probe(
                "processes-of-another-session",
                Invariant.I7,
                "see or signal a process of another session",
                plants(),
                new Twin("count processes and signal the other's pid while it runs", () -> {
                    try (var run = planted("processes")) {
                        var pids = Look.processesWith(free("processes"));
                        var count = stage.cage().probe("denied", "B146-process-list");
                        var signal = stage.cage().run("kill", "-9", String.valueOf(pids.getLast()));
                        var result = release(run, "processes");
                        return !pids.isEmpty()
                                        && count.out().contains("refused")
                                        && signal.exit() != 0
                                        && result.exit() == 0
                                ? held("neither")
                                : fell(pids + " " + count + " " + signal + " " + result);
                    }
                }));
    }
}
