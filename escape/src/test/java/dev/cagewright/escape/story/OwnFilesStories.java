package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The product's own files where a person happened to put them into the workspace. Either the run is refused or the
/// cage cannot change them.
record OwnFilesStories(Stage stage) {
    private static final String FORGED = "# forged by the cage";

    List<Probe> probes() {
        return List.of(policyInside(), policyReplaced(), logInside(), stateInside(), homeIsWorkspace());
    }

    private Twin writes() {
        return new Twin("write another file of the workspace", () -> {
            var file = stage.workspace().resolve("free/other.txt").toString();
            var result = stage.cage().run(stage.probe().toString(), "story", "write", file, "text");
            return result.exit() == 0 ? held("works") : fell(result.toString());
        });
    }

    private Probe policyInside() {
        return new Probe(
                "policy-in-the-workspace",
                Invariant.I6,
                "widen a policy that lies in the workspace",
                writes(),
                new Twin("append to the file that --policy names", () -> {
                    var policy = stage.workspace().write("cage.yaml", Stage.WORKSPACE);
                    stage.person().own(policy);
                    var result = stage.cage()
                            .by(policy)
                            .run(stage.probe().toString(), "story", "write", policy.toString(), FORGED);
                    return unchanged(policy, result.toString());
                }));
    }

    private Probe policyReplaced() {
        return new Probe(
                "policy-replaced",
                Invariant.I6,
                "replace a policy that lies in the workspace",
                writes(),
                new Twin("rename a file over the one that --policy names", () -> {
                    var policy = stage.workspace().write("conf/cage.yaml", Stage.WORKSPACE);
                    var forged = stage.workspace().write("free/forged.yaml", FORGED);
                    stage.person().own(stage.workspace().resolve("conf"));
                    stage.person().own(forged);
                    var result = stage.cage().by(policy).run("mv", "-f", forged.toString(), policy.toString());
                    return unchanged(policy, result.toString());
                }));
    }

    private Probe logInside() {
        return new Probe(
                "log-in-the-workspace",
                Invariant.I6,
                "forge a line of a log that lies in the workspace",
                writes(),
                new Twin("append to the file that --audit names", () -> {
                    var log = stage.workspace().resolve("audit.jsonl");
                    var result = stage.cage()
                            .recordedIn(log)
                            .run(stage.probe().toString(), "story", "write", log.toString(), FORGED);
                    return unchanged(log, result.toString());
                }));
    }

    private Probe stateInside() {
        return new Probe(
                "state-in-the-workspace",
                Invariant.I6,
                "reach sessions that lie in the workspace",
                writes(),
                new Twin("list the state folder when XDG_STATE_HOME is in the workspace", () -> {
                    var variables = Map.of(
                            "XDG_STATE_HOME", stage.workspace().resolve("state").toString());
                    var sessions = stage.workspace().resolve("state/cagewright/sessions");
                    var result = stage.cage().knowing(variables).run("find", sessions.toString());
                    return result.exit() == 0 && result.out().lines().count() > 1
                            ? fell("listed: " + result)
                            : held("exit " + result.exit());
                }));
    }

    private Probe homeIsWorkspace() {
        return new Probe(
                "home-is-the-workspace",
                Invariant.I2,
                "read keys and records when a person works in the home itself",
                writes(),
                new Twin(
                        "read .ssh/id_ed25519, add .ssh/authorized_keys and .bashrc, append to the log",
                        this::workAtHome));
    }

    private Outcome workAtHome() throws IOException, InterruptedException {
        var home = stage.freshWorkspace("people/anna");
        var key = home.write(".ssh/id_ed25519", "secret\n");
        home.write(".config/gh/hosts.yml", "token\n");
        Files.copy(stage.probe(), home.resolve("probe"));
        stage.person().own(home.root());
        var cage =
                stage.cage().in(home.root()).knowing(Map.of("HOME", home.root().toString()));
        var read = cage.run("cat", key.toString());
        if (read.out().contains("secret")) {
            return fell("read the key");
        }
        for (String name : List.of(
                ".ssh/authorized_keys",
                ".bashrc",
                ".profile",
                ".config/cagewright/usual.yaml",
                ".local/state/cagewright/audit.jsonl")) {
            var written = cage.run(
                    home.resolve("probe").toString(),
                    "story",
                    "write",
                    home.resolve(name).toString(),
                    FORGED);
            if (Look.text(home.resolve(name)).lines().anyMatch(line -> line.startsWith(FORGED))) {
                return fell("wrote " + name + ": " + written);
            }
        }
        return held("nothing read or written");
    }

    private static Outcome unchanged(Path file, String run) throws IOException {
        return Look.text(file).lines().anyMatch(line -> line.startsWith(FORGED))
                ? fell("changed " + file.getFileName() + ": " + run)
                : held(run.lines().findFirst().orElse(""));
    }
}
