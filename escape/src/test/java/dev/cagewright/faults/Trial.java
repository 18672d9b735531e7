package dev.cagewright.faults;

import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// A run of the packaged product in folders of its own: a repository, a policy, a program that makes one file. What
/// is true after any fault is asked here.
///
/// @param stopper stands below the product
/// @param root everything lies below it
/// @param variables of the person
/// @param before what the workspace holds before the first run
record Trial(Stopper stopper, Path root, Map<String, String> variables, SortedSet<String> before) {
    static final Path PRODUCT = Path.of("..", "cagewright").toAbsolutePath().normalize();

    private static final String MADE = "made";

    private static final String POLICY = """
            tool: rounds
            min_isolation: namespaces
            fs: {mounts: [{path: /workspace, mode: rw}]}
            net: {mode: none}
            exec: {allowlist: [touch]}
            resources: {timeout: 60s, processes: 64}
            """;

    /// @param root an empty folder
    static Trial in(Stopper stopper, Path root) throws IOException {
        var variables = new HashMap<>(System.getenv());
        variables.put("XDG_STATE_HOME", root.resolve("state").toString());
        variables.put("XDG_CONFIG_HOME", root.resolve("config").toString());
        variables.put("HOME", root.toString());
        var workspace = root.resolve("workspace");
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.writeString(workspace.resolve(".git/HEAD"), "ref: refs/heads/main\n");
        Files.writeString(root.resolve("policy.yaml"), POLICY);
        return new Trial(stopper, root, Map.copyOf(variables), names(workspace));
    }

    Path workspace() {
        return root.resolve("workspace");
    }

    Path state() {
        return root.resolve("state/cagewright");
    }

    Path log() {
        return state().resolve("audit.jsonl");
    }

    List<String> command() {
        var policy = root.resolve("policy.yaml").toString();
        return List.of(PRODUCT.toString(), "run", "--policy", policy, "--", "touch", MADE);
    }

    /// Did the program run?
    boolean hasRun() {
        return Files.exists(workspace().resolve(MADE), LinkOption.NOFOLLOW_LINKS);
    }

    /// An undisturbed run.
    Stopper.Stopped run() throws IOException, InterruptedException {
        return stopper.watch(command(), workspace(), variables);
    }

    /// What holds after any run, however it ended.
    static List<String> afterRun(Stopper.Stopped stopped) {
        var findings = new ArrayList<String>();
        stopped.survivors().forEach(one -> findings.add("alive: " + one));
        if (stopped.err().contains("internal error") || stopped.err().contains("Exception")) {
            findings.add("ended with " + stopped.exit() + ": " + stopped.err());
        }
        return findings;
    }

    /// Starts again, with nothing in the way.
    ///
    /// @return what does not hold, one sentence each
    List<String> afterNextStart() throws IOException, InterruptedException {
        var open = Files.exists(log()) ? open() : List.<String>of();
        var next = run();
        var findings = afterRun(next);
        if (next.exit() != 0) {
            findings.add("the next start ended with " + next.exit() + ": " + next.err());
        }
        for (String id : open) {
            if (!next.err().contains("interrupted: ") || !next.err().contains(id)) {
                findings.add("the next start does not tell of " + id + ": " + next.err());
            }
        }
        if (open.isEmpty() && next.err().contains("interrupted: ")) {
            findings.add("the next start tells of what was not interrupted: " + next.err());
        }
        switch (LogVerifier.of(log()).verify()) {
            case Verdict.Broken broken -> findings.add("the log is broken: " + broken);
            case Verdict.Intact intact ->
                intact.notes().interrupted().forEach(id -> findings.add("still open in the log: " + id));
        }
        leftInWorkspace(findings);
        return findings;
    }

    private void leftInWorkspace(List<String> findings) throws IOException {
        var expected = new TreeSet<>(before);
        expected.add(MADE + " 0");
        var found = names(workspace());
        if (!found.equals(expected)) {
            found.removeAll(expected);
            findings.add("left in the workspace: " + found);
        }
    }

    /// The allowed acts without an outcome; none where only the next start can mend the log's end.
    List<String> open() throws IOException {
        return LogVerifier.of(log()).verify() instanceof Verdict.Intact intact
                ? intact.notes().interrupted()
                : List.of();
    }

    private static SortedSet<String> names(Path folder) throws IOException {
        var names = new TreeSet<String>();
        try (var all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                var size = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? " " + Files.size(path) : "";
                names.add(folder.relativize(path) + size);
            }
        }
        return names;
    }
}
