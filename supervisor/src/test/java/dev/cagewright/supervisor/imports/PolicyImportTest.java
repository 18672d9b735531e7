package dev.cagewright.supervisor.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What may be done under a policy that was imported, and what may not; and that nothing of a source is lost silently.
class PolicyImportTest {
    @TempDir
    private Path folder;

    private Places places = new Places(Path.of("/h"), Path.of("/w"));

    @BeforeEach
    void a_person_with_a_workspace() throws IOException {
        Files.createDirectories(folder.resolve("home/.npm"));
        Files.createDirectories(folder.resolve("home/.ssh"));
        places = new Places(folder.resolve("home"), Files.createDirectories(folder.resolve("home/app")));
    }

    private PolicyImport imported(String name, String text) throws ImportException {
        return imported(name, text, Optional.empty());
    }

    private PolicyImport imported(String name, String text, Optional<String> profile) throws ImportException {
        var wish = new PolicyImport.Wish(name, Optional.empty(), profile);
        return PolicyImport.of(wish, text.getBytes(StandardCharsets.UTF_8), places);
    }

    private static CompiledPolicy compiled(PolicyImport made) {
        try {
            return CompiledPolicy.compile(PolicyFiles.read("made", made.text()));
        } catch (PolicySyntaxException | BadPolicyException e) {
            throw new AssertionError(made.text(), e);
        }
    }

    private static boolean may(PolicyImport made, String method, String host, int port, String path) {
        return allows(made, new Action.HttpRequest(method, new HostName(host), port, path));
    }

    private static boolean mayGet(PolicyImport made, String host) {
        return may(made, "GET", host, 443, "/");
    }

    private static boolean mayRead(PolicyImport made, String path) {
        return allows(made, new Action.FsRead(GuestPath.canonical(path)));
    }

    private static boolean mayWrite(PolicyImport made, String path) {
        return allows(made, new Action.FsWrite(GuestPath.canonical(path)));
    }

    private static boolean allows(PolicyImport made, Action action) {
        return compiled(made).judge(action) instanceof Decision.Allow;
    }

    private static String fate(PolicyImport made, String key) {
        return made.remarks().stream()
                .filter(remark -> remark.key().equals(key))
                .map(remark -> remark.fate().word() + ": " + remark.why())
                .findFirst()
                .orElse("carried");
    }

    private static final String CAGE = """
            name: my-agent
            isolation: container
            lifecycle: service
            container:
              image: node:22-slim
              command: ["bash"]
              user: 1000:1000
              read_only: true
              drop_capabilities: [ALL]
              no_new_privileges: true
              memory: "4g"
              cpus: "2.0"
              env: {NODE_ENV: quite-private}
              volumes: [".:/workspace:rw", "/usr/share:/data:ro", "/nowhere-at-all:/x"]
              tmpfs: ["/tmp:rw,noexec,nosuid,size=512m", "/scratch:rw"]
            domains:
              mode: allowlist
              allow: [api.anthropic.com, github.com, "*.wide.test", "*.good.test", short.test]
              block: [evil.wide.test]
              passthrough: [github.com, absent.test]
              expires: {short.test: "2026-09-08T18:00:00Z"}
            ports: {tcp: {allow: [443]}, udp: {allow: [53]}, icmp: {allow: true}}
            secret_injection:
              - {env: ANTHROPIC_API_KEY, inject_to: [api.anthropic.com], inject_headers: true, inject_body: false}
            agents: {decider: {enable: true}}
            capture: {enable_har: true, max_body_size: 1048576}
            strange: {key: 1}
            """;

    @Test
    void a_cage_of_agentcage_reaches_what_it_reached_and_no_more() throws ImportException {
        var made = imported("cage.yaml", CAGE);

        assertThat(made.format()).isEqualTo(Format.AGENTCAGE);
        assertThat(mayGet(made, "api.anthropic.com")).isTrue();
        assertThat(mayGet(made, "a.b.good.test")).isTrue();
        assertThat(mayGet(made, "good.test"))
                .as("*. never means the name itself")
                .isFalse();
        assertThat(may(made, "GET", "api.anthropic.com", 80, "/"))
                .as("ports.tcp.allow")
                .isFalse();
        assertThat(mayGet(made, "evil.wide.test")).isFalse();
        assertThat(mayGet(made, "ok.wide.test")).as("a part of it is forbidden").isFalse();
        assertThat(mayGet(made, "short.test")).as("it ends at a time").isFalse();
        assertThat(mayGet(made, "absent.test")).isFalse();
        assertThat(mayGet(made, "example.com")).isFalse();
        assertThat(made.text()).contains("{host: github.com, ports: [443], inspect: false}");
        assertThat(mayWrite(made, "/workspace/a")).isTrue();
        assertThat(mayWrite(made, "/scratch/a")).isTrue();
        assertThat(mayRead(made, "/data/a")).isTrue();
        assertThat(mayWrite(made, "/data/a")).isFalse();
        assertThat(made.secrets()).containsExactly("ANTHROPIC_API_KEY");
        assertThat(made.text())
                .contains("tool: my-agent", "memory: \"4GiB\"", "cpus: 2.0", "har: true")
                .doesNotContain("quite-private");
    }

