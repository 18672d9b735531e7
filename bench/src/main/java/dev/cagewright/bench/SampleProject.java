package dev.cagewright.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// A workspace as projects are: a repository, settings of an editor and an agent, two hundred sources. Removed
/// with everything in it when closed.
record SampleProject(Path path) implements AutoCloseable {
    private static final List<String> FILES = List.of(
            ".git/HEAD",
            ".git/config",
            ".git/hooks/pre-commit",
            ".git/objects/info/packs",
            ".git/refs/heads/main",
            ".github/workflows/build.yml",
            ".vscode/settings.json",
            ".vscode/tasks.json",
            ".claude/settings.json",
            ".mcp.json",
            ".envrc",
            ".env",
            "package.json",
            "README.md");

    static SampleProject create() throws IOException {
        var path = Files.createTempDirectory("cagewright-bench").toRealPath();
        for (var file : FILES) {
            write(path.resolve(file), file.equals(".git/HEAD") ? "ref: refs/heads/main\n" : "");
        }
        for (int i = 0; i < 200; i++) {
            write(path.resolve("src/module" + i % 10 + "/File" + i + ".java"), "class File" + i + " {}\n");
        }
        return new SampleProject(path);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Override
    public void close() throws IOException {
        try (var all = Files.walk(path)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
