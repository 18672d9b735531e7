package dev.cagewright.supervisor.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files as git lays them out, and as somebody else may.
class LinkedWorktreeTest {
    @TempDir
    private Path folder;

    private Path workspace = Path.of("/");
    private Path common = Path.of("/");
    private Path admin = Path.of("/");

    @BeforeEach
    void layout() throws IOException {
        var top = folder.toRealPath();
        workspace = Files.createDirectory(top.resolve("w"));
        common = repository(top.resolve("main/.git"));
        admin = Files.createDirectories(common.resolve("worktrees/w"));
        Files.writeString(admin.resolve("commondir"), "../..\n");
        Files.writeString(admin.resolve("gitdir"), workspace + "/.git\n");
        pointer(admin.toString());
    }

    private static Path repository(Path at) throws IOException {
        Files.createDirectories(at.resolve("objects"));
        Files.createDirectory(at.resolve("refs"));
        Files.writeString(at.resolve("HEAD"), "ref: refs/heads/main\n");
        return at;
    }

    private void pointer(String named) throws IOException {
        Files.writeString(workspace.resolve(".git"), "gitdir: " + named + "\n");
    }

    private Optional<LinkedWorktree> found() throws ConfinementException {
        return LinkedWorktree.of(HostDirectory.open(ByteString.of(workspace.toString()), Access.READ_WRITE));
    }

    private void assertRefused(Path named, String why) {
        assertThatThrownBy(this::found)
                .isInstanceOf(ConfinementException.class)
                .hasMessage("repository: .git of the workspace names " + named + ": which " + why);
    }

    @Test
    void the_two_files_that_name_each_other_are_believed() throws Exception {
        assertThat(found().map(LinkedWorktree::repository)).contains(common);
    }

    @Test
    void they_may_name_each_other_from_where_they_are() throws Exception {
        pointer("../main/.git/worktrees/w");
        Files.writeString(admin.resolve("gitdir"), "../../../../w/.git\n");
        assertThat(found().map(LinkedWorktree::repository)).contains(common);
    }

    @Test
    void a_worktree_of_another_place_is_not_believed() throws Exception {
        Files.writeString(admin.resolve("gitdir"), "/elsewhere/.git\n");
        assertRefused(admin, "is of another worktree, /elsewhere/.git");
        Files.delete(admin.resolve("gitdir"));
        assertRefused(admin, "is of another worktree, which it does not name");
    }

    @Test
    void a_folder_that_is_no_repositorys_is_not_believed() throws Exception {
        var keys = Files.createDirectory(folder.toRealPath().resolve("keys"));
        pointer(keys.toString());
        assertRefused(keys, "is no folder of git's");
        pointer(keys + "/absent");
        assertRefused(keys.resolve("absent"), "is no folder of git's");
        var like = Files.createDirectories(keys.resolve("worktrees/w"));
        Files.writeString(like.resolve("commondir"), "../..\n");
        Files.writeString(like.resolve("gitdir"), workspace + "/.git\n");
        pointer(like.toString());
        assertRefused(like, "lies in no repository");
    }

    @Test
    void another_common_folder_is_not_believed() throws Exception {
        Files.writeString(admin.resolve("commondir"), "/etc\n");
        assertRefused(admin, "does not say that it is of " + common);
    }

    @Test
    void a_link_on_the_way_is_not_followed() throws Exception {
        var link = Files.createSymbolicLink(folder.toRealPath().resolve("link"), common);
        pointer(link + "/worktrees/w");
        assertRefused(link.resolve("worktrees/w"), "has a link in its path");
        pointer(admin.toString());
        Files.move(admin, common.resolve("moved"));
        Files.createSymbolicLink(admin, common.resolve("moved"));
        assertRefused(admin, "has a link in its path");
    }

    @Test
    void objects_that_are_a_link_make_no_repository() throws Exception {
        Files.delete(common.resolve("objects"));
        Files.createSymbolicLink(common.resolve("objects"), folder);
        assertRefused(admin, "lies in no repository");
    }

    @Test
    void a_repository_that_only_is_elsewhere_as_a_submodules_is_stays_outside() throws Exception {
        pointer(repository(common.resolve("modules/sub")).toString());
        assertThat(found()).isEmpty();
        pointer(common.toString());
        assertThat(found()).isEmpty();
    }

    @Test
    void a_folder_in_the_workspace_itself_and_files_of_another_kind_are_none_of_it() throws Exception {
        for (String text :
                new String[] {"gitdir: sub/.git/worktrees/w\n", "", "gitdir:", "nonsense\n", "gitdir: a\0b\n"}) {
            Files.writeString(workspace.resolve(".git"), text);
            assertThat(found()).as(text).isEmpty();
        }
        Files.delete(workspace.resolve(".git"));
        assertThat(found()).isEmpty();
        Files.createSymbolicLink(workspace.resolve(".git"), admin);
        assertThat(found()).isEmpty();
    }

    @Test
    void a_worktree_in_the_folder_of_its_own_repository_stays_without_it() throws Exception {
        workspace = Files.createDirectory(common.resolve("inside"));
        Files.writeString(admin.resolve("gitdir"), workspace + "/.git\n");
        pointer(admin.toString());
        assertThat(found()).isEmpty();
    }
}