    @Test
    void each_key_of_a_cage_that_is_not_carried_over_is_named() throws ImportException {
        var made = imported("cage.yaml", CAGE);

        assertThat(fate(made, "container.image")).startsWith("left out: the programs of this machine");
        assertThat(fate(made, "container.env.NODE_ENV")).startsWith("left out: a policy sets no variables");
        assertThat(fate(made, "container.volumes[2]")).startsWith("left out: /nowhere-at-all is no folder");
        assertThat(fate(made, "domains.allow[4]")).startsWith("left out: it ends at a time");
        assertThat(fate(made, "domains.allow[2]")).startsWith("narrowed: *.wide.test is left out: domains.block[0]");
        assertThat(fate(made, "domains.passthrough[1]")).startsWith("left out: is not on the list");
        assertThat(fate(made, "ports.udp.allow")).startsWith("left out: no datagram");
        assertThat(fate(made, "ports.icmp.allow")).startsWith("left out: no ping");
        assertThat(fate(made, "agents")).startsWith("left out");
        assertThat(fate(made, "strange")).isEqualTo("left out: there is nothing like it here");
        made.remarks().forEach(remark -> assertThat(made.text()).contains("#   " + remark));
    }

    @Test
    void a_blocklist_and_a_stronger_isolation_are_not_made_weaker() throws ImportException {
        var made = imported("cage.yaml", """
                name: a
                isolation: vm
                container: {volumes: ['.:/workspace:ro']}
                domains: {mode: blocklist, allow: [a.test], block: [b.test]}
                """);

        assertThat(made.text()).contains("min_isolation: microvm");
        assertThat(mayGet(made, "a.test")).isFalse();
        assertThat(mayGet(made, "c.test")).isFalse();
        assertThat(mayRead(made, "/workspace/a")).isTrue();
        assertThat(mayWrite(made, "/workspace/a")).isFalse();
        assertThat(fate(made, "domains.mode")).startsWith("left out: blocklist allows what is not named");
    }

    @Test
    void a_policy_of_toolcage_is_the_same_within_its_time_and_output() throws ImportException {
        var made = imported("policy.yaml", """
                tool: dependency-updater
                min_isolation: firecracker
                fs:
                  mounts:
                    - {path: /workspace, mode: rw, source: session-copy}
                net:
                  mode: allowlist
                  hosts:
                    - {host: registry.example.org, methods: [GET]}
                    - {alias: github, methods: [GET, POST], paths: ["/repos/acme/app/**"]}
                    - {alias: unheard}
                credentials:
                  - {name: github_token, use_with: github}
                exec: {allowlist: [dependency-updater, git]}
                approval:
                  require_for:
                    - http.request: {methods: [POST], hosts: [github]}
                extra: true
                """);

        assertThat(made.format()).isEqualTo(Format.TOOLCAGE);
        assertThat(mayGet(made, "registry.example.org")).isTrue();
        assertThat(may(made, "POST", "registry.example.org", 443, "/")).isFalse();
        assertThat(may(made, "GET", "registry.example.org", 80, "/")).isFalse();
        assertThat(may(made, "GET", "api.github.com", 443, "/repos/acme/app/x")).isTrue();
        assertThat(may(made, "GET", "api.github.com", 443, "/repos/acme/other")).isFalse();
        assertThat(compiled(made)
                        .judge(new Action.HttpRequest(
                                "POST", new HostName("api.github.com"), 443, "/repos/acme/app/x")))
                .isInstanceOf(Decision.Ask.class);
        assertThat(made.text())
                .contains("min_isolation: firecracker", "source: session-copy", "timeout: \"30s\"", "output: \"1MiB\"");
        assertThat(made.secrets()).containsExactly("github_token");
        assertThat(fate(made, "net.hosts[2].alias")).startsWith("left out: ");
        assertThat(fate(made, "extra")).startsWith("left out");
    }

