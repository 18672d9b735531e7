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
import java.util.ArrayList;
import java.util.List;

/// The product started once more inside a cage, by a workload that would like another policy.
record NestedStories(Stage stage) {
    List<Probe> probes() {
        return List.of(new Probe(
                "B250-another-policy-by-a-run-inside",
                Invariant.I6,
                "get at the host's files by a run inside the run, under a policy of the workload's",
                new Twin("cagewright version in the cage", () -> {
                    var result = inside(List.of("version"));
                    return result.exit() == 0 && result.out().startsWith("cagewright ")
                            ? held("works")
                            : fell(result.toString());
                }),
                new Twin("run with a loose policy, without isolation, and with variables", this::runs)));
    }

    /// A copy of the product that the cage may read.
    private Path nested() throws IOException, InterruptedException {
        var folder = stage.base().resolve("nested");
        if (Files.notExists(folder)) {
            Files.createDirectories(folder);
            stage.product().installedAt(folder);
        }
        return folder;
    }

    /// The workload's own folders: what the run inside reads and writes.
    private Path own() throws IOException {
        var own = Files.createDirectories(stage.workspace().resolve("free/nested"));
        Files.createDirectories(own.resolve("config/cagewright/policies"));
        Files.createDirectories(own.resolve("work"));
        var beside = stage.base().resolve("beside");
        var loose = "tool: loose\nfs:\n  mounts:\n    - {path: /workspace, mode: rw}\n    - {path: " + beside
                + ", mode: ro, source: " + beside + "}\n";
        Files.writeString(own.resolve("loose.yaml"), loose);
        Files.writeString(own.resolve("config/cagewright/policies/loose.yaml"), loose);
        stage.person().own(own);
        return own;
    }

    private Command.Result inside(List<String> words) throws IOException, InterruptedException {
        var product = nested();
        var own = own();
        var argv = new ArrayList<>(List.of(
                "env",
                "XDG_STATE_HOME=" + own.resolve("state"),
                "XDG_CONFIG_HOME=" + own.resolve("config"),
                product.resolve("cagewright").toString()));
        argv.addAll(words);
        var policy = Stage.WORKSPACE + "    - {path: " + product + ", mode: ro, source: " + product + "}\n"
                + "resources: {processes: 256, memory: 2GiB, timeout: 5m}\n";
        return stage.cage(policy).run(argv.toArray(String[]::new));
    }

    private Outcome runs() throws IOException, InterruptedException {
        var own = own();
        var secret = stage.base().resolve("beside/secret.txt").toString();
        var work = own.resolve("work").toString();
        var loose = own.resolve("loose.yaml").toString();
        var attempts = List.of(
                List.of("run", "--policy", loose, "--workspace", work, "--", "cat", secret),
                List.of("run", "--policy", "loose", "--workspace", work, "--", "cat", secret),
                List.of("run", "--unsafe-no-isolation", "--policy", loose, "--workspace", work, "--", "cat", secret));
        for (List<String> attempt : attempts) {
            var result = inside(attempt);
            boolean isProducts = result.err().contains("cagewright: ");
            if (result.exit() == 0 || result.toString().contains(Stage.CANARY) || !isProducts) {
                return fell(result.toString());
            }
        }
        return held("nothing that the outer run has not");
    }
}
