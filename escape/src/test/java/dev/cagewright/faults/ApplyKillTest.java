package dev.cagewright.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application of changes that is killed at one of its steps: each file is the old or the new one, and the next
/// application brings the rest.
class ApplyKillTest {
    private static final int ROUNDS = 6;
    private static final Pattern SESSION = Pattern.compile("([a-z2-7]{10})-1");

    private static final String CHANGE = """
            #!/bin/sh
            echo new >changed; echo new >added; rm removed; mkdir folder; echo new >folder/deep
            ln -s changed link; chmod 755 mode
            """;

    private static final String POLICY = """
            tool: changes
            min_isolation: namespaces
            fs: {mounts: [{path: /workspace, mode: rw, source: session-copy}]}
            net: {mode: none}
            exec: {allowlist: ["CHANGE", rm, mkdir, ln, chmod]}
            resources: {timeout: 60s}
            """;

    @TempDir
    private Path root;

    private static final Map<String, String> OLD =
            Map.of("change", CHANGE, "changed", "old\n", "removed", "old\n", "mode", "old\nrw-r--r--");

    @Test
    void an_application_that_is_killed_leaves_whole_files_and_can_be_taken_up()
            throws IOException, InterruptedException {
        var stopper = Stopper.compile();
        var pilot = changed(stopper, "pilot");
        var watched = stopper.watch(
                apply(pilot), pilot.trial().workspace(), pilot.trial().variables());
        assertThat(watched.exit()).as(watched.err()).isZero();
        var steps = watched.steps().stream()
                .filter(step -> step.name().startsWith("supervisor"))
                .skip(1)
                .toList();
        var applied = files(pilot.trial().workspace());
        assertThat(applied).containsEntry("changed", "new\n").doesNotContainKey("removed");

        for (int i = 0; i < ROUNDS; i++) {
            // The later half: what comes before is the start of the JVM and the plan.
            var step = steps.get(steps.size() / 2 + (2 * i + 1) * (steps.size() - steps.size() / 2) / (2 * ROUNDS));
            killed(changed(stopper, "round" + i), step, applied);
        }
    }

    private record Changed(Trial trial, String session) {}

    private static void killed(Changed round, Step step, SortedMap<String, String> applied)
            throws IOException, InterruptedException {
        var trial = round.trial();
        var stopped = trial.stopper()
                .disturb(step.name(), Victim.SUPERVISOR.word(), apply(round), trial.workspace(), trial.variables());
        assertThat(stopped.survivors()).as(step.name()).isEmpty();
        files(trial.workspace()).forEach((name, content) -> {
            if (!name.contains(".cagewright-")) {
                assertThat(content)
                        .as(name + " after a kill at " + step.name())
                        .isIn(String.valueOf(OLD.get(name)), String.valueOf(applied.get(name)));
            }
        });

        var again = trial.stopper().watch(apply(round), trial.workspace(), trial.variables());
        assertThat(again.exit()).as(step.name() + ": " + again.err()).isZero();
        assertThat(files(trial.workspace()))
                .as("after a kill at " + step.name())
                .isEqualTo(applied);
        assertThat(LogVerifier.of(trial.log()).verify()).isInstanceOf(Verdict.Intact.class);
    }

    private static List<String> apply(Changed changed) {
        return List.of(Trial.PRODUCT.toString(), "apply", changed.session());
    }

    private Changed changed(Stopper stopper, String name) throws IOException, InterruptedException {
        var trial = Trial.in(stopper, Files.createDirectories(root.resolve(name)));
        var workspace = trial.workspace();
        for (String old : List.of("changed", "removed", "mode")) {
            Files.writeString(workspace.resolve(old), "old\n");
        }
        var change = Files.writeString(workspace.resolve("change"), CHANGE);
        Files.setPosixFilePermissions(change, PosixFilePermissions.fromString("rwxr-xr-x"));
        var policy = Files.writeString(trial.root().resolve("copy.yaml"), POLICY.replace("CHANGE", change.toString()));
        var ran = stopper.watch(
                List.of(Trial.PRODUCT.toString(), "run", "--policy", policy.toString(), "--", change.toString()),
                workspace,
                trial.variables());
        assertThat(ran.exit()).as(ran.err()).isZero();
        var session = SESSION.matcher(ran.err());
        assertThat(session.find()).as(ran.err()).isTrue();
        assertThat(Files.readString(workspace.resolve("changed")))
                .as("the host's file")
                .isEqualTo("old\n");
        return new Changed(trial, session.group(1));
    }

    /// What is outside of git's folder.
    private static SortedMap<String, String> files(Path workspace) throws IOException {
        var files = new TreeMap<String, String>();
        try (var all = Files.walk(workspace)) {
            for (Path path : all.filter(one -> !one.startsWith(workspace.resolve(".git")))
                    .toList()) {
                files.put(workspace.relativize(path).toString(), describe(path));
            }
        }
        return files;
    }

    private static String describe(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return "-> " + Files.readSymbolicLink(path);
        }
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return "folder";
        }
        var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
        return Files.readString(path) + (path.endsWith("mode") ? mode : "");
    }
}
