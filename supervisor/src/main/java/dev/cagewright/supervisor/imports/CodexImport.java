package dev.cagewright.supervisor.imports;

import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `config.toml` of Codex: `sandbox_mode` with its settings, at the top or in a profile, or a permission profile
/// (developers.openai.com/codex/permissions, read in November 2026). What of it is about the model, the screen and the
/// like is the agent's own business.
final class CodexImport {
    private static final String OWN = "is a setting of the agent itself";
    private static final String COPY =
            "there .git cannot be written, and a mount here cannot say so: the workspace is a copy, of which"
                    + " cagewright apply brings over what you choose; take source: session-copy out to write directly";

    private final Draft draft;
    private final Places places;
    private final Optional<String> profile;

    /// @param profile the one that is meant, of `profiles` or of `permissions`; the usual one if empty
    CodexImport(Draft draft, Places places, Optional<String> profile) {
        this.draft = draft;
        this.places = places;
        this.profile = profile;
    }

    void read(Section root) throws ImportException {
        var profiles = root.section("profiles");
        var permissions = root.section("permissions");
        var older = profile.filter(profiles.keys()::contains);
        boolean isPermission =
                older.isEmpty() && profile.filter(permissions.keys()::contains).isPresent();
        if (profile.isPresent() && older.isEmpty() && !isPermission) {
            throw root.wrong("profiles", "there is no profile " + profile.get());
        }
        var own = older.isPresent() ? profiles.section(older.get()) : root;
        var usual = root.text("sandbox_mode");
        var mode = own.text("sandbox_mode").or(() -> usual);
        var chosen = isPermission ? profile : root.text("default_permissions");
        if (chosen.isPresent() && (isPermission || mode.isEmpty())) {
            new CodexPermissions(draft, places, permissions).read(root, chosen.get());
        } else {
            sandbox(root, mode.orElse("read-only"), root.section("sandbox_workspace_write"));
        }
        others(profiles);
        others(permissions);
        rest(root);
        if (older.isPresent()) {
            own.rest(draft, OWN);
        }
    }

    private void sandbox(Section root, String mode, Section settings) throws ImportException {
        switch (mode) {
            case "read-only" -> draft.grantWorkspace(Draft.Access.READ);
            case "workspace-write" -> {
                draft.grantWorkspace(Draft.Access.COPY);
                draft.narrow(root.path("sandbox_mode"), COPY);
            }
            case "danger-full-access" -> {
                draft.grantWorkspace(Draft.Access.WRITE);
                draft.leave(
                        root.path("sandbox_mode"),
                        "a cage never has the whole host and network; name hosts in net.hosts");
            }
            default ->
                throw root.wrong(
                        "sandbox_mode", mode + " (expected: read-only, workspace-write or danger-full-access)");
        }
        boolean isWritable = mode.equals("workspace-write");
        var rules = new PathRules(draft, places);
        for (Section.Text folder : settings.texts("writable_roots")) {
            if (isWritable) {
                rules.write(folder);
            } else {
                draft.leave(folder.key(), "counts only in workspace-write");
            }
        }
        if (settings.isOn("network_access")) {
            draft.leave(
                    settings.path("network_access"),
                    "a policy never allows every host; name those that are needed in"
                            + " net.hosts, or watch with run --learn");
        }
        for (String key : List.of("exclude_tmpdir_env_var", "exclude_slash_tmp")) {
            if (settings.isOn(key)) {
                draft.narrow(settings.path(key), "each cage has a /tmp of its own, in memory");
            }
        }
        settings.rest(draft, "there is nothing like it here");
    }

    private void others(Section all) {
        for (String name : all.keys()) {
            if (!all.wasAsked(name)) {
                draft.leave(all.path(name), "another profile: --profile " + name + " imports it");
            }
        }
    }

    private void rest(Section root) throws ImportException {
        root.leave(draft, "approval_policy", "what a policy does not allow is denied; see approval.require_for");
        root.leave(draft, "mcp_servers", "see cagewright mcp import");
        if (root.isSection("shell_environment_policy")) {
            environment(root.section("shell_environment_policy"));
        }
        root.rest(draft, OWN);
    }

    private void environment(Section variables) throws ImportException {
        var names = new ArrayList<Node>();
        for (Section.Text name : variables.texts("include_only")) {
            var node = Node.text(name.value());
            if (draft.isTaken(name.key(), "exec: {env: [" + PolicyWriter.line(node) + "]}")) {
                names.add(node);
            }
        }
        if (!names.isEmpty()) {
            draft.put(variables.path("include_only"), "exec", Node.mapping("env", Node.list(names)));
        }
        var set = variables.section("set");
        for (String name : set.keys()) {
            draft.leave(set.path(name), "a policy sets no variables");
        }
        variables.rest(draft, "a cage has no variable of the caller's but those of exec.env");
    }
}
