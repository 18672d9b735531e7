package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import dev.cagewright.escape.stage.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Runs with `--copy`: the program may do what it likes to what it sees, and the host's directory stays as it is.
record CopyStories(Stage stage) {
    List<Probe> probes() {
        return List.of(
                probe("copy-write", "write to a file of the host's directory", """
                        open('file', 'w').write('from the cage')
                        os.truncate('other', 0)
                        print(open('file').read())
                        """),
                probe("copy-remove", "remove and replace what the host has", """
                        shutil.rmtree('folder')
                        os.mkdir('folder')
                        os.rename('file', 'folder/moved')
                        os.symlink('/etc/passwd', 'file')
                        print(open('folder/moved').read() and 'from the cage')
                        """),
                probe("copy-link", "change a file by another of its names, its mode and its times", """
                        os.link('other', 'third')
                        open('third', 'a').write('from the cage')
                        os.chmod('other', 0o600)
                        os.utime('file', (1, 1))
                        print(open('third').read()[-13:])
                        """),
                probe("copy-mapped", "write to mapped memory of a file of the host", """
                        with open('file', 'r+b') as f, mmap.mmap(f.fileno(), 0) as m:
                            m[0:4] = b'from'
                            m.flush()
                        print(open('file').read()[:4] + ' the cage')
                        """));
    }

    private Probe probe(String id, String tries, String script) {
        return new Probe(
                id,
                Invariant.I7,
                tries,
                new Twin("see its own change in the copy", () -> {
                    var result = run(workspace(id + "-seen"), script);
                    return result.exit() == 0 && result.out().contains("from the cage")
                            ? held("seen, and exit 0")
                            : fell(result.toString());
                }),
                new Twin("change the host's directory", () -> {
                    var workspace = workspace(id);
                    var before = inventory(workspace.root());
                    var result = run(workspace, script);
                    var after = inventory(workspace.root());
                    return after.equals(before) ? held("the host is as it was") : changed(after, result);
                }));
    }

    private static Outcome changed(Map<String, String> after, Command.Result result) {
        return fell("the host has " + after + ": " + result);
    }

    private Workspace workspace(String name) throws IOException, InterruptedException {
        var workspace = stage.freshWorkspace("other/" + name);
        workspace.write("file", "four and more\n");
        workspace.write("folder/inner", "inner\n");
        workspace.write("other", "two names\n");
        Files.createLink(workspace.resolve("another"), workspace.resolve("other"));
        stage.person().own(workspace.root());
        return workspace;
    }

    private Command.Result run(Workspace workspace, String script) throws IOException, InterruptedException {
        var file = workspace.write("try.py", "import mmap, os, shutil\n" + script);
        stage.person().own(workspace.root());
        return stage.cage().in(workspace.root()).with("--copy").run("/usr/bin/python3", file.toString());
    }

    /// Everything but the times of reading, and the script itself.
    private static Map<String, String> inventory(Path root) throws IOException {
        var found = new TreeMap<String, String>();
        try (var tree = Files.walk(root)) {
            for (Path path : tree.toList()) {
                var facts = new TreeMap<>(Files.readAttributes(
                        path, "unix:mode,ino,nlink,uid,gid,size,lastModifiedTime", LinkOption.NOFOLLOW_LINKS));
                var text = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? Look.text(path) : "";
                if (!path.equals(root) && !path.endsWith("try.py")) {
                    found.put(root.relativize(path).toString(), facts + text);
                }
            }
        }
        return found;
    }
}
