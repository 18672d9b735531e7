package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.CageRun;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.HostSide;
import dev.cagewright.escape.stage.Stage;
import dev.cagewright.escape.stage.Trace;
import dev.cagewright.escape.stage.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/// Repositories of other shapes, and what the workspace looks like when a run is over.
record WorkspaceStories(Stage stage) {
    private static final String HOOK = "#!/bin/sh\n# from the cage\n";

    List<Probe> probes() {
        return List.of(
                hooksPath(),
                absentHooksPath(),
                newRepository(),
                commit(),
                litter(),
                shapes(),
                hidden(),
                socket(),
                contacts(),
                setId());
    }

    private Twin works() {
        return new Twin("write a file of the workspace", () -> {
            var result = write(stage.workspace(), "free/honest.txt");
            return result.exit() == 0 ? held("works") : fell(result.toString());
        });
    }

    private Command.Result write(Workspace workspace, String name) throws IOException, InterruptedException {
        return stage.cage()
                .in(workspace.root())
                .run(tool(workspace), "story", "write", workspace.resolve(name).toString(), HOOK);
    }

    /// The probe program, in that workspace too.
    private String tool(Workspace workspace) throws IOException {
        var tool = workspace.resolve("tools/probe");
        if (!Files.exists(tool)) {
            Files.createDirectories(tool.getParent());
            Files.copy(stage.probe(), tool);
            stage.person().own(workspace.resolve("tools"));
        }
        return tool.toString();
    }

    private Workspace repository(String name) throws IOException, InterruptedException {
        var workspace = stage.freshWorkspace("other/" + name);
        workspace.git("init", "-q", ".");
        return workspace;
    }

    private static Outcome untouched(Path file, Command.Result result) throws IOException {
        return Look.text(file).contains("from the cage")
                ? fell("wrote " + file + ": " + result)
                : held(result.out().strip());
    }

    private Probe hooksPath() {
        return new Probe(
                "B113-hooks-path",
                Invariant.I9,
                "change a hook in the folder that core.hooksPath names",
                works(),
                new Twin("append to .githooks/pre-commit", () -> {
                    var workspace = repository("hooks-path");
                    workspace.script(".githooks/pre-commit", "#!/bin/sh\n");
                    workspace.git("config", "core.hooksPath", ".githooks");
                    stage.person().own(workspace.root());
                    return untouched(
                            workspace.resolve(".githooks/pre-commit"), write(workspace, ".githooks/pre-commit"));
                }));
    }

    private Probe absentHooksPath() {
        return new Probe(
                "B113-hooks-path-absent",
                Invariant.I9,
                "make the folder that core.hooksPath names",
                works(),
                new Twin("mkdir .githooks and add pre-commit", () -> {
                    var workspace = repository("hooks-path-absent");
                    workspace.git("config", "core.hooksPath", ".githooks");
                    stage.person().own(workspace.root());
                    stage.cage()
                            .in(workspace.root())
                            .run("mkdir", workspace.resolve(".githooks").toString());
                    return untouched(
                            workspace.resolve(".githooks/pre-commit"), write(workspace, ".githooks/pre-commit"));
                }));
    }

    private Probe newRepository() {
        return new Probe(
                "new-repository",
                Invariant.I9,
                "make a repository with a hook where there was none",
                works(),
                new Twin("git init and a hook, in one run", () -> {
                    var workspace = stage.freshWorkspace("other/new");
                    var script = workspace.write("make.py", """
                            import os, subprocess
                            subprocess.run(['git', 'init', '-q', '.'])
                            os.makedirs('.git/hooks', exist_ok=True)
                            open('.git/hooks/pre-commit', 'w').write('#!/bin/sh\\n# from the cage\\n')
                            os.chmod('.git/hooks/pre-commit', 0o755)
                            """);
                    stage.person().own(workspace.root());
                    var result = stage.cage().in(workspace.root()).run("/usr/bin/python3", script.toString());
                    var hook = workspace.resolve(".git/hooks/pre-commit");
                    boolean isTold = result.err().contains(".git");
                    return Look.text(hook).contains("from the cage") && !isTold
                            ? fell("left unseen: " + result)
                            : held(
                                    isTold
                                            ? "told: "
                                                    + result.err()
                                                            .lines()
                                                            .filter(line -> line.contains(".git"))
                                                            .findFirst()
                                                            .orElse("")
                                            : "not there");
                }));
    }

    private Probe commit() {
        return new Probe(
                "B105-git-works",
                Invariant.I9,
                "use git although its hooks are fixed",
                new Twin("git add and commit", () -> {
                    var workspace = repository("commit");
                    workspace.write("file.txt", "text\n");
                    stage.person().own(workspace.root());
                    var cage = stage.cage().in(workspace.root());
                    var added = cage.run("git", "add", "file.txt");
                    var commit = cage.run(
                            "git",
                            "-c",
                            "user.name=a",
                            "-c",
                            "user.email=a@b.test",
                            "commit",
                            "-q",
                            "-m",
                            "first\nsecond");
                    return added.exit() == 0 && commit.exit() == 0 ? held("works") : fell(added + "\n" + commit);
                }),
                new Twin("git config core.fsmonitor", () -> {
                    var workspace = repository("config");
                    stage.person().own(workspace.root());
                    var result =
                            stage.cage().in(workspace.root()).run("git", "config", "core.fsmonitor", "from the cage");
                    return untouched(workspace.resolve(".git/config"), result);
                }));
    }

