package dev.cagewright.faults;

import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Applications of one and the same session's changes that are killed, each at one of its steps: each file is the old
/// or the new one, and the next application brings the rest.
///
/// @param root an empty folder
/// @param steps of an application that nobody disturbs, in order; the first one is the product's start
/// @param applied what the workspace holds after it
record ApplyRounds(Stopper stopper, Path root, List<Step> steps, SortedMap<String, String> applied) {
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

    private static final Map<String, String> OLD =
            Map.of("change", CHANGE, "changed", "old\n", "removed", "old\n", "mode", "old\nrw-r--r--");

    /// A session whose changes wait.
    private record Changed(Trial trial, String session) {
        List<String> apply() {
            return List.of(Trial.PRODUCT.toString(), "apply", session);
        }

        Stopper.Stopped watched() throws IOException, InterruptedException {
            return trial.stopper().watch(apply(), trial.workspace(), trial.variables());
        }
    }

    ApplyRounds {
        steps = List.copyOf(steps);
    }

    /// Looks how an application goes.
    static ApplyRounds in(Stopper stopper, Path root) throws IOException, InterruptedException {
        var pilot = changed(stopper, Files.createTempDirectory(root, "pilot"));
        var watched = pilot.watched();
        var applied = files(pilot.trial().workspace());
        if (watched.exit() != 0 || !Objects.equals(applied.get("changed"), "new\n") || applied.containsKey("removed")) {
            throw new IOException("the undisturbed application: " + watched.err() + applied);
        }
        var steps = watched.steps().stream()
                .filter(step -> step.name().startsWith("supervisor"))
                .skip(1)
                .toList();
        return new ApplyRounds(stopper, root, steps, applied);
    }

    /// Kills an application in front of `step`.
    Round.Result play(Step step) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory(root, "round");
        var round = changed(stopper, folder);
        var trial = round.trial();
        var stopped = stopper.disturb(
                step.name(), Victim.SUPERVISOR.word(), round.apply(), trial.workspace(), trial.variables());
        var findings = Trial.afterRun(stopped);
        findings.addAll(halves(trial));
        var again = round.watched();
        if (again.exit() != 0) {
            findings.add("the next application ended with " + again.exit() + ": " + again.err());
        }
        if (!files(trial.workspace()).equals(applied)) {
            findings.add("after the next application: " + files(trial.workspace()));
        }
        if (!(LogVerifier.of(trial.log()).verify() instanceof Verdict.Intact)) {
            findings.add("the log is broken");
        }
        Round.delete(folder);
        return new Round.Result(stopped.struck(), findings);
    }

    /// The files that are neither what they were nor what they become.
    private List<String> halves(Trial trial) throws IOException {
        var halves = new ArrayList<String>();
        files(trial.workspace()).forEach((name, content) -> {
            boolean isWhole = content.equals(OLD.get(name)) || content.equals(applied.get(name));
            if (!isWhole && !name.contains(".cagewright-")) {
                halves.add("half done: " + name + ": " + content);
            }
        });
        for (String name : OLD.keySet()) {
            if (applied.containsKey(name)
                    && !Files.exists(trial.workspace().resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                halves.add("gone: " + name);
            }
        }
        return halves;
    }

    private static Changed changed(Stopper stopper, Path folder) throws IOException, InterruptedException {
        var trial = Trial.in(stopper, folder);
        var workspace = trial.workspace();
        for (String old : List.of("changed", "removed", "mode")) {
            Files.writeString(workspace.resolve(old), "old\n");
        }
        var change = Files.writeString(workspace.resolve("change"), CHANGE);
        Files.setPosixFilePermissions(change, PosixFilePermissions.fromString("rwxr-xr-x"));
        var policy = Files.writeString(folder.resolve("copy.yaml"), POLICY.replace("CHANGE", change.toString()));
        var ran = stopper.watch(
                List.of(Trial.PRODUCT.toString(), "run", "--policy", policy.toString(), "--", change.toString()),
                workspace,
                trial.variables());
        var session = SESSION.matcher(ran.err());
        if (ran.exit() != 0 || !session.find()) {
            throw new IOException("the run: " + ran.err());
        }
        if (!Files.readString(workspace.resolve("changed")).equals("old\n")) {
            throw new IOException("the run wrote to the host");
        }
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
