package dev.cagewright.supervisor.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The real git in a real cage whose workspace is a linked worktree: its repository lies beside it.
class LinkedWorktreeRunTest {
    private static final String WORKSPACE = "fs: {mounts: [{path: /workspace, mode: rw}]}\n";

    @TempDir
    private Path folder;

    private Path main = Path.of("/");
    private Path linked = Path.of("/");

    @BeforeEach
    void worktrees() throws IOException, InterruptedException {
        main = here().repository("main");
        linked = main.resolveSibling("linked");
        git(main, "worktree", "add", "-q", linked.toString(), "-b", "side");
        git(main, "worktree", "add", "-q", main.resolveSibling("other").toString(), "-b", "other");
        Files.writeString(main.resolve(".git/info/exclude"), "/run.py\n");
        Files.writeString(main.resolve("of-main"), "not yours\n");
        git(main, "pack-refs");
    }

    private GitCage here() {
        return new GitCage(folder);
    }

    private String git(Path where, String... arguments) throws IOException, InterruptedException {
        return here().git(where, arguments);
    }

    private GitCage.Said cage(String script) throws Exception {
        return here().run(linked, WORKSPACE, script);
    }

    private List<String> inCommon() throws IOException {
        try (var names = Files.walk(main.resolve(".git"))) {
            return names.map(name -> main.relativize(name).toString())
                    .filter(name -> !name.contains("/objects/") && !name.contains("/refs/") && !name.contains("/logs/"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void git_works_and_what_it_did_is_there_on_the_host() throws Exception {
        var said = cage("""
                set -e
                git status -s; echo two > two; git add two; git commit -q -m second; git log --format=%s; git worktree list
                git branch gone; git branch -q -D gone; git branch kept; git tag v1; git tag -d v1; git branch -m kept renamed
                git switch -q -c topic HEAD~1; echo three > three; git add three; git commit -q -m third; git rebase -q side
                echo x >> file; git stash -q; git stash pop -q; git commit -q -a -m fourth; git switch -q side
                git merge -q --no-ff -m merged topic; git revert --no-edit -m 1 HEAD; git reset -q --hard HEAD~1; git fsck
                git bisect start HEAD HEAD~2; git bisect reset; git notes add -m note; git fetch -q . main:fetched
                """);
        assertThat(said.outcome().exit().status()).as(said.text()).isZero();
        assertThat(said.text()).contains(main + " ", linked + " ").doesNotContain("Read-only");
        assertThat(git(main, "log", "--first-parent", "--format=%s", "side")).isEqualTo("merged\nsecond\nfirst\n");
        assertThat(git(main, "branch", "--format=%(refname:short)"))
                .isEqualTo("fetched\nmain\nother\nrenamed\nside\ntopic\n");
        assertThat(git(linked, "status", "-s")).isEmpty();
        assertThat(git(main, "fsck")).doesNotContain("error");
    }

    @Test
    void settings_go_by_a_copy_and_the_harmless_ones_reach_the_repository() throws Exception {
        var before = inCommon();
        var said = cage("""
                git remote add origin https://example.com/a.git; git config core.fsmonitor 'touch pwned'
                git config core.hooksPath hooks; git config core.editor y; git config extensions.worktreeConfig true
                git config --worktree core.editor x; git status -s
                """);
        assertThat(git(main, "config", "remote.origin.url")).isEqualTo("https://example.com/a.git\n");
        assertThat(main.resolve(".git/config")).content().doesNotContain("fsmonitor", "hooksPath", "editor");
        assertThat(said.afterwards())
                .contains(main
                        + "/.git/config: took over extensions.worktreeconfig, remote.origin.fetch, remote.origin.url")
                .anyMatch(line -> line.startsWith(main + "/.git/config: not taken over: core.fsmonitor"))
                .anyMatch(line ->
                        line.startsWith(main + "/.git/worktrees/linked/config.worktree: not taken over: core.editor"));
        assertThat(inCommon()).isEqualTo(before);
    }

    @Test
    void nothing_else_of_the_repository_can_be_written_and_other_worktrees_cannot_be_seen() throws Exception {
        var before = inCommon();
        var said = cage("""
                G=$(git rev-parse --git-common-dir)
                for f in HEAD index hooks/pre-commit info/attributes commondir config.worktree rebase-merge FETCH_HEAD \\
                    worktrees/other/HEAD worktrees/other/config.worktree worktrees/new worktrees/linked/commondir \\
                    worktrees/linked/gitdir modules branches/x remotes; do
                  (echo evil > $G/$f) 2>&1 && echo "wrote $f"
                done
                rm $G/config; rm -r $G/hooks; mv $G/refs $G/r; mv $G/worktrees/linked $G/worktrees/l
                mv $G/worktrees/linked/commondir $G/worktrees/linked/c; ln -s x $G/worktrees/linked/gitdir
                echo evil > .git && echo wrote .git; ls $(dirname $G); ls $(dirname $G)/../other
                """);
        assertThat(said.text())
                .doesNotContain("wrote", "of-main")
                .contains(
                        "hooks/pre-commit: Read-only file system", "worktrees/new: Read-only file system", "../other");
        assertThat(inCommon()).isEqualTo(before);
        assertThat(git(main, "status", "-s")).isEqualTo("?? of-main\n");
        assertThat(git(main.resolveSibling("other"), "status", "-s")).isEmpty();
    }

    @Test
    void what_the_host_replaces_meanwhile_does_not_become_writable() throws Exception {
        var said = cageWith("""
                touch ready; n=0; while [ ! -e done ] && [ $n -lt 600 ]; do sleep 0.05; n=$((n+1)); done
                G=$(git rev-parse --git-common-dir); git log --format=%s -1; git branch --list mine
                [ -L $G/config ] || echo replaced; [ -L $G/packed-refs ] || echo packed
                for f in config index HEAD packed-refs; do (echo evil >> $G/$f) 2>&1 && echo "wrote $f"; done; rm ready done
                """);
        assertThat(said.text()).startsWith("first\n  mine\nreplaced\npacked\n").doesNotContain("wrote");
        assertThat(git(main, "config", "pull.rebase")).isEqualTo("true\n");
    }

    private void awaitReady() throws IOException, InterruptedException {
        try (var watch = linked.getFileSystem().newWatchService()) {
            linked.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            while (Files.notExists(linked.resolve("ready"))) {
                var seen = watch.poll(30, TimeUnit.SECONDS);
                if (seen == null) {
                    throw new IOException("the cage never got ready");
                }
                seen.reset();
            }
        }
    }

    /// The host's git at work in the main worktree while the cage runs.
    private GitCage.Said cageWith(String script) throws Exception {
        var host = Thread.ofVirtual().start(() -> {
            try {
                awaitReady();
                git(main, "config", "pull.rebase", "true");
                git(main, "branch", "mine");
                git(main, "switch", "-q", "-c", "elsewhere");
                git(main, "pack-refs", "--all");
                Files.writeString(linked.resolve("done"), "");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        var said = cage(script);
        host.join();
        return said;
    }

    @Test
    void references_that_are_packed_are_deleted_and_packed_where_the_cage_says_so() throws Exception {
        git(main, "branch", "old");
        git(main, "branch", "kept");
        git(main, "tag", "-a", "-m", "annotated", "v1");
        git(main, "pack-refs", "--all");
        var said = cage("git branch -q -D old && git branch loose && git pack-refs --all && git branch --list");
        assertThat(said.text()).contains("loose", "kept").doesNotContain("old");
        assertThat(git(main, "for-each-ref", "--format=%(refname:short)"))
                .isEqualTo("kept\nloose\nmain\nother\nside\nv1\n");
        assertThat(git(main, "rev-parse", "v1^{}")).isEqualTo(git(main, "rev-parse", "main"));
        assertThat(git(main, "fsck")).doesNotContain("error");
    }

    @Test
    void where_nothing_is_packed_yet_references_can_be_deleted_too() throws Exception {
        Files.delete(main.resolve(".git/packed-refs"));
        var said = cage(
                "set -e; git branch gone; git branch -q -D gone; git commit -q --allow-empty -m two; git rebase -q main");
        assertThat(said.outcome().exit().status()).as(said.text()).isZero();
        assertThat(git(main, "for-each-ref", "--format=%(refname:short)")).isEqualTo("main\nother\nside\n");
    }

    @Test
    void hooks_in_the_worktree_that_the_repository_names_are_fixed() throws Exception {
        git(main, "config", "core.hooksPath", ".githooks");
        Files.createDirectory(linked.resolve(".githooks"));
        Files.writeString(linked.resolve("near"), "");
        var said = cage("(echo evil > .githooks/pre-commit) 2>&1; mv .githooks g; echo fine > near && echo near");
        assertThat(said.text()).contains("Read-only file system", "near\n");
        assertThat(linked.resolve(".githooks")).isEmptyDirectory();
    }

    @Test
    void a_new_submodule_is_disarmed() throws Exception {
        var said = cage("""
                G=$(git rev-parse --git-dir); mkdir -p $G/modules/s; cd $G/modules/s; git init -q --bare .
                git config core.fsmonitor 'touch pwned'; echo evil > hooks/post-checkout; chmod 755 hooks/post-checkout
                """);
        var module = main.resolve(".git/worktrees/linked/modules/s");
        assertThat(said.afterwards())
                .as(said.text())
                .anyMatch(line -> line.startsWith(module + ": is a new repository; taken out of it: "));
        assertThat(module.resolve("config")).content().doesNotContain("fsmonitor");
        assertThat(module.resolve("hooks/post-checkout")).doesNotExist();
    }

    @Test
    void in_a_session_copy_git_reads_the_repository_and_writes_nothing_to_it() throws Exception {
        var before = inCommon();
        var copy = "fs: {mounts: [{path: /workspace, mode: rw, source: session-copy}]}\n";
        var said = here().run(linked, copy, """
                git log --format=%s; echo x > file; git status -s; git commit -q -a -m no; git branch no
                """);
        assertThat(said.text()).startsWith("first\n M file\n").contains("index.lock': Read-only file system");
        assertThat(said.outcome().exit().status()).isEqualTo(128);
        assertThat(said.outcome().notices())
                .anyMatch(line -> line.startsWith(".git: git can read the repository of this worktree"));
        assertThat(git(main, "branch", "--list", "no")).isEmpty();
        assertThat(linked.resolve("file")).hasContent("one\n");
        assertThat(inCommon()).isEqualTo(before);
    }

    @Test
    void where_the_workspace_is_only_read_nothing_of_the_repository_is_written() throws Exception {
        var before = inCommon();
        here().run(linked, "fs: {mounts: [{path: /workspace, mode: ro}]}\n", """
                G=$(sed 's/gitdir: //' .git); echo x > $G/HEAD; echo x > $G/../../refs/heads/new; git commit --allow-empty -m no
                """);
        assertThat(git(main, "branch", "--list", "new")).isEmpty();
        assertThat(git(main, "log", "--format=%s", "side")).isEqualTo("first\n");
        assertThat(inCommon()).isEqualTo(before);
    }

    @Test
    void a_file_that_names_what_is_not_its_own_mounts_nothing() throws Exception {
        var keys = Files.createDirectory(folder.resolve("keys"));
        Files.writeString(keys.resolve("id"), "key\n");
        Files.writeString(linked.resolve(".git"), "gitdir: " + keys + "\n");
        var outcome = here().outcome(linked, WORKSPACE, "cat " + keys + "/id; git status");
        assertThat(outcome.text()).isEmpty();
        assertThat(outcome.outcome())
                .isInstanceOfSatisfying(
                        RunOutcome.NoCage.class,
                        none -> assertThat(none.cause())
                                .hasMessage("repository: .git of the workspace names " + keys
                                        + ": which is no folder of git's")
                                .satisfies(why -> assertThat(none.cause().remedy())
                                        .contains("git worktree repair", "remove it")));
    }
}
