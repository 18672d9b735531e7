package dev.cagewright.sandbox.protect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.protect.Placeholder.Filler;
import dev.cagewright.sandbox.protect.PlaceholderLedger.Line;
import dev.cagewright.sandbox.protect.PlaceholderLedger.Owner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlaceholdersTest {
    @TempDir
    private Path folder;

    private Workspaces here() {
        return new Workspaces(folder);
    }

    private Placeholders placeholders() {
        return new Placeholders(folder.resolve("state/placeholders"));
    }

    private Path at(String path) throws IOException {
        return here().workspace().resolve(path);
    }

    @Test
    void B114_absent_names_are_held_free_while_the_session_lasts_and_nothing_is_left() throws IOException {
        here().write("src/a.txt", "a");
        var before = here().inventory();
        var plan = here().scan();

        var held = placeholders().create("s-1", plan);

        assertThat(held.refused()).isEmpty();
        assertThat(held.masks()).isEqualTo(plan.masks());
        assertThat(at(".claude")).isEmptyDirectory();
        assertThat(at(".envrc")).isEmptyDirectory();
        assertThat(placeholders().remove("s-1")).isEmpty();
        assertThat(here().inventory()).isEqualTo(before);
    }

    @Test
    void B114_git_works_and_sees_nothing_while_placeholders_stand() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        here().git("", "config", "extensions.worktreeConfig", "true");
        here().write("a.txt", "a");
        here().git("", "add", "-A");
        here().git("", "commit", "-qm", "a");
        Files.delete(at(".git/hooks/pre-commit.sample"));
        var before = here().inventory();

        placeholders().create("s-1", here().scan());

        assertThat(at(".git/commondir")).hasContent(".\n");
        assertThat(at(".git/config.worktree")).isEmptyFile();
        assertThat(here().git("", "status", "--porcelain", "--ignored")).isEmpty();
        assertThat(here().git("", "log", "--oneline")).contains(" a");
        here().git("", "branch", "other");
        here().git("", "branch", "-d", "other");
        here().git("", "fsck", "--strict");
        placeholders().remove("s-1");
        var after = here().inventory();
        after.keySet().removeIf(name -> !before.containsKey(name));
        assertThat(here().inventory().keySet().stream().filter(name -> !name.contains("/.git/")))
                .isEqualTo(before.keySet().stream()
                        .filter(name -> !name.contains("/.git/"))
                        .toList());
        assertThat(at(".git/commondir")).doesNotExist();
        assertThat(at(".git/config.worktree")).doesNotExist();
    }

    @Test
    void without_the_placeholder_a_common_directory_would_hand_git_to_the_workload()
            throws IOException, InterruptedException {
        here().git("", "init", "-q", "a");
        here().git("", "init", "-q", "evil");
        here().git("evil", "config", "alias.x", "!echo pwned");

        Files.writeString(at("a/.git/commondir"), "../../evil/.git\n");
        var unprotected = here().git("a", "config", "--get", "alias.x");
        Files.delete(at("a/.git/commondir"));
        placeholders().create("s-1", here().scan());

        assertThat(unprotected).isEqualTo("!echo pwned\n");
        assertThatThrownBy(() -> here().git("a", "config", "--get", "alias.x")).hasMessageContaining(": 1");
        placeholders().remove("s-1");
    }

    @Test
    void two_sessions_share_placeholders_and_the_last_one_removes_them() throws IOException {
        var before = here().inventory();
        placeholders().create("s-1", here().scan());
        var second = placeholders().create("s-2", here().scan());

        placeholders().remove("s-1");

        assertThat(second.refused()).isEmpty();
        assertThat(at(".claude")).isEmptyDirectory();
        placeholders().remove("s-2");
        assertThat(here().inventory()).isEqualTo(before);
    }

    @Test
    void a_home_whose_parts_are_missing_is_shared_at_the_same_place() throws IOException {
        var request = new ProtectionRequest(here().home(), here().home(), Set.of(), List.of());
        placeholders().create("s-1", ProtectionPlan.scan(request));
        var second = placeholders().create("s-2", ProtectionPlan.scan(request));

        assertThat(second.refused()).isEmpty();
        placeholders().remove("s-1");
        placeholders().remove("s-2");

        assertThat(here().home()).isEmptyDirectory();
    }

    @Test
    void what_a_killed_process_left_is_removed_by_the_next_one() throws IOException {
        var before = here().inventory();
        placeholders().create("s-1", here().scan());
        pretendThatTheOwnerDied();

        var notices = placeholders().recover();

        assertThat(notices).isEmpty();
        assertThat(here().inventory()).isEqualTo(before);
    }

    @Test
    void B204_a_ledger_that_was_cut_anywhere_is_an_error_and_never_a_shorter_one() throws IOException {
        placeholders().create("s-1", here().scan());
        var file = folder.resolve("state/placeholders/placeholders");
        var whole = Files.readAllBytes(file);
        for (int size = 0; size < whole.length; size++) {
            Files.write(file, Arrays.copyOf(whole, size));
            assertThatThrownBy(() -> placeholders().recover())
                    .as(size + " of " + whole.length + " bytes")
                    .hasMessageEndingWith("look at it and delete it");
        }
        Files.write(file, whole);
        placeholders().remove("s-1");
        assertThat(here().workspace()).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", ".\n"})
    void a_file_that_was_only_begun_when_its_maker_was_killed_is_removed(String written)
            throws IOException, InterruptedException {
        here().git("", "init", "-q");
        var before = here().inventory();
        placeholders().create("s-1", here().scan());
        Files.writeString(here().workspace().resolve(".git/commondir"), written);
        pretendThatTheOwnerDied();

        assertThat(placeholders().recover()).isEmpty();
        assertThat(here().inventory()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", ".\n.", "\n"})
    void a_file_that_holds_anything_else_stays(String written) throws IOException, InterruptedException {
        here().git("", "init", "-q");
        placeholders().create("s-1", here().scan());
        Files.writeString(here().workspace().resolve(".git/commondir"), written);
        pretendThatTheOwnerDied();

        assertThat(placeholders().recover()).hasSize(1);
        assertThat(here().workspace().resolve(".git/commondir")).hasContent(written);
    }

    @Test
    void a_crash_between_the_ledger_and_the_first_placeholder_leaves_nothing_to_trip_over() throws IOException {
        var dead = new Owner(1, 1);
        var workspace = ByteString.of(here().workspace().toString());
        try (var ledger = PlaceholderLedger.open(folder.resolve("state/placeholders"))) {
            ledger.write(List.of(
                    new Line("s-1", dead, workspace, ByteString.of(".claude"), Filler.DIRECTORY),
                    new Line("s-1", dead, ByteString.of("/no/such/place"), ByteString.of("x"), Filler.DIRECTORY)));
        }

        assertThat(placeholders().recover()).isEmpty();
        assertThat(placeholders().create("s-2", here().scan()).refused()).isEmpty();
        placeholders().remove("s-2");
        assertThat(here().workspace()).isEmptyDirectory();
    }

    private void pretendThatTheOwnerDied() throws IOException {
        try (var ledger = PlaceholderLedger.open(folder.resolve("state/placeholders"))) {
            var lines = ledger.lines().stream()
                    .map(line -> new Line(
                            line.session(),
                            new Owner(line.owner().pid(), line.owner().started() - 1),
                            line.workspace(),
                            line.path(),
                            line.filler()))
                    .toList();
            ledger.write(lines);
        }
    }

    @Test
    void what_a_person_put_into_a_placeholder_stays_and_is_told() throws IOException, InterruptedException {
        here().git("", "init", "-q");
        placeholders().create("s-1", here().scan());
        Files.writeString(at(".vscode/settings.json"), "{}");
        Files.writeString(at(".git/commondir"), "somewhere\n");
        Files.delete(at(".idea"));
        Files.writeString(at(".idea"), "a file of mine");

        var notices = placeholders().remove("s-1");

        assertThat(Workspaces.lines(notices))
                .containsExactlyInAnyOrder(
                        ".vscode: was held free and somebody outside of the cage filled it meanwhile: left as it is",
                        ".git/commondir: was held free and somebody outside of the cage filled it meanwhile: left as it"
                                + " is",
                        ".idea: was held free and somebody outside of the cage filled it meanwhile: left as it is");
        assertThat(at(".vscode/settings.json")).hasContent("{}");
        assertThat(at(".idea")).hasContent("a file of mine");
    }

    @Test
    void an_empty_folder_of_the_person_is_masked_but_never_removed() throws IOException {
        Files.createDirectory(at(".vscode"));

        var held = placeholders().create("s-1", here().scan());
        placeholders().remove("s-1");

        assertThat(held.standing()).noneMatch(one -> one.path().equals(ByteString.of(".vscode")));
        assertThat(held.masks()).anyMatch(mask -> mask.path().equals(ByteString.of(".vscode")));
        assertThat(at(".vscode")).isEmptyDirectory();
    }

    @Test
    void a_name_that_comes_into_being_between_plan_and_creation_is_refused_with_its_mask() throws IOException {
        var plan = here().scan();
        here().link(".claude", "elsewhere");
        here().write(".envrc", "touch /tmp/x");

        var held = placeholders().create("s-1", plan);

        // Both exist now, so they are no longer absent names: nothing is made, and nothing is taken away.
        assertThat(held.standing()).extracting(one -> one.path().latin1()).doesNotContain(".claude", ".envrc");
        placeholders().remove("s-1");
        assertThat(at(".envrc")).hasContent("touch /tmp/x");
        assertThat(Files.isSymbolicLink(at(".claude"))).isTrue();
    }

    @Test
    void B126_names_that_are_not_text_are_remembered_by_their_bytes() throws IOException {
        byte[] odd = {'b', '\n', 'c', (byte) 0xff, '\r'};
        var name = new String(odd, StandardCharsets.ISO_8859_1);
        Files.createDirectory(new TreePath(name).on(here().workspace()));
        var workspace = new TreePath(name).on(here().workspace());
        var request = new ProtectionRequest(workspace, here().home(), Set.of(), List.of());
        placeholders().create("s-1", ProtectionPlan.scan(request));
        assertThat(workspace.resolve(".claude")).isEmptyDirectory();
        pretendThatTheOwnerDied();

        placeholders().recover();

        assertThat(workspace).isEmptyDirectory();
    }

    @Test
    void sessions_that_come_and_go_at_the_same_time_never_take_each_others_placeholders()
            throws IOException, InterruptedException, ExecutionException {
        var before = here().inventory();
        var keeper = placeholders().create("keeper", here().scan());
        try (var pool = Executors.newFixedThreadPool(4)) {
            var rounds = new ArrayList<Future<Boolean>>();
            for (int i = 0; i < 24; i++) {
                var session = "s-" + i;
                Callable<Boolean> round = () -> {
                    var held = placeholders().create(session, here().scan());
                    boolean all = held.standing().size() == keeper.standing().size();
                    placeholders().remove(session);
                    return all;
                };
                rounds.add(pool.submit(round));
            }
            for (Future<Boolean> round : rounds) {
                assertThat(round.get()).isTrue();
            }
        }
        assertThat(at(".claude")).isEmptyDirectory();
        placeholders().remove("keeper");
        assertThat(here().inventory()).isEqualTo(before);
    }

    @Test
    void a_damaged_ledger_stops_everything_before_a_placeholder_stands() throws IOException {
        Files.createDirectories(folder.resolve("state/placeholders"));
        Files.writeString(folder.resolve("state/placeholders/placeholders"), "no ledger at all");

        assertThatThrownBy(() -> placeholders().create("s-1", here().scan()))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("placeholders: not a list of placeholders; look at it and delete it");
        assertThat(here().workspace()).isEmptyDirectory();
    }
}
