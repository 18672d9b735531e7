package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import dev.cagewright.escape.stage.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Changes of a copy that a person applies without having looked: what the host would execute, what leads out, and
/// what the host did itself must not be among them. Every allowed twin applies a plain file of the same run.
record UndoStories(Stage stage) {
    private static final Pattern SESSION = Pattern.compile("\"id\":\"([a-z0-9]+)-\\d+\"");
    private static final String FINE = "open('fine.txt', 'w').write('fine')\n";

    List<Probe> probes() {
        return List.of(
                probe("apply-hook", "plant a git hook in the copy", """
                        os.makedirs('vendor/lib/.git/hooks', exist_ok=True)
                        open('vendor/lib/.git/hooks/pre-commit', 'w').write('#!/bin/sh\\n')
                        os.chmod('vendor/lib/.git/hooks/pre-commit', 0o755)
                        """, "vendor/lib/.git/hooks/pre-commit"),
                probe(
                        "apply-editor",
                        "plant an editor's task in a folder of the copy, in another case",
                        "os.makedirs('sub/.VSCode')\nopen('sub/.VSCode/tasks.json', 'w').write('{}')\n",
                        "sub/.VSCode/tasks.json"),
                probe("apply-bare", "plant a hook in a repository without a worktree", """
                        os.makedirs('bare/hooks'); os.makedirs('bare/objects'); os.makedirs('bare/refs')
                        open('bare/HEAD', 'w').write('ref: refs/heads/main\\n')
                        open('bare/hooks/post-checkout', 'w').write('#!/bin/sh\\n')
                        """, "bare/hooks/post-checkout"),
                probe("apply-link", "plant a link out of the workspace", "os.symlink('/etc', 'out')\n", "out"),
                probe(
                        "apply-link-by-links",
                        "plant links that lead out together",
                        "os.makedirs('deep')\nos.symlink('..', 'deep/up')\nos.symlink('deep/up/..', 'above')\n",
                        "above"),
                probe("apply-fifo", "plant a fifo", "os.mkfifo('pipe')\n", "pipe"),
                setId());
    }

    private Probe probe(String id, String tries, String script, String planted) {
        return new Probe(id, Invariant.I9, tries, fine(id, script), new Twin("have it applied", () -> {
            var workspace = stage.freshWorkspace("undo/" + id);
            var applied = apply(workspace, script + FINE);
            boolean there = Files.exists(workspace.resolve(planted), LinkOption.NOFOLLOW_LINKS);
            boolean named = applied.out().contains("kept     " + planted);
            return !there && named && applied.exit() == 1 ? held("kept back by name") : fell(applied.toString());
        }));
    }

    private Twin fine(String id, String script) {
        return new Twin("have a plain file of the same run applied", () -> {
            var workspace = stage.freshWorkspace("undo/" + id + "-fine");
            var applied = apply(workspace, script + FINE);
            return Look.text(workspace.resolve("fine.txt")).equals("fine") ? held("applied") : fell(applied.toString());
        });
    }

    private Probe setId() {
        var script = """
                open('tool', 'w').write('x')
                try:
                    os.chmod('tool', 0o6755)
                except PermissionError:
                    os.chmod('tool', 0o755)
                """;
        return new Probe(
                "apply-set-id",
                Invariant.I9,
                "plant a set-id program",
                fine("apply-set-id", script),
                new Twin("have its set-id bits applied", () -> {
                    var workspace = stage.freshWorkspace("undo/apply-set-id");
                    var applied = apply(workspace, script);
                    return modeOf(workspace.resolve("tool")) == 0755
                            ? held("applied without them")
                            : fell(applied.toString());
                }));
    }

    private static int modeOf(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }

    /// Runs `script` on a copy of `workspace`, then applies everything.
    private Command.Result apply(Workspace workspace, String script) throws IOException, InterruptedException {
        var file = workspace.write("try.py", "import os\n" + script);
        stage.person().own(workspace.root());
        var run = stage.cage().in(workspace.root()).with("--copy", "--json").run("/usr/bin/python3", file.toString());
        var session = SESSION.matcher(run.out());
        if (run.exit() != 0 || !session.find()) {
            return run;
        }
        return cagewright("apply", session.group(1));
    }

    private Command.Result cagewright(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(stage.product().command().toString()));
        all.addAll(List.of(words));
        try (var command = Command.start(stage.person().does(all), stage.base(), stage.environment())) {
            return command.await();
        }
    }
}
