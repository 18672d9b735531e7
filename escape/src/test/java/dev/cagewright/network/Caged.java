package dev.cagewright.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The product with a policy that asks for a capture, folders of its own, and servers that its cages may reach.
final class Caged implements AutoCloseable {
    static final Path PRODUCT = Path.of("..", "cagewright").toAbsolutePath().normalize();

    final Path folder;
    final Path workspace;
    final Path policy;
    final Outside outside = new Outside();
    final Answers answers = new Answers();

    /// What a command left.
    record Ran(int exit, String out, String err) {}

    Caged(Path folder) throws IOException, GeneralSecurityException {
        this.folder = folder;
        this.workspace = Files.createDirectory(folder.resolve("workspace"));
        this.policy = Files.writeString(folder.resolve("policy.yaml"), """
                tool: networked
                fs: {mounts: [{path: /workspace, mode: rw}]}
                net:
                  hosts:
                    - host: a.test
                      ports: [SECURE, CLEAR, CHAT]
                      methods: [GET, POST]
                      paths: ["/ok/**"]
                      addresses: [127.0.0.1]
                      upstream_ca: ROOTS
                capture: {har: true, body: 1MiB}
                """.replace("SECURE", "" + outside.securePort())
                .replace("CLEAR", "" + answers.port())
                .replace("CHAT", "" + answers.socketPort())
                .replace("ROOTS", outside.roots(folder).toString()));
    }

    /// Puts other words into the policy.
    void change(String from, String to) throws IOException {
        Files.writeString(policy, Files.readString(policy).replace(from, to));
    }

    /// Begins a command; its output goes to the files `NAME.out` and `NAME.err`.
    Process start(String name, List<String> words) throws IOException {
        var builder = new ProcessBuilder(words)
                .directory(workspace.toFile())
                .redirectOutput(folder.resolve(name + ".out").toFile())
                .redirectError(folder.resolve(name + ".err").toFile());
        builder.environment()
                .putAll(Map.of(
                        "XDG_STATE_HOME", folder.resolve("state").toString(),
                        "XDG_CONFIG_HOME", folder.resolve("config").toString()));
        return builder.start();
    }

    static List<String> words(String... words) {
        var line = new ArrayList<>(List.of(PRODUCT.toString()));
        line.addAll(List.of(words));
        return line;
    }

    /// The words of a run of a script in Python, with the ports as its arguments.
    List<String> script(String text) throws IOException {
        var script = Files.writeString(workspace.resolve("talk.py"), text);
        return words(
                "run",
                "--quiet",
                "--policy",
                policy.toString(),
                "--",
                "python3",
                script.toString(),
                "" + outside.securePort(),
                "" + answers.port(),
                "" + answers.socketPort());
    }

    Ran run(List<String> words) throws IOException, InterruptedException {
        int code = start("ran", words).waitFor();
        return new Ran(code, said("ran.out"), said("ran.err"));
    }

    Ran product(String... words) throws IOException, InterruptedException {
        return run(words(words));
    }

    String said(String file) throws IOException {
        return Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1);
    }

    /// Everything that the product left on the disk, as text.
    String kept() throws IOException {
        var all = new StringBuilder();
        try (var files = Files.walk(folder.resolve("state"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    @Override
    public void close() throws IOException {
        outside.close();
        answers.close();
    }
}