    @Test
    void settings_of_sandbox_runtime_keep_what_they_deny() throws ImportException {
        var made = imported("settings.json", """
                {"network": {"allowedDomains": ["github.com", "*.npmjs.org", "api.test:8443", "x.evil.test", "[::1]:80"],
                             "deniedDomains": ["evil.test", "github.com:22"], "allowUnixSockets": ["/run/x"]},
                 "filesystem": {"denyRead": ["~/.ssh", "secrets", "**/.env", "keys/*.pem"], "allowRead": ["secrets/public"],
                                "allowWrite": [".", "/tmp", "~/.npm", "build/*.o"], "denyWrite": [".git/hooks", ".vscode"]},
                 "mandatoryDenySearchDepth": 3}
                """);

        assertThat(made.format()).isEqualTo(Format.SANDBOX_RUNTIME);
        assertThat(mayGet(made, "github.com")).isTrue();
        assertThat(mayGet(made, "a.npmjs.org")).isTrue();
        assertThat(mayGet(made, "npmjs.org")).isFalse();
        assertThat(may(made, "GET", "api.test", 8443, "/")).isTrue();
        assertThat(mayGet(made, "api.test")).isFalse();
        assertThat(mayGet(made, "x.evil.test")).isFalse();
        assertThat(mayWrite(made, "/workspace/a")).isTrue();
        assertThat(mayRead(made, "/workspace/secrets/public/a")).isFalse();
        assertThat(mayRead(made, "/workspace/deep/.env")).isFalse();
        assertThat(mayRead(made, "/workspace/keys/readme")).isFalse();
        assertThat(mayRead(made, places.home() + "/.npm/a")).isTrue();
        assertThat(mayWrite(made, places.home() + "/.npm/a"))
                .as("nothing is protected there")
                .isFalse();
        assertThat(mayRead(made, places.home() + "/.ssh/id")).isFalse();
        assertThat(fate(made, "filesystem.allowWrite[2]")).startsWith("narrowed: outside of the workspace nothing");
        assertThat(fate(made, "filesystem.allowWrite[3]")).startsWith("left out");
        assertThat(fate(made, "network.allowUnixSockets")).startsWith("left out");
        assertThat(fate(made, "filesystem.denyWrite[0]")).isEqualTo("carried");
    }

    @Test
    void what_cannot_be_kept_out_of_a_workspace_takes_the_workspace_away() throws ImportException {
        var unread = imported("s.json", """
                {"network": {"allowedDomains": [], "deniedDomains": []},
                 "filesystem": {"denyRead": ["**/*.pem"], "allowWrite": ["."], "denyWrite": []}}""");
        assertThat(mayRead(unread, "/workspace/a")).isFalse();
        assertThat(fate(unread, "filesystem.denyRead[0]"))
                .startsWith("narrowed: names of this pattern cannot be hidden");

        var unwritten = imported("s.json", """
                {"filesystem": {"denyRead": [], "allowWrite": ["."], "denyWrite": ["dist"]}}""");
        assertThat(mayRead(unwritten, "/workspace/a")).isTrue();
        assertThat(mayWrite(unwritten, "/workspace/a")).isFalse();

        var home = imported("s.json", """
                {"filesystem": {"denyRead": ["~"], "allowRead": [], "allowWrite": ["."], "denyWrite": []}}""");
        assertThat(mayRead(home, "/workspace/a"))
                .as("the workspace is below the home directory")
                .isFalse();

        var back = imported("s.json", """
                {"filesystem": {"denyRead": ["~"], "allowRead": ["."], "allowWrite": ["."], "denyWrite": []}}""");
        assertThat(mayWrite(back, "/workspace/a")).isTrue();
    }

    @Test
    void a_mount_that_would_show_what_is_denied_is_left_out() throws ImportException {
        var elsewhere = new Places(places.home(), Path.of("/srv/app"));
        places = elsewhere;
        var made = imported("s.json", """
                {"filesystem": {"denyRead": ["~/.ssh"], "allowRead": ["~"], "allowWrite": ["~"], "denyWrite": []}}""");

        assertThat(mayRead(made, places.home() + "/.npm/a")).isFalse();
        assertThat(mayRead(made, places.home() + "/.ssh/id")).isFalse();
        assertThat(made.remarks()).anyMatch(remark -> remark.why().contains("would show"));
    }

    private static final String CODEX = """
            model = "gpt-5.5"
            approval_policy = "on-request"
            sandbox_mode = "workspace-write"
            [sandbox_workspace_write]
            writable_roots = ["~/.npm", "/nowhere-at-all"]
            network_access = true
            [profiles.look]
            sandbox_mode = "read-only"
            [mcp_servers.docs]
            command = "npx"
            [shell_environment_policy]
            include_only = ["LANG", "PATH", "A*"]
            set = { TOKEN = "quite-private" }
            """;

