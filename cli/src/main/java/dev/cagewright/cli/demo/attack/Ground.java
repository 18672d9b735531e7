package dev.cagewright.cli.demo.attack;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// A host for the play: a home directory and a repository with made-up secrets, a policy, servers, and state folders of
/// their own. All of it is in one folder, which only the caller can read and [#close] removes.
final class Ground implements AutoCloseable {
    private static final List<String> HOME_FILES =
            List.of(".ssh/id_ed25519", ".aws/credentials", ".netrc", ".npmrc", ".config/gh/hosts.yml", ".bash_history");

    private static final String POLICY = """
            tool: attacked
            fs:
              mounts:
                - {path: /workspace, mode: rw%s}
              hide: ["**/.env"]
            net:
              hosts:
                - {host: partner.example, port: %d, methods: [GET], paths: ["/allowed/**"], addresses: [127.0.0.1]}
            credentials:
              - {name: api_key, env: API_KEY, use_with: [keys.partner.example]}
            resources: {memory: 192MiB, processes: 64, disk: 32MiB, output: 1MiB, timeout: 40s}
            """;

    private final Path folder;
    private final Tap tap;
    private final String mark;
    private boolean isKept;

    private Ground(Path folder, Tap tap, String mark) {
        this.folder = folder;
        this.tap = tap;
        this.mark = mark;
    }

    /// Prepares everything in a new folder.
    static Ground prepare() throws IOException {
        var folder = Files.createTempDirectory("cw-attack");
        var mark = "canary-" + HexFormat.of().toHexDigits(new SecureRandom().nextLong());
        Files.createDirectories(folder.resolve("home"));
        var ground = new Ground(folder, new Tap(folder.resolve("home/agent.sock")), mark);
        ground.plant();
        return ground;
    }

    private void plant() throws IOException {
        for (String name : HOME_FILES) {
            write(home().resolve(name), "secret " + mark + "-home\n");
        }
        write(home().resolve(".bashrc"), "# the person's\n");
        write(home().resolve(".config/systemd/user/agent.service"), "# the person's\n");
        write(home().resolve(".ssh/authorized_keys"), "# the person's\n");
        write(workspace().resolve(".git/HEAD"), "ref: refs/heads/main\n");
        write(workspace().resolve(".git/config"), "[core]\n\trepositoryformatversion = 0\n");
        write(workspace().resolve(".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n");
        write(workspace().resolve(".git/objects/info/packs"), "");
        write(workspace().resolve(".git/refs/heads/.keep"), "");
        write(workspace().resolve(".env"), "DATABASE_PASSWORD=" + mark + "-env\n");
        write(workspace().resolve("customers.csv"), "name,secret\nada," + mark + "-file\n");
        write(workspace().resolve("agent.py"), Attempts.program());
        write(workspace().resolve("facts.json"), facts().write());
        write(key(), "sk-" + mark + "-key-0123456789abcdef\n");
        write(policy("main"), POLICY.formatted("", tap.partnerPort()));
        write(policy("disk"), POLICY.formatted(", source: session-copy", tap.partnerPort()));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    Path folder() {
        return folder;
    }

    Path home() {
        return folder.resolve("home");
    }

    Path workspace() {
        return folder.resolve("app");
    }

    Path key() {
        return folder.resolve("api-key.txt");
    }

    /// Where the product keeps what it knows of the play.
    Path state() {
        return folder.resolve("state");
    }

    /// @param part of the program; what it does to the workspace's size needs a copy
    Path policy(String part) {
        return folder.resolve(part.equals("disk") ? "policy-copy.yaml" : "policy.yaml");
    }

    Tap tap() {
        return tap;
    }

    /// Stands in every secret here and nowhere else.
    String mark() {
        return mark;
    }

    /// The folders of the product, by their variables.
    Map<String, String> folders() {
        return Map.of(
                "XDG_STATE_HOME",
                state().toString(),
                "XDG_CONFIG_HOME",
                folder.resolve("config").toString());
    }

    /// What the agent knows of the host: nobody should need to guess for it.
    private JsonObject facts() throws IOException {
        return Json.object()
                .put("home", home().toString())
                .put("home_files", HOME_FILES)
                .put("mark", mark)
                .put("partner_port", tap.partnerPort())
                .put("tap_port", tap.tapPort())
                .put("datagram_port", tap.datagramPort())
                .put("ssh_agent", home().resolve("agent.sock").toString())
                .put("log", state().resolve("cagewright/audit.jsonl").toString())
                .put("policy", policy("main").toString())
                .put("state", state().toString())
                .put("host_pids", List.of(ProcessHandle.current().pid()))
                .put("uid", (Integer) Files.getAttribute(folder, "unix:uid"))
                .put("own_init", true)
                .build();
    }

    /// Leaves the folder there, for somebody who wants to look.
    void keep() {
        isKept = true;
    }

    @Override
    public void close() throws IOException {
        tap.close();
        if (isKept) {
            return;
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
