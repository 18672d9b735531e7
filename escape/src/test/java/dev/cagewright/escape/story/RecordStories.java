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
import java.util.ArrayList;
import java.util.List;

/// What stands in the log, and when.
record RecordStories(Stage stage) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    List<Probe> probes() {
        return List.of(intentFirst(), fullLog(), noFolder(), flippedByte(), crash(), denial(), canary());
    }

    private String free(String name) {
        return stage.workspace().resolve("free/" + name).toString();
    }

    private Path log(String name) {
        return stage.audit().resolveSibling(name + ".jsonl");
    }

    private static long count(Path log, String kind, String word) throws IOException {
        return Look.text(log)
                .lines()
                .filter(line -> line.contains("\"" + kind + "\"") && line.contains(word))
                .count();
    }

    private Command.Result product(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(stage.product().command().toString()));
        all.addAll(List.of(words));
        try (var command = Command.start(stage.person().does(all), stage.base(), stage.environment())) {
            return command.await();
        }
    }

    private Twin writes() {
        return new Twin("a run with a good log has its effect", () -> {
            var result = stage.cage().run("touch", free("recorded"));
            return result.exit() == 0 && Files.deleteIfExists(Path.of(free("recorded")))
                    ? held("works")
                    : fell(result.toString());
        });
    }

    private Outcome without(Path log) throws IOException, InterruptedException {
        var result = stage.cage().recordedIn(log).run("touch", free("unrecorded"));
        if (Files.deleteIfExists(Path.of(free("unrecorded")))) {
            return fell("ran without a record: " + result);
        }
        return result.exit() == 5 || result.exit() == 125
                ? held("exit " + result.exit() + ": "
                        + result.err().lines().findFirst().orElse(""))
                : fell("expected exit 5 or 125: " + result);
    }

    private Probe intentFirst() {
        return new Probe(
                "intent-before-effect",
                Invariant.I4,
                "have an effect before the intent is on disk",
                new Twin("the outcome is there when the run is over", () -> {
                    var log = log("outcome");
                    var result = stage.cage().recordedIn(log).run("true");
                    return result.exit() == 0 && count(log, "outcome", "") == 1
                            ? held("works")
                            : fell(result + Look.text(log));
                }),
                new Twin("look into the log at the moment of the first effect", this::atTheFirstEffect));
    }

    private Outcome atTheFirstEffect() throws IOException, InterruptedException {
        var log = log("intent");
        try (var run = stage.cage()
                .recordedIn(log)
                .start(stage.probe().toString(), "story", "hold", free("began"), free("go"))) {
            boolean began = Look.until(PATIENCE, () -> Files.exists(Path.of(free("began"))) || !run.isAlive());
            long intents = count(log, "intent", "/probe");
            long outcomes = count(log, "outcome", "");
            Files.createFile(Path.of(free("go")));
            var result = run.await();
            Files.deleteIfExists(Path.of(free("go")));
            return began && Files.deleteIfExists(Path.of(free("began"))) && intents == 1 && outcomes == 0
                    ? held("one intent, no outcome yet")
                    : fell(intents + " intents, " + outcomes + " outcomes; " + result);
        }
    }

    private Probe fullLog() {
        return new Probe(
                "log-on-a-full-disk",
                Invariant.I4,
                "act although nothing can be recorded",
                writes(),
                new Twin("--audit /dev/full", () -> without(Path.of("/dev/full"))));
    }

    private Probe noFolder() {
        return new Probe(
                "log-without-a-folder",
                Invariant.I4,
                "act although there is no log",
                writes(),
                new Twin("--audit below a file", () -> without(stage.base().resolve("beside/secret.txt/audit.jsonl"))));
    }

    private Probe flippedByte() {
        return new Probe(
                "flipped-byte",
                Invariant.I5,
                "change the log afterwards",
                new Twin("verify accepts the log of a run", () -> {
                    stage.cage().recordedIn(log("whole")).run("true");
                    var result =
                            product("audit", "verify", "--log", log("whole").toString());
                    return result.exit() == 0 ? held("works") : fell(result.toString());
                }),
                new Twin("one bit in the middle", () -> {
                    stage.cage().recordedIn(log("flipped")).run("true");
                    var bytes = Files.readAllBytes(log("flipped"));
                    bytes[bytes.length / 2] ^= 1;
                    Files.write(log("flipped"), bytes);
                    var result =
                            product("audit", "verify", "--log", log("flipped").toString());
                    return result.exit() == 1 ? held("found") : fell(result.toString());
                }));
    }

    private Probe crash() {
        return new Probe(
                "crash-leaves-the-intent",
                Invariant.I4,
                "lose the record by killing the supervisor",
                new Twin("the next run with that log works and the log is whole", () -> {
                    crashed("crash-next");
                    var next = stage.cage().recordedIn(log("crash-next")).run("true");
                    var verified = product(
                            "audit", "verify", "--log", log("crash-next").toString());
                    return next.exit() == 0 && verified.exit() == 0 ? held("works") : fell(next + "\n" + verified);
                }),
                new Twin("kill -9 while the program runs", () -> {
                    crashed("crash");
                    long intents = count(log("crash"), "intent", "/probe");
                    long outcomes = count(log("crash"), "outcome", "");
                    return intents == 1 && outcomes == 0
                            ? held("intent kept, no outcome invented")
                            : fell(intents + " and " + outcomes);
                }));
    }

    private void crashed(String name) throws IOException, InterruptedException {
        try (var run = stage.cage()
                .recordedIn(log(name))
                .start(stage.probe().toString(), "story", "hold", free(name), free("never"))) {
            if (!Look.until(PATIENCE, () -> Files.exists(Path.of(free(name))) || !run.isAlive()) || !run.isAlive()) {
                throw new AssertionError("did not begin: " + run.await());
            }
            ProcessHandle.of(run.pid()).ifPresent(ProcessHandle::destroyForcibly);
            run.await();
        }
        Files.deleteIfExists(Path.of(free(name)));
    }

    private Probe denial() {
        return new Probe(
                "denial-is-recorded",
                Invariant.I4,
                "be denied without a trace in the log",
                writes(),
                new Twin("sh -c", () -> {
                    var log = log("denied");
                    var result = stage.cage().recordedIn(log).run("sh", "-c", "true");
                    return result.exit() == 5 && Look.text(log).contains("deny")
                            ? held("recorded")
                            : fell(result + Look.text(log));
                }));
    }

    private Probe canary() {
        return new Probe(
                "secret-in-the-records",
                Invariant.I2,
                "find the caller's secret in what the product writes",
                writes(),
                new Twin("search log, output and state for the canary", () -> {
                    var result = stage.cage()
                            .recordedIn(log("canary"))
                            .with("--json")
                            .run("env");
                    if (result.toString().contains(Stage.CANARY)
                            || Look.text(log("canary")).contains(Stage.CANARY)) {
                        return fell("in the output or the log");
                    }
                    try (var files = Files.walk(stage.state())) {
                        for (Path file : files.filter(Files::isRegularFile).toList()) {
                            if (Look.text(file).contains(Stage.CANARY)) {
                                return fell("in " + file);
                            }
                        }
                    }
                    return held("nowhere");
                }));
    }
}
