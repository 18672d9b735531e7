package dev.cagewright.escape.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/// A repository as people have them: hooks, a nested repository, a submodule, agent and editor configuration,
/// links that lead out.
///
/// @param root its folder
public record Workspace(Path root) {
    /// Makes one at `root`; `secret` is a file outside that a link of the workspace names.
    public static Workspace plant(Path root, Path secret) throws IOException, InterruptedException {
        var workspace = new Workspace(root);
        Files.createDirectories(root.resolve("free"));
        workspace.write("data.csv", "a,b\n1,2\n");
        workspace.write("src/main.py", "print('hello')\n");
        workspace.write("free/plain", "plain\n");
        workspace.write(".vscode/tasks.json", "{}\n");
        workspace.write(".claude/settings.json", "{}\n");
        Files.createSymbolicLink(root.resolve("link-to-secret"), secret);
        Files.createSymbolicLink(root.resolve("link-to-root"), Path.of("/"));
        workspace.git("init", "-q", ".");
        workspace.git("config", "extensions.worktreeConfig", "true");
        workspace.git("init", "-q", "vendor/lib");
        workspace.git("init", "-q", "--bare", ".git/modules/sub");
        for (String hooks : List.of(".git/hooks", "vendor/lib/.git/hooks", ".git/modules/sub/hooks")) {
            workspace.write(hooks + "/pre-commit.sample", "#!/bin/sh\n");
        }
        workspace.script(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
        return workspace;
    }

    public Path resolve(String name) {
        return root.resolve(name);
    }

    public Path write(String name, String text) throws IOException {
        var file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /// Writes a file that may be executed.
    public Path script(String name, String text) throws IOException {
        return Files.setPosixFilePermissions(write(name, text), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Runs git of the host here; the repository has to be one that no cage wrote to.
    public void git(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("git", "-c", "safe.directory=*", "-c", "init.defaultBranch=main"));
        command.addAll(List.of(words));
        Command.output(command, root);
    }
}
