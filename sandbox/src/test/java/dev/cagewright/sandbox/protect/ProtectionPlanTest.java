package dev.cagewright.sandbox.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.sandbox.Mask.Kind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProtectionPlanTest {
    @TempDir
    private Path folder;

    private Workspaces here() {
        return new Workspaces(folder);
    }

    private ProtectionPlan waiving(String... groups) throws IOException {
        return ProtectionPlan.scan(new ProtectionRequest(
                here().workspace(), here().home(), ProtectionGroup.waived(Arrays.asList(groups)), List.of()));
    }

    @Test
    void an_empty_folder_gets_placeholders_only_and_git_stays_creatable() throws IOException, InterruptedException {
        var plan = here().scan();

        assertThat(Workspaces.placeholders(plan))
                .contains(".claude", ".mcp.json", ".vscode", ".idea", ".cursor", ".envrc")
                .noneMatch(name -> name.startsWith(".git") || name.startsWith(".ssh") || name.startsWith(".bashrc"));
        assertThat(Workspaces.masks(plan).keySet()).containsExactlyInAnyOrderElementsOf(Workspaces.placeholders(plan));
        assertThat(plan.complete()).isTrue();
        assertThat(plan.notices()).isEmpty();
    }

    @Test
    void a_repository_has_its_hooks_and_configuration_fixed_and_its_folder_pinned()
            throws IOException, InterruptedException {
        here().git("", "init", "-q");

        var masks = Workspaces.masks(here().scan());

        assertThat(masks)
                .containsEntry(".git", Kind.PIN)
                .containsEntry(".git/hooks", Kind.READ_ONLY)
                .containsEntry(".git/config", Kind.READ_ONLY)
                .containsEntry(".git/commondir", Kind.READ_ONLY)
                .containsEntry(".git/config.worktree", Kind.READ_ONLY)
                .doesNotContainKeys(".git/HEAD", ".git/index", ".git/objects");
    }

    @Test
    void every_mask_has_all_its_ancestors_pinned_or_fixed() throws IOException, InterruptedException {
        here().write("a/b/c/.env", "x");
        here().git("", "init", "-q", "deep/er/repo");

        var masks = Workspaces.masks(here().scan(".env"));

        assertThat(masks)
                .containsEntry("a", Kind.PIN)
                .containsEntry("a/b", Kind.PIN)
                .containsEntry("a/b/c", Kind.PIN)
                .containsEntry("a/b/c/.env", Kind.HIDDEN)
                .containsEntry("deep/er/repo/.git", Kind.PIN)
                .containsEntry("deep/er/repo/.git/hooks", Kind.READ_ONLY);
    }

    @Test
    void a_waived_group_is_left_alone_and_the_others_hold() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().write(".vscode/tasks.json", "{}");

        var masks = Workspaces.masks(waiving("git-hooks", "editor-config"));

        assertThat(masks)
                .doesNotContainKeys(".git/hooks", ".vscode", ".idea")
                .containsEntry(".git/config", Kind.READ_ONLY)
                .containsEntry(".claude", Kind.READ_ONLY);
    }

    @Test
    void an_unknown_group_waives_nothing() {
        assertThatThrownBy(() -> waiving("git-hook"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("waive: git-hook (expected: git-hooks, git-config, agent-config, editor-config,"
                        + " shell-startup, ssh, cloud-credentials, sockets)");
    }

    @Test
    void B113_a_hooks_folder_elsewhere_is_fixed_whether_it_exists_or_not() throws IOException, InterruptedException {
        here().git("", "init", "-q", "a");
        here().git("a", "config", "core.hooksPath", ".githooks");
        here().write("a/.githooks/pre-commit", "#!/bin/sh\n");
        here().git("", "init", "-q", "b");
        here().git("b", "config", "core.hooksPath", "tools/hooks");

        var plan = here().scan();

        assertThat(Workspaces.masks(plan))
                .containsEntry("a/.githooks", Kind.READ_ONLY)
                .containsEntry("b/tools", Kind.READ_ONLY);
        assertThat(Workspaces.placeholders(plan)).contains("b/tools").doesNotContain("a/.githooks");
    }

    @Test
    void B113_the_scripts_above_the_stubs_of_husky_are_fixed_too() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().git("", "config", "core.hooksPath", ".husky/_");
        here().write(".husky/_/pre-commit", "");
        here().write(".husky/pre-commit", "");

        assertThat(Workspaces.masks(here().scan()))
                .containsEntry(".husky", Kind.READ_ONLY)
                .doesNotContainKey(".husky/_");
    }

    @Test
    void B113_a_hooks_folder_that_the_persons_own_configuration_names_counts_too()
            throws IOException, InterruptedException {
        here().git("", "init", "-q");
        Files.writeString(here().home().resolve(".gitconfig"), "[core]\n\thooksPath = .my-hooks\n");

        assertThat(Workspaces.placeholders(here().scan())).contains(".my-hooks");
    }

    @Test
    void B110_an_included_configuration_in_the_workspace_is_fixed_and_an_absent_one_is_watched()
            throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().git("", "config", "include.path", "../team.gitconfig");
        here().git("", "config", "includeIf.onbranch:x.path", "../absent.gitconfig");
        here().write("team.gitconfig", "[core]\n\thooksPath = \"team hooks\" ; comment\n");

        var plan = here().scan();

        assertThat(Workspaces.masks(plan)).containsEntry("team.gitconfig", Kind.READ_ONLY);
        assertThat(Workspaces.placeholders(plan)).contains("team hooks");
        assertThat(plan.atStart().watched()).contains(new TreePath("absent.gitconfig"));
    }

    @Test
    void B110_a_linked_worktree_and_a_submodule_are_read_through_their_pointers()
            throws IOException, InterruptedException {
        here().git("", "init", "-q", "main");
        here().git("main", "commit", "-q", "--allow-empty", "-m", "x");
        here().git("main", "worktree", "add", "-q", "../side");
        here().git("", "init", "-q", "lib");
        here().git("lib", "commit", "-q", "--allow-empty", "-m", "x");
        here().git("main", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../lib", "vendor/lib");

        var plan = here().scan();

        assertThat(Workspaces.masks(plan))
                .containsEntry("side/.git", Kind.READ_ONLY)
                .containsEntry("main/.git/worktrees/side/commondir", Kind.READ_ONLY)
                .containsEntry("main/.git/worktrees/side/gitdir", Kind.READ_ONLY)
                .containsEntry("main/vendor/lib/.git", Kind.READ_ONLY)
                .containsEntry("main/.git/modules/vendor/lib/hooks", Kind.READ_ONLY)
                .containsEntry("main/.git/modules/vendor/lib/config", Kind.READ_ONLY)
                .containsEntry("main/.git/modules/vendor", Kind.PIN);
        assertThat(Workspaces.placeholders(plan)).contains("main/.git/modules/vendor/lib/commondir");
    }

    @Test
    void a_worktree_of_a_repository_outside_says_that_git_does_not_work_there()
            throws IOException, InterruptedException {
        here().write("side/.git", "gitdir: /elsewhere/.git/worktrees/side\n");

        var plan = here().scan();

        assertThat(Workspaces.masks(plan)).containsEntry("side/.git", Kind.READ_ONLY);
        assertThat(Workspaces.lines(plan.notices()))
                .containsExactly(
                        "side/.git: its git folder lies outside of the workspace, and the cage does not have it: git does not"
                                + " work there");
    }

    @Test
    void a_worktree_configuration_is_held_free_also_where_git_would_not_read_it_yet()
            throws IOException, InterruptedException {
        here().git("", "init", "-q", "a");
        here().git("a", "config", "extensions.worktreeConfig", "true");
        here().git("", "init", "-q", "b");

        assertThat(Workspaces.placeholders(here().scan())).contains("a/.git/config.worktree", "b/.git/config.worktree");
    }

    @Test
    void B105_each_kind_of_object_under_a_protected_name_gets_the_mask_that_fits()
            throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().write(".claude/settings.json", "{}");
        here().write(".mcp.json", "{}");
        here().write("shared/zed/settings.json", "{}");
        here().link(".zed", "shared/zed");
        new ProcessBuilder("mkfifo", here().workspace().resolve(".envrc").toString())
                .start()
                .waitFor();
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(here().workspace().resolve(".cursor")));

            var plan = here().scan();

            assertThat(Workspaces.masks(plan))
                    .containsEntry(".claude", Kind.READ_ONLY)
                    .containsEntry(".mcp.json", Kind.READ_ONLY)
                    .containsEntry(".zed", Kind.PIN)
                    .containsEntry("shared/zed", Kind.READ_ONLY)
                    .containsEntry("shared", Kind.PIN)
                    .containsEntry(".envrc", Kind.HIDDEN)
                    .containsEntry(".cursor", Kind.HIDDEN)
                    .containsEntry(".vscode", Kind.READ_ONLY);
            assertThat(Workspaces.placeholders(plan)).contains(".vscode").doesNotContain(".envrc", ".zed", ".claude");
        }
    }

    @Test
    void B105_hooks_that_are_a_link_to_a_folder_of_the_workspace_are_fixed_at_both_ends()
            throws IOException, InterruptedException {
        here().git("", "init", "-q");
        Files.move(here().workspace().resolve(".git/hooks"), here().workspace().resolve("hooks"));
        here().link(".git/hooks", "../hooks");

        assertThat(Workspaces.masks(here().scan()))
                .containsEntry(".git/hooks", Kind.PIN)
                .containsEntry("hooks", Kind.READ_ONLY);
    }

    @Test
    void B104_links_loops_and_three_thousand_env_files_are_planned_quickly_and_without_failure()
            throws IOException, InterruptedException {
        here().write("real/.env", "x");
        here().link("link", "real");
        here().link("a", "b");
        here().link("b", "a");
        here().link("root", "/");
        here().link("sub/.env", "loop");
        here().link("sub/loop", ".env");
        for (int i = 0; i < 3000; i++) {
            here().write("many/" + i / 100 + "/" + i + "/.env", "x");
        }

        var started = System.nanoTime();
        var plan = here().scan(".env");
        var seconds = (System.nanoTime() - started) / 1_000_000_000;

        assertThat(Workspaces.masks(plan))
                .containsEntry("real/.env", Kind.HIDDEN)
                .containsEntry("sub/.env", Kind.PIN)
                .doesNotContainKeys("link", "a", "b", "root");
        assertThat(plan.masks().stream().filter(mask -> mask.kind() == Kind.HIDDEN))
                .hasSize(3001);
        assertThat(Workspaces.lines(plan.notices()))
                .singleElement()
                .asString()
                .contains("is a protected name and a link that leads out of the workspace or nowhere");
        assertThat(seconds).as("seconds for 6,000 entries").isLessThan(20);
    }

    @Test
    void the_scan_says_where_it_stopped() throws IOException, InterruptedException {
        var deep = new StringBuilder();
        for (int i = 0; i < WorkspaceScan.DEPTH_LIMIT + 2; i++) {
            deep.append("d/");
        }
        here().write(deep + ".env", "x");

        var plan = here().scan(".env");

        assertThat(plan.complete()).isFalse();
        assertThat(plan.notices())
                .singleElement()
                .satisfies(notice -> assertThat(notice.sentence())
                        .startsWith("is deeper than 64 directories: what is below was not looked at"));
    }

    @Test
    void what_lies_in_node_modules_is_not_looked_at_and_what_lies_beside_it_is()
            throws IOException, InterruptedException {
        here().write("node_modules/x/.env", "x");
        here().write("node_modules_x/.env", "x");

        assertThat(Workspaces.masks(here().scan(".env")))
                .containsEntry("node_modules_x/.env", Kind.HIDDEN)
                .doesNotContainKey("node_modules/x/.env");
    }

    @Test
    void a_workspace_that_is_the_home_directory_protects_the_tools_of_the_person()
            throws IOException, InterruptedException {
        Files.createDirectories(here().home().resolve(".ssh"));
        Files.writeString(here().home().resolve(".bashrc"), "");
        Files.createDirectories(here().home().resolve(".config/gh"));
        Files.writeString(here().home().resolve(".npmrc"), "registry=https://r.test/");

        var plan = ProtectionPlan.scan(new ProtectionRequest(here().home(), here().home(), Set.of(), List.of()));

        assertThat(Workspaces.masks(plan))
                .containsEntry(".ssh", Kind.HIDDEN)
                .containsEntry(".bashrc", Kind.READ_ONLY)
                .containsEntry(".config", Kind.PIN)
                .containsEntry(".config/gh", Kind.HIDDEN)
                .containsEntry(".npmrc", Kind.HIDDEN);
        assertThat(Workspaces.placeholders(plan))
                .contains(".profile", ".zshrc", ".aws", ".config/fish", ".docker", ".gitconfig")
                .doesNotContain(".bashrc", ".config");
    }

    @Test
    void a_workspace_above_the_home_directory_protects_it_in_its_place() throws IOException, InterruptedException {
        Files.writeString(here().home().resolve(".bashrc"), "");

        var plan = ProtectionPlan.scan(
                new ProtectionRequest(here().home().resolve("..").toRealPath(), here().home(), Set.of(), List.of()));

        assertThat(Workspaces.masks(plan)).containsEntry("ada", Kind.PIN).containsEntry("ada/.bashrc", Kind.READ_ONLY);
        assertThat(Workspaces.placeholders(plan)).contains("ada/.aws").doesNotContain(".aws");
    }

    @Test
    void a_dotfile_farm_has_the_files_behind_the_links_of_the_home_fixed_and_no_link_followed_outside()
            throws IOException, InterruptedException {
        here().write("bash/bashrc", "");
        Files.createSymbolicLink(
                here().home().resolve(".bashrc"), here().workspace().resolve("bash/bashrc"));
        Files.createDirectories(folder.resolve("store/claude"));
        here().link(".claude", folder.resolve("store/claude").toString());
        here().link(".vscode", "../store/absent");

        var plan = here().scan();

        assertThat(Workspaces.masks(plan))
                .containsEntry("bash/bashrc", Kind.READ_ONLY)
                .containsEntry("bash", Kind.PIN)
                .containsEntry(".claude", Kind.PIN)
                .containsEntry(".vscode", Kind.PIN);
        assertThat(Workspaces.lines(plan.notices()))
                .hasSize(2)
                .anyMatch(line -> line.startsWith(".claude: is a protected name and a link that leads out"));
    }

    @Test
    void a_project_keeps_its_npmrc_unless_a_real_token_is_in_it() throws IOException, InterruptedException {
        here().write(".npmrc", "registry=https://r.test/\n//r.test/:_authToken=${NPM_TOKEN}\n");
        var plain = Workspaces.masks(here().scan());
        here().write(".npmrc", "//r.test/:_authToken=npm_0123456789\n");
        var secret = Workspaces.masks(here().scan());

        assertThat(plain).doesNotContainKey(".npmrc");
        assertThat(secret).containsEntry(".npmrc", Kind.HIDDEN);
    }

    @Test
    void sockets_anywhere_vanish_and_a_waiver_lets_them_be() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Files.createDirectories(here().workspace().resolve("run"));
            socket.bind(UnixDomainSocketAddress.of(here().workspace().resolve("run/agent.sock")));
            daemon.bind(UnixDomainSocketAddress.of(here().workspace().resolve(".git/fsmonitor--daemon.ipc")));

            assertThat(Workspaces.masks(here().scan()))
                    .containsEntry("run/agent.sock", Kind.HIDDEN)
                    .containsEntry(".git/fsmonitor--daemon.ipc", Kind.HIDDEN);
            assertThat(Workspaces.masks(waiving("sockets")))
                    .doesNotContainKeys("run/agent.sock", ".git/fsmonitor--daemon.ipc");
        }
    }

    @Test
    void a_secret_inside_agent_configuration_is_hidden_inside_what_is_read_only()
            throws IOException, InterruptedException {
        here().write(".claude/.env", "x");
        here().write(".claude/sub/.claude/x", "x");

        assertThat(Workspaces.masks(here().scan(".env")))
                .containsEntry(".claude", Kind.READ_ONLY)
                .containsEntry(".claude/.env", Kind.HIDDEN)
                .doesNotContainKeys(".claude/sub", ".claude/sub/.claude");
    }

    @Test
    void B126_names_that_are_not_text_are_masked_by_their_bytes() throws IOException, InterruptedException {
        byte[] odd = {'b', '\n', 'c', (byte) 0xff, '\\', '\r'};
        var root = here().workspace();
        var path = new TreePath(new String(odd, StandardCharsets.ISO_8859_1)).on(root);
        Files.createDirectory(path);
        Files.writeString(path.resolve(".env"), "x");

        var plan = here().scan(".env");

        assertThat(plan.masks())
                .anySatisfy(mask -> assertThat(mask.path().toByteArray()).startsWith(odd));
        assertThat(Workspaces.masks(plan)).containsEntry("b\nc\u00ff\\\r/.env", Kind.HIDDEN);
        assertThat(plan.notices()).isEmpty();
    }

    @Test
    void other_names_of_a_protected_file_are_protected_too() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        Files.createLink(
                here().workspace().resolve("settings"), here().workspace().resolve(".git/config"));
        here().write(".git/hooks/pre-commit", "");
        here().write("src/plain", "");
        Files.createLink(
                here().workspace().resolve("src/hook"), here().workspace().resolve(".git/hooks/pre-commit"));

        assertThat(Workspaces.masks(here().scan()))
                .containsEntry("settings", Kind.READ_ONLY)
                .containsEntry("src/hook", Kind.READ_ONLY)
                .containsEntry("src", Kind.PIN)
                .doesNotContainKey("src/plain");
    }

    @Test
    void repositories_of_mercurial_and_jujutsu_have_their_configuration_fixed() throws IOException {
        here().write("a/.hg/hgrc", "[hooks]\n");
        here().write("b/.hg/store/x", "");
        here().write("c/.jj/repo/config.toml", "");

        var plan = here().scan();

        assertThat(Workspaces.masks(plan))
                .containsEntry("a/.hg/hgrc", Kind.READ_ONLY)
                .containsEntry("a/.hg", Kind.PIN)
                .containsEntry("c/.jj/repo/config.toml", Kind.READ_ONLY);
        assertThat(Workspaces.placeholders(plan)).contains("b/.hg/hgrc");
    }

    @Test
    void a_workspace_inside_what_the_persons_tools_obey_is_told() throws IOException {
        var inside = Files.createDirectories(here().home().resolve(".config/nvim/lua"));

        var plan = ProtectionPlan.scan(new ProtectionRequest(inside, here().home(), Set.of(), List.of()));

        assertThat(Workspaces.lines(plan.notices()))
                .containsExactly(".: lies in " + here().home() + "/.config/nvim, which tools of yours obey: its content"
                        + " cannot be protected from a workload in it");
    }

    @Test
    void hide_patterns_fit_whole_names_and_paths() throws IOException, InterruptedException {
        here().write("config/prod/deep/key.pem", "x");
        here().write("config/key.pem", "x");
        here().write("other/key.pem", "x");
        here().write("x.env", "x");
        here().write(".environment", "x");

        var masks = Workspaces.masks(here().scan("config/**/*.pem", ".env"));

        assertThat(masks)
                .containsEntry("config/prod/deep/key.pem", Kind.HIDDEN)
                .containsEntry("config/key.pem", Kind.HIDDEN)
                .doesNotContainKeys("other/key.pem", "x.env", ".environment");
        assertThatThrownBy(() -> here().scan("../x"))
                .hasMessage("hide pattern: ../x (expected: like *.pem or config/**/key)");
    }

    @Test
    void an_unreadable_workspace_is_refused() {
        var request = new ProtectionRequest(folder.resolve("absent"), folder, Set.of(), List.of());

        assertThatThrownBy(() -> ProtectionPlan.scan(request)).isInstanceOf(IOException.class);
    }

    @Test
    void the_same_workspace_gives_the_same_plan() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().write("z/.env", "");
        here().write("a/.env", "");

        assertThat(here().scan(".env").masks()).isEqualTo(here().scan(".env").masks());
        assertThat(Map.copyOf(Workspaces.masks(here().scan(".env")))).isNotEmpty();
    }

    @Test
    void names_that_are_asked_for_one_by_one_are_found_like_those_of_a_list() throws IOException, InterruptedException {
        here().write(".vscode/tasks.json", "{}");
        here().write(".config/git/config", "");
        here().write(".npmrc", "//registry/:_authToken=abcdefgh\n");
        here().write(".roo/rules", "");
        var listed = here().scan();

        here().write("\u00e9", "a name that may be the same as another to some file system");
        var asked = here().scan();

        assertThat(Workspaces.masks(asked))
                .containsEntry(".vscode", Kind.READ_ONLY)
                .containsEntry(".config/git", Kind.READ_ONLY)
                .containsEntry(".npmrc", Kind.HIDDEN)
                .containsEntry(".roo", Kind.READ_ONLY)
                .isEqualTo(Workspaces.masks(listed));
        assertThat(Workspaces.placeholders(asked)).isEqualTo(Workspaces.placeholders(listed));
    }

    @Test
    void a_list_of_names_lacks_only_what_nobody_could_take_for_one_of_them() throws IOException {
        Files.createDirectory(folder.resolve(".VSCode"));

        var names = FixedNames.NamesAtTop.of(folder);

        assertThat(names.lack(".vscode/tasks.json")).isFalse();
        assertThat(names.lack(".envrc")).isTrue();
        assertThat(names.lack("")).isFalse();
        assertThat(FixedNames.NamesAtTop.of(folder.resolve("missing")).lack(".envrc"))
                .isFalse();
    }
}
