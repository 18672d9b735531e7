package dev.cagewright.sandbox.protect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.protect.AfterRun.Finding;
import dev.cagewright.sandbox.protect.AfterRun.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AfterRunTest {
    @TempDir
    private Path folder;

    private Workspaces here() {
        return new Workspaces(folder);
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /// Plans, holds free, lets `work` happen as a workload without masks would, cleans up, reports.
    private AfterRun after(Work work) throws IOException, InterruptedException {
        var placeholders = new Placeholders(folder.resolve("state/placeholders"));
        var plan = here().scan();
        var started = Instant.now();
        var held = placeholders.create("s-1", plan);
        work.run();
        placeholders.remove("s-1");
        return AfterRun.report(plan, held, started, folder.resolve("state/quarantine"));
    }

    private static List<String> lines(AfterRun report, Kind kind) {
        return report.findings().stream()
                .filter(finding -> finding.kind() == kind)
                .map(Finding::line)
                .toList();
    }

    @Test
    void a_run_that_changes_nothing_reports_nothing() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().write("Makefile", "all:\n");
        Files.setLastModifiedTime(here().write("old.sh", ""), FileTime.fromMillis(0));
        here().write("src/a.c", "int main;");
        waitForTheNextTick();

        var report = after(() -> {});

        assertThat(report.findings()).isEmpty();
        assertThat(report.changedExecutables()).isZero();
        assertThat(report.complete()).isTrue();
    }

    /// Until a new file is younger than those before by more than the clock's grain.
    private void waitForTheNextTick() throws IOException {
        var goal = Instant.now().plusMillis(100);
        while (Instant.now().isBefore(goal)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void B114_a_protected_name_that_came_into_being_anyway_is_moved_away_whole()
            throws IOException, InterruptedException {
        var report = after(() -> {
            here().write("opencode.json", "{}");
            here().write(".devcontainer/devcontainer.json", "{}");
        });

        assertThat(lines(report, Kind.QUARANTINED))
                .containsExactly(
                        ".devcontainer: was absent and protected and came into being during the run: moved to "
                                + folder.resolve("state/quarantine/1"),
                        "opencode.json: was absent and protected and came into being during the run: moved to "
                                + folder.resolve("state/quarantine/2"));
        assertThat(here().workspace()).isEmptyDirectory();
        assertThat(folder.resolve("state/quarantine/1/devcontainer.json")).hasContent("{}");
        assertThat(folder.resolve("state/quarantine/list")).hasContent("1\t.devcontainer\n2\topencode.json\n");
    }

    @Test
    void the_quarantine_may_be_on_another_file_system() throws IOException {
        var elsewhere = Files.createTempDirectory(Path.of("/dev/shm"), "quarantine");
        var plan = here().scan();
        var held = new Placeholders.Held("s-1", List.of(), List.of(), List.of());
        here().write(".devcontainer/a/devcontainer.json", "{}");
        here().link(".devcontainer/link", "/etc/passwd");

        var report = AfterRun.report(plan, held, Instant.now(), elsewhere.resolve("q"));

        assertThat(lines(report, Kind.QUARANTINED)).hasSize(1);
        assertThat(here().workspace()).isEmptyDirectory();
        assertThat(elsewhere.resolve("q/1/a/devcontainer.json")).hasContent("{}");
        assertThat(Files.readSymbolicLink(elsewhere.resolve("q/1/link"))).isEqualTo(Path.of("/etc/passwd"));
        try (var walk = Files.walk(elsewhere)) {
            for (Path path : walk.toList().reversed()) {
                Files.delete(path);
            }
        }
    }

    @Test
    void B110_a_new_repository_that_would_start_something_is_disarmed_and_told_and_a_plain_one_is_not()
            throws IOException, InterruptedException {
        var report = after(() -> {
            here().git("", "init", "-q", "plain");
            here().git("", "init", "-q", "evil");
            here().git("evil", "config", "core.fsmonitor", "touch /tmp/pwned");
            here().git("evil", "config", "filter.x.clean", "sh -c evil");
            here().write("evil/.git/hooks/post-checkout", "#!/bin/sh\n");
            here().git("", "init", "-q", "--bare", "deep/bare");
            here().git("deep/bare", "config", "core.sshCommand", "evil");
        });

        assertThat(lines(report, Kind.REPOSITORY))
                .containsExactlyInAnyOrder(
                        "evil/.git: is a new repository; taken out of it: the hook post-checkout (now"
                                + " post-checkout.taken-out), core.fsmonitor = touch /tmp/pwned,"
                                + " filter.x.clean = sh -c evil",
                        "deep/bare: is a new repository; taken out of it: core.sshcommand = evil");
        assertThat(here().workspace().resolve("evil/.git/hooks/post-checkout")).doesNotExist();
        assertThat(Files.readString(here().workspace().resolve("evil/.git/config")))
                .contains("repositoryformatversion = 0", "bare = false")
                .doesNotContain("fsmonitor", "filter");
        here().git("evil", "status");
        here().git("deep/bare", "log", "--all");
    }

    @Test
    void what_git_init_would_keep_is_told_where_a_run_left_it_and_not_where_it_stood_before()
            throws IOException, InterruptedException {
        here().write("old/.git/hooks/pre-commit", "#!/bin/sh\n");
        waitForTheNextTick();

        var report = after(() -> {
            here().write("new/.git/hooks/post-checkout", "#!/bin/sh\n");
            here().write("set/.git/config", "[core]\n\tfsmonitor = evil\n");
            here().write("none/.git/description", "nothing\n");
        });

        assertThat(lines(report, Kind.REPOSITORY))
                .containsExactlyInAnyOrder(
                        "new/.git: is a repository in which git would start the hook post-checkout;"
                                + " look at it before you run git there",
                        "set/.git: is a repository in which git would start core.fsmonitor = evil;"
                                + " look at it before you run git there");
    }

    @Test
    void a_submodule_or_worktree_that_is_new_is_disarmed_and_those_of_before_stay_as_they_were()
            throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().git("", "init", "-q", "--bare", ".git/modules/old");
        here().write(".git/modules/old/hooks/post-checkout", "#!/bin/sh\n");
        here().git("", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
        here().git("", "worktree", "add", "-q", "kept");
        here().write(".git/worktrees/kept/config.worktree", "[core]\n\teditor = mine\n");

        var report = after(() -> {
            here().git("", "init", "-q", "--bare", ".git/modules/deep/new");
            here().git(".git/modules/deep/new", "config", "core.fsmonitor", "evil");
            here().git(".git/modules/deep/new", "config", "core.worktree", "../../../../sub");
            here().write(".git/modules/deep/new/hooks/post-index-change", "#!/bin/sh\n");
            here().git("", "worktree", "add", "-q", "fresh");
            here().write(".git/worktrees/fresh/config.worktree", "[core]\n\tpager = evil\n\tsparseCheckout = true\n");
            here().git("", "init", "-q", "--bare", ".git/modules/out");
            here().git(".git/modules/out", "config", "core.worktree", "../../../..");
            here().write(".git/modules/out/commondir", "/tmp\n");
        });

        assertThat(lines(report, Kind.REPOSITORY))
                .containsExactlyInAnyOrder(
                        ".git/modules/deep/new: is a new repository; taken out of it: the hook post-index-change (now"
                                + " post-index-change.taken-out), core.fsmonitor = evil",
                        ".git/modules/out: is a new repository; taken out of it: core.worktree = ../../../..,"
                                + " commondir (now commondir.taken-out)",
                        ".git/worktrees/fresh: is a new repository; taken out of it: core.pager = evil");
        var git = here().workspace().resolve(".git");
        assertThat(git.resolve("modules/old/hooks/post-checkout")).exists();
        assertThat(git.resolve("worktrees/kept/config.worktree")).content().contains("mine");
        assertThat(git.resolve("worktrees/fresh/config.worktree"))
                .content()
                .contains("sparseCheckout = true")
                .doesNotContain("pager");
    }

    @Test
    void three_names_of_a_repository_hide_nothing() throws IOException, InterruptedException {
        var report = after(() -> {
            here().write("HEAD", "x");
            here().write("objects/x", "x");
            here().write("refs/x", "x");
            here().write("Makefile", "all:");
            here().write("sub/conftest.py", "x");
            here().write("side/.git", "gitdir: /elsewhere/.git\n");
        });

        assertThat(lines(report, Kind.RUNS_BY_ITSELF))
                .containsExactly(
                        "Makefile: was made or changed: make runs it",
                        "sub/conftest.py: was made or changed: pip, pytest and their kin run it");
        assertThat(lines(report, Kind.REPOSITORY))
                .containsExactly("side/.git: is new and sends git out of the workspace, to /elsewhere/.git");
    }

    @Test
    void a_repository_that_was_there_before_is_not_new() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().git("", "config", "core.editor", "vi");

        assertThat(lines(after(() -> {}), Kind.REPOSITORY)).isEmpty();
    }

    @Test
    void set_id_bits_are_taken_away_and_the_other_bits_stay() throws IOException, InterruptedException {
        var report = after(() -> {
            var file = here().write("tool", "x");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
            Files.setAttribute(file, "unix:mode", 04751);
        });

        assertThat(lines(report, Kind.SET_ID_REMOVED)).containsExactly("tool: had a set-id bit, which was taken away");
        var mode = (Integer)
                Files.getAttribute(here().workspace().resolve("tool"), "unix:mode", LinkOption.NOFOLLOW_LINKS);
        assertThat(mode & 07777).isEqualTo(0751);
    }

    @Test
    void B113_files_that_tools_run_by_themselves_are_told_when_changed() throws IOException, InterruptedException {
        var report = after(() -> {
            here().write("sub/Makefile", "all:\n\ttouch /tmp/pwned\n");
            here().write(".husky/pre-commit", "touch /tmp/pwned");
            here().write(".pre-commit-config.yaml", "");
            here().write("Makefile.am", "");
        });

        assertThat(lines(report, Kind.RUNS_BY_ITSELF))
                .containsExactlyInAnyOrder(
                        "sub/Makefile: was made or changed: make runs it",
                        ".husky/pre-commit: was made or changed: git and its hook managers run it",
                        ".pre-commit-config.yaml: was made or changed: git and its hook managers run it");
    }

    @Test
    void executables_are_counted_and_listed() throws IOException, InterruptedException {
        var report = after(() -> {
            for (int i = 0; i < 30; i++) {
                Files.setPosixFilePermissions(
                        here().write("bin/" + i, ""), PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            here().write("plain.txt", "");
        });

        assertThat(report.changedExecutables()).isEqualTo(30);
        assertThat(lines(report, Kind.EXECUTABLE)).hasSize(30);
    }

    @Test
    void a_link_out_of_the_workspace_is_not_followed() throws IOException, InterruptedException {
        var outside = Files.createDirectory(folder.resolve("outside"));
        var tool = Files.writeString(outside.resolve("tool"), "");
        Files.setAttribute(tool, "unix:mode", 04755);

        var report = after(() -> {
            here().link("link", outside.toString());
            here().link("tool", tool.toString());
        });

        assertThat(report.findings()).isEmpty();
        assertThat((Integer) Files.getAttribute(tool, "unix:mode") & 07777).isEqualTo(04755);
    }

    @Test
    void names_that_are_not_text_are_told_escaped() throws IOException, InterruptedException {
        var report = after(() -> {
            var path = new TreePath("a\n\u00ff").on(here().workspace());
            Files.writeString(path, "");
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        });

        assertThat(lines(report, Kind.EXECUTABLE))
                .containsExactly("a\\x0a\\xff: is executable and was made or changed");
    }
}