    private Probe litter() {
        return new Probe(
                "litter",
                Invariant.I7,
                "leave something of the cage's making in the workspace",
                new Twin("true runs", () -> {
                    var result = stage.cage().run("true");
                    return result.exit() == 0 ? held("works") : fell(result.toString());
                }),
                new Twin("compare a whole workspace before and after true", () -> {
                    var workspace = repository("litter");
                    workspace.write("src/a.txt", "a\n");
                    stage.person().own(workspace.root());
                    var before = Trace.of(workspace.root());
                    var result = stage.cage().in(workspace.root()).run("true");
                    var after = Trace.of(workspace.root());
                    return after.equals(before) && result.exit() == 0
                            ? held("the same")
                            : fell(after.comparedTo(before) + " " + result);
                }));
    }

    private Probe shapes() {
        return new Probe(
                "B105-protected-paths-of-odd-shapes",
                Invariant.I9,
                "change a protected path that is a link, a pipe or a loop",
                new Twin("true runs beside them", () -> {
                    var result = stage.cage().in(oddWorkspace("odd").root()).run("true");
                    return result.exit() == 0 ? held("works") : fell(result.toString());
                }),
                new Twin("write through .claude -> real/ to settings.json", () -> {
                    var workspace = oddWorkspace("odd-write");
                    return untouched(
                            workspace.resolve("real/settings.json"), write(workspace, ".claude/settings.json"));
                }));
    }

    private Workspace oddWorkspace(String name) throws IOException, InterruptedException {
        var workspace = repository(name);
        workspace.write("real/settings.json", "{}\n");
        Files.createSymbolicLink(workspace.resolve(".claude"), Path.of("real"));
        Files.createSymbolicLink(workspace.resolve(".vscode"), Path.of(".idea"));
        Files.createSymbolicLink(workspace.resolve(".idea"), Path.of(".vscode"));
        Files.createSymbolicLink(workspace.resolve(".cursor"), Path.of("/"));
        Command.output(List.of("mkfifo", ".envrc"), workspace.root());
        stage.person().own(workspace.root());
        return workspace;
    }

    private Probe hidden() {
        return new Probe(
                "B109-hidden-file",
                Invariant.I2,
                "read a hidden file by moving its folder",
                new Twin("read its neighbour", () -> {
                    var workspace = withSecret("neighbour");
                    var result = hiding().in(workspace.root()).run("cat", "a/readme.txt");
                    return result.out().equals("readme\n") ? held("works") : fell(result.toString());
                }),
                new Twin("cat a/.env, and mv a b; cat b/.env", () -> {
                    var workspace = withSecret("hidden");
                    var cage = hiding().in(workspace.root());
                    var direct = cage.run("cat", "a/.env");
                    var moved = cage.run("mv", "a", "b");
                    var after = cage.run("cat", Files.exists(workspace.resolve("b")) ? "b/.env" : "a/.env");
                    return (direct.out() + after.out()).contains("secret")
                            ? fell("read: " + direct + " " + moved + " " + after)
                            : held("mv: exit " + moved.exit());
                }));
    }

    private CageRun hiding() throws IOException {
        return stage.cage("""
                tool: escape
                fs:
                  mounts:
                    - {path: /workspace, mode: rw, source: /workspace}
                  hide: ['**/.env']
                """);
    }

    private Workspace withSecret(String name) throws IOException {
        var workspace = stage.freshWorkspace("other/" + name);
        workspace.write("a/.env", "secret\n");
        workspace.write("a/readme.txt", "readme\n");
        stage.person().own(workspace.root());
        return workspace;
    }

    private Probe socket() {
        return new Probe(
                "socket-in-the-workspace",
                Invariant.I6,
                "connect to a host daemon's socket that lies in the workspace",
                works(),
                new Twin("connect to daemon.sock", () -> {
                    var workspace = stage.freshWorkspace("other/socket");
                    var places = new HostSide.Places(
                            "in-workspace-" + stage.base().getFileName(),
                            "-",
                            "-",
                            workspace.root().toString());
                    try (var side = HostSide.start(stage.programs().host(), places)) {
                        stage.person().own(workspace.root());
                        var result = stage.cage()
                                .in(workspace.root())
                                .run(tool(workspace), "story", "call", side.fact("workspace-socket"));
                        return result.out().contains("connect ok")
                                        || !side.contacts().isEmpty()
                                ? fell("connected: " + result + " " + side.contacts())
                                : held("exit " + result.exit() + " "
                                        + result.out().strip());
                    }
                }));
    }

    private Probe contacts() {
        return new Probe(
                "host-listeners",
                Invariant.I1,
                "reach any listener of the host",
                works(),
                new Twin("count who came to the host's listeners in all runs so far", () -> {
                    var contacts = stage.host().contacts();
                    return contacts.isEmpty() ? held("nobody") : fell(String.valueOf(contacts));
                }));
    }

    private Probe setId() {
        return new Probe(
                "set-id-left",
                Invariant.I9,
                "leave a set-id file or a device when all runs are over",
                works(),
                new Twin("walk the workspace", () -> {
                    try (var files = Files.walk(stage.workspace().root())) {
                        var found = files.filter(WorkspaceStories::isSpecial).toList();
                        return found.isEmpty() ? held("none") : fell(String.valueOf(found));
                    }
                }));
    }

    private static boolean isSpecial(Path file) {
        try {
            int mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            int kind = mode & 0170000;
            return (mode & 06000) != 0 || kind == 0020000 || kind == 0060000;
        } catch (IOException e) {
            return false; // gone meanwhile
        }
    }
}