    @Test
    void the_sandbox_mode_of_codex_is_a_copy_of_the_workspace_without_a_network() throws ImportException {
        var made = imported("config.toml", CODEX);

        assertThat(made.format()).isEqualTo(Format.CODEX);
        assertThat(made.text())
                .contains("{path: /workspace, mode: rw, source: session-copy}", "mode: none", "- LANG")
                .doesNotContain("quite-private");
        assertThat(mayGet(made, "github.com")).isFalse();
        assertThat(mayRead(made, places.home() + "/.npm/a")).isTrue();
        assertThat(mayWrite(made, places.home() + "/.npm/a")).isFalse();
        assertThat(fate(made, "sandbox_workspace_write.network_access")).startsWith("left out: a policy never allows");
        assertThat(fate(made, "sandbox_workspace_write.writable_roots[1]")).startsWith("left out");
        assertThat(fate(made, "shell_environment_policy.include_only[1]")).startsWith("left out: ");
        assertThat(fate(made, "shell_environment_policy.set.TOKEN")).startsWith("left out: a policy sets no variables");
        assertThat(fate(made, "profiles.look")).isEqualTo("left out: another profile: --profile look imports it");
        assertThat(fate(made, "model")).startsWith("left out");
        assertThat(fate(made, "mcp_servers")).startsWith("left out");

        var look = imported("config.toml", CODEX, Optional.of("look"));
        assertThat(mayRead(look, "/workspace/a")).isTrue();
        assertThat(mayWrite(look, "/workspace/a")).isFalse();
    }

    @Test
    void a_permission_profile_of_codex_keeps_what_it_denies_and_its_methods() throws ImportException {
        var made = imported("config.toml", """
                default_permissions = "edit"
                [permissions.base]
                extends = ":workspace"
                [permissions.base.filesystem]
                "~/.ssh" = "deny"
                [permissions.edit]
                extends = "base"
                [permissions.edit.filesystem]
                ":root" = "deny"
                ":minimal" = "read"
                [permissions.edit.filesystem.":workspace_roots"]
                "." = "write"
                "**/.env" = "deny"
                "**/secrets/**" = "deny"
                [permissions.edit.network]
                enabled = true
                mode = "limited"
                [permissions.edit.network.domains]
                "api.github.com" = "allow"
                "**.all.test" = "allow"
                "*" = "allow"
                "*.part.test" = "allow"
                "x.part.test" = "deny"
                [permissions.other]
                """);

        assertThat(mayWrite(made, "/workspace/a")).isTrue();
        assertThat(made.text()).contains("session-copy");
        assertThat(mayRead(made, "/workspace/x/.env")).isFalse();
        assertThat(mayRead(made, "/workspace/x/secrets/a")).isFalse();
        assertThat(mayGet(made, "api.github.com")).isTrue();
        assertThat(may(made, "POST", "api.github.com", 443, "/")).as("limited").isFalse();
        assertThat(mayGet(made, "all.test")).isTrue();
        assertThat(mayGet(made, "a.all.test")).isTrue();
        assertThat(mayGet(made, "y.part.test")).isFalse();
        assertThat(mayGet(made, "anything.test")).isFalse();
        assertThat(fate(made, "permissions.other")).startsWith("left out: another profile");
        assertThat(fate(made, "permissions.edit.network.domains.*"))
                .startsWith("left out: a policy never allows every");
    }

    @Test
    void another_folder_at_the_workspaces_place_and_a_second_mount_are_left_out() throws ImportException {
        var made = imported("cage.yaml", """
                container:
                  volumes: ["/usr/share:/workspace:rw", "/usr/share:/data:ro", "/usr/lib:/data:rw"]
                """);
        assertThat(mayRead(made, "/workspace/a")).isFalse();
        assertThat(fate(made, "container.volumes[0]")).startsWith("left out: /workspace is the folder");
        assertThat(mayRead(made, "/data/a")).isTrue();
        assertThat(mayWrite(made, "/data/a")).isFalse();
        assertThat(fate(made, "container.volumes[2]")).startsWith("left out: something else is mounted at /data");

        var tool = imported("p.yaml", "tool: a\nfs: {mounts: [{path: /workspace, mode: rw, source: /usr/share}]}\n");
        assertThat(mayRead(tool, "/workspace/a")).isFalse();
        assertThat(fate(tool, "fs.mounts[0].source")).startsWith("left out");
    }
}
