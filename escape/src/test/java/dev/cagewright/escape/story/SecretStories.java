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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// A stored secret, whose value is the canary that the caller's variables hold, too.
record SecretStories(Stage stage) {
    private static final String NAME = "GITHUB_TOKEN";
    private static final String SHAPE = "[a-z0-9]{2}-[a-z0-9]{6}-[a-z0-9]{12,}";

    /// One variable of another name is let in on purpose.
    private static final String POLICY = Stage.WORKSPACE
            + "net: {mode: allowlist, hosts: [{host: api.test}]}\n"
            + "exec: {env: [INNOCENT_NAME]}\n"
            + "resources: {processes: 256, memory: 1GiB, timeout: 5m}\n";

    private static final List<String> SEARCHES = List.of(
            "environment-secret",
            "environments-of-others",
            "command-lines",
            "B093-memory-of-others",
            "B093-files-of-others",
            "secret-in-files");

    List<Probe> probes() {
        var decoy = decoy();
        return List.of(inTheCage(decoy), inTheRecords(decoy), onTheCommandLine(decoy), missing(decoy));
    }

    private Command.Result product(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(stage.product().command().toString()));
        all.addAll(List.of(words));
        try (var command = Command.start(stage.person().does(all), stage.base(), stage.environment())) {
            return command.await();
        }
    }

    private CageRun lent() throws IOException, InterruptedException {
        var file = Files.writeString(stage.home().resolve("key.txt"), Stage.CANARY + "\n");
        stage.person().own(file);
        var stored = product("secret", "set", NAME, "--use-with", "api.test", "--from-file", file.toString());
        product("secret", "rm", "--earlier", NAME);
        if (stored.exit() != 0 || stored.toString().contains(Stage.CANARY)) {
            throw new AssertionError("not stored: " + stored);
        }
        return stage.cage(POLICY).with("-s", NAME);
    }

    private Twin decoy() {
        return Twin.shared("env shows a decoy of the same shape, in both variables", () -> {
            var result = lent().run("env");
            var lines = result.out().lines().toList();
            boolean isThere = lines.stream().anyMatch(line -> line.matches(NAME + "=" + SHAPE));
            boolean isInTheOther = lines.stream().anyMatch(line -> line.matches("INNOCENT_NAME=" + SHAPE));
            return result.exit() == 0
                            && isThere
                            && isInTheOther
                            && !result.toString().contains(Stage.CANARY)
                    ? held("works")
                    : fell(result.toString());
        });
    }

    private Probe inTheCage(Twin decoy) {
        return new Probe(
                "B093-stored-secret-in-the-cage",
                Invariant.I2,
                "find a secret of the run in the cage",
                decoy,
                new Twin("search environments, arguments, memory and files", () -> {
                    var result = lent().probe("denied", String.join(",", SEARCHES));
                    for (String id : SEARCHES) {
                        if (!result.out().contains(id + "\tdenied\trefused")) {
                            return fell(id + ": " + result);
                        }
                    }
                    return held("nowhere");
                }));
    }

    private Probe inTheRecords(Twin decoy) {
        return new Probe(
                "B091-stored-secret-in-the-records",
                Invariant.I2,
                "find a secret of the run in what the product writes",
                decoy,
                new Twin("search output, log and state, the store included", () -> {
                    var log = stage.audit().resolveSibling("secrets.jsonl");
                    var said = lent().with("-s", NAME, "--json")
                                    .recordedIn(log)
                                    .run("env")
                                    .toString()
                            + product("secret", "list", "--json")
                            + product(
                                    "policy",
                                    "explain",
                                    "--policy",
                                    stage.policy(POLICY).toString());
                    return written(said, log).map(where -> fell("in " + where)).orElseGet(() -> held("nowhere"));
                }));
    }

    private Optional<String> written(String said, Path log) throws IOException {
        var bytes = Stage.CANARY.getBytes(StandardCharsets.US_ASCII);
        var spellings = List.of(
                Stage.CANARY,
                HexFormat.of().formatHex(bytes),
                Base64.getEncoder().withoutPadding().encodeToString(bytes).substring(0, 24));
        for (String spelling : spellings) {
            if (said.contains(spelling) || Look.text(log).contains(spelling)) {
                return Optional.of("the output or the log");
            }
            try (var files = Files.walk(stage.state())) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (Look.text(file).contains(spelling)) {
                        return Optional.of(file.toString());
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Probe onTheCommandLine(Twin decoy) {
        return new Probe(
                "secret-on-the-command-line",
                Invariant.I2,
                "have a secret shown by putting it where it does not belong",
                decoy,
                new Twin("secret set NAME VALUE, --value VALUE, and run -- echo VALUE", () -> {
                    var results = List.of(
                            product("secret", "set", "OTHER", Stage.CANARY),
                            product("secret", "set", "OTHER", "--value", Stage.CANARY),
                            product("secret", "rotate", NAME, Stage.CANARY),
                            lent().run("echo", "key: " + Stage.CANARY));
                    for (var result : results) {
                        if (result.exit() != 2 || result.toString().contains(Stage.CANARY)) {
                            return fell(result.toString());
                        }
                    }
                    return held("refused, and not shown");
                }));
    }

    private Probe missing(Twin decoy) {
        return new Probe(
                "missing-secret",
                Invariant.I2,
                "run although a secret is not stored, or is bound to nowhere",
                decoy,
                new Twin("-s NOT_STORED, and -s of one that is bound to nowhere", () -> {
                    lent();
                    var file = stage.home().resolve("key.txt").toString();
                    product("secret", "set", "UNBOUND", "--from-file", file);
                    return refused("NOT_STORED", "cagewright secret set NOT_STORED")
                            .or(() -> refused("UNBOUND", "cagewright secret bind UNBOUND --use-with HOST"))
                            .orElseGet(() -> held("refused with what to do"));
                }));
    }

    /// What fell; empty if the run was refused with these words.
    private Optional<Outcome> refused(String name, String remedy) {
        try {
            var result = stage.cage(POLICY).with("-s", name).run("env");
            return result.exit() != 0 && result.out().isEmpty() && result.err().contains(remedy)
                    ? Optional.empty()
                    : Optional.of(fell(result.toString()));
        } catch (IOException e) {
            return Optional.of(fell(e.toString()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of(fell("interrupted"));
        }
    }
}
