package dev.cagewright.supervisor.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The real git in a real cage, in a repository of the host.
class GitRunTest {
    private static final String WORKSPACE = "fs: {mounts: [{path: /workspace, mode: rw}]}\n";
    private static final String COPY = "fs: {mounts: [{path: /workspace, mode: rw, source: session-copy}]}\n";

    @TempDir
    private Path folder;

    private Path workspace = Path.of("/");
    private Path state = Path.of("/");

    @BeforeEach
    void repository() throws IOException, InterruptedException {
        workspace = here().repository("workspace");
        state = here().state();
        Files.writeString(workspace.resolve(".git/info/exclude"), "/run.py\n");
    }

    private GitCage here() {
        return new GitCage(folder);
    }

    private String git(Path where, String... arguments) throws IOException, InterruptedException {
        return here().git(where, arguments);
    }

    private GitCage.Said cage(String policy, String script) throws Exception {
        return here().run(workspace, policy, script);
    }

    private String config() throws IOException {
        return Files.readString(workspace.resolve(".git/config"));
    }

    private List<String> inGit() throws IOException {
        try (var names = Files.list(workspace.resolve(".git"))) {
            return names.map(name -> String.valueOf(name.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_remote_and_a_push_with_upstream_work_and_come_to_the_host() throws Exception {
        var bare = folder.resolve("bare.git");
        git(folder, "init", "-q", "--bare", bare.toString());
        var before = inGit();
        var policy =
                "fs: {mounts: [{path: /workspace, mode: rw}, {path: " + bare + ", mode: rw, source: " + bare + "}]}\n";
        var said = cage(
                policy,
                "git remote add origin https://example.com/a.git && git remote set-url --push origin " + bare
                        + " && git push -q -u origin main && git config pull.rebase true && git status -sb");
        assertThat(said.text()).contains("## main...origin/main");
        assertThat(git(bare, "log", "--format=%s", "main")).isEqualTo("first\n");
        assertThat(git(workspace, "config", "--get-regexp", "^(remote|branch|pull)"))
                .contains(
                        "remote.origin.url https://example.com/a.git", "branch.main.remote origin", "pull.rebase true")
                .doesNotContain("pushurl");
        assertThat(said.afterwards())
                .anyMatch(line -> line.startsWith(".git/config: took over branch.main.merge, branch.main.remote"))
                .anyMatch(line -> line.startsWith(".git/config: not taken over: remote.origin.pushurl")
                        && line.contains("a push would run its hooks"));
        assertThat(inGit()).containsExactlyElementsOf(before);
        assertThat(state.resolveSibling("state-homes")).isEmptyDirectory();
    }

    @Test
    void settings_that_start_something_work_in_the_cage_and_never_reach_the_host() throws Exception {
        var before = config();
        var said = cage(WORKSPACE, """
                git config core.hooksPath hooks; git config core.fsmonitor 'touch pwned'; git config alias.x '!echo aliased'
                git config core.sshCommand x; git config filter.f.smudge x; git config include.path ../evil
                git config remote.origin.url 'ext::sh -c x'; git config submodule.s.update '!x'; git config core.pager x
                git config diff.d.textconv x; git config credential.helper '!x'; git config core.worktree /tmp
                git config url.ext::x.insteadOf https://; git x; cp .git/config .git/other && mv .git/other .git/config
                echo '[core]' > .git/hooks/pre-commit; echo evil > .git/commondir; rm -f .git/config; ls -l .git/config
                """);
        assertThat(said.text())
                .contains(
                        "aliased", "pre-commit: Read-only file system", ".git/config -> /run/cagewright/git/0/config");
        assertThat(config()).isEqualTo(before);
        assertThat(said.afterwards())
                .anyMatch(line -> line.contains("core.hookspath = hooks: is not one of the settings"))
                .anyMatch(
                        line -> line.contains("remote.origin.url = ext::sh -c x: git would start a transport helper"));
        git(workspace, "status");
        assertThat(workspace.resolve("pwned")).doesNotExist();
    }

    @Test
    void commit_rebase_stash_worktree_sparse_checkout_and_gc_work() throws Exception {
        var said = cage(WORKSPACE, """
                set -e
                git switch -q -c work; echo two > two; git add two; git commit -q -m second
                git switch -q main; echo three > three; git add three; git commit -q -m third
                git switch -q work; git rebase -q main; echo x >> file; git stash -q; git stash pop -q; git commit -q -a -m fourth
                git worktree add -q linked -b side; cd linked; echo in > in; git add in; git commit -q -m linked
                git config user.name Linked; cd ..; git branch -q -u main; git branch -m work done; git gc -q; git fsck
                mkdir d; echo d > d/d; git add d; git commit -q -m dir; git sparse-checkout set d; ls; git log --format=%s -1 side
                """);
        assertThat(said.outcome().exit().status()).as(said.text()).isZero();
        assertThat(git(workspace, "log", "--format=%s", "done")).isEqualTo("dir\nfourth\nsecond\nthird\nfirst\n");
        assertThat(git(workspace, "config", "user.name")).isEqualTo("Linked\n");
        assertThat(git(workspace, "config", "core.sparseCheckout")).isEqualTo("true\n");
        assertThat(git(workspace, "rev-parse", "--abbrev-ref", "done@{upstream}"))
                .isEqualTo("main\n");
    }

    @Test
    void the_host_may_change_the_file_meanwhile_and_a_locked_one_is_told() throws Exception {
        Files.writeString(workspace.resolve(".git/config.lock"), "");
        var before = config();
        var said = cage(WORKSPACE, "git config pull.rebase true");
        assertThat(said.afterwards())
                .anyMatch(line ->
                        line.startsWith(".git/config: what the workload changed in its copy could not be taken over: ")
                                && line.contains("config.lock stands there"));
        assertThat(config()).isEqualTo(before);
        assertThat(workspace.resolve(".git/config.lock")).exists();
        Files.delete(workspace.resolve(".git/config.lock"));
        assertThat(cage(WORKSPACE, "git config pull.rebase true").afterwards())
                .contains(".git/config: took over pull.rebase");
    }

    @Test
    void a_copy_that_is_no_file_any_more_changes_nothing() throws Exception {
        var before = config();
        for (String script : List.of(
                "rm /run/cagewright/git/0/config",
                "cd /run/cagewright/git/0 && rm config && ln -s /etc/passwd config",
                "cd /run/cagewright/git/0 && rm config && mkfifo config",
                "cd /run/cagewright/git && mv 0 1 && ln -s /etc 0",
                "printf '[core]\\n\\tx = \\\\q' > /run/cagewright/git/0/config",
                "head -c 2000000 /dev/zero > /run/cagewright/git/0/config")) {
            cage(WORKSPACE, script);
            assertThat(config()).as(script).isEqualTo(before);
        }
    }

    @Test
    void in_a_copy_the_settings_are_changes_like_any_other() throws Exception {
        var before = config();
        var said = cage(COPY, "git remote add origin https://example.com/a.git; git config core.editor x");
        assertThat(config()).isEqualTo(before);
        var upper = SessionCopy.all(state.resolve("s")).getFirst().upper();
        assertThat(upper.resolve(".git/config"))
                .isRegularFile()
                .content()
                .contains("url = https://example.com/a.git")
                .doesNotContain("editor");
        assertThat(said.afterwards()).contains(".git/config: took over remote.origin.fetch, remote.origin.url");
        assertThat(Files.isSymbolicLink(upper.resolve(".git/config"))).isFalse();
        assertThat(Files.exists(workspace.resolve(".git/config.worktree"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }
}
