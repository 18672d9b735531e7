package dev.cagewright.supervisor.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.copy.Mechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChangeSetTest {
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    Path temp;

    private CopiedTree tree(Mechanism mechanism) throws IOException, InterruptedException {
        return new CopiedTree(temp, mechanism).onHost("""
                        mkdir -p src/deep gone; printf abc > src/a; echo b > src/deep/b; echo c > gone/c
                        echo one > one; echo two > two; chmod 755 two; ln -s one link; echo k > kept
                        """).begins();
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAY", "COPY"})
    void what_a_workload_did_is_found(Mechanism mechanism) throws IOException, InterruptedException {
        var tree = tree(mechanism).inCopy("""
                        printf abcd > src/a; rm -r gone; chmod 644 two; ln -sfn two link
                        mkdir new; printf abc > new/n; mv one uno; mkfifo pipe; rm src/deep/b
                        """);

        assertThat(tree.lines())
                .containsExactly(
                        "D gone",
                        "D gone/c",
                        "M link",
                        "A new",
                        "A new/n",
                        "D one",
                        "A pipe",
                        "M src/a",
                        "D src/deep/b",
                        "P two",
                        "A uno");
        assertThat(tree.changes().isComplete()).isTrue();
        assertThat(tree.changes().changes().get(4))
                .isInstanceOfSatisfying(
                        Change.Added.class, added -> assertThat(added.after()).isEqualTo(new Node.File(0644, 3, ABC)));
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAY", "COPY"})
    void what_was_opened_touched_or_written_anew_with_the_same_bytes_is_no_change(Mechanism mechanism)
            throws IOException, InterruptedException {
        var tree = tree(mechanism)
                .inCopy("touch kept; : >> one; printf abc > src/a; mv two t; mv t two; rm link; ln -s one link");

        assertThat(tree.lines()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAY", "COPY"})
    void a_directory_made_anew_hides_what_was_in_the_old_one(Mechanism mechanism)
            throws IOException, InterruptedException {
        var tree = tree(mechanism).inCopy("rm -r src; mkdir -p src/deep; echo n > src/deep/n; echo b > src/deep/c");

        assertThat(tree.lines()).containsExactly("D src/a", "D src/deep/b", "A src/deep/c", "A src/deep/n");
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAY", "COPY"})
    void a_file_that_became_a_directory_goes_and_comes(Mechanism mechanism) throws IOException, InterruptedException {
        var tree = tree(mechanism).inCopy("rm one; mkdir one; echo x > one/x; rm -r gone; echo f > gone");

        assertThat(tree.lines()).containsExactly("D gone", "A gone", "D gone/c", "D one", "A one", "A one/x");
    }

    @Test
    void what_the_host_did_meanwhile_is_a_conflict_and_its_twin_is_none() throws IOException, InterruptedException {
        var tree = tree(Mechanism.OVERLAY)
                .inCopy("echo cage >> one; echo cage >> two; echo cage >> kept; rm src/a; echo new > both")
                .onHost("echo person >> one; rm kept; echo person > src/a; echo person > both");

        assertThat(tree.lines()).containsExactly("M! both", "A! kept", "M! one", "D! src/a", "M two");
    }

    @Test
    void names_are_bytes() throws IOException, InterruptedException {
        var tree = tree(Mechanism.OVERLAY).inCopy("""
                printf x > "$(printf 'a\\nb')"; printf x > "$(printf 'bad\\377')"; printf x > --help; printf x > ' lead'
                """);

        assertThat(tree.lines()).containsExactly("A  lead", "A --help", "A a\\nb", "A bad\\xff");
        assertThat(tree.changes().changes().getLast().path().bytes())
                .isEqualTo(ByteString.copyOf(new byte[] {'b', 'a', 'd', (byte) 0xff}));
    }

    @Test
    void what_the_product_held_free_is_no_change_of_the_workload() throws IOException, InterruptedException {
        var tree = tree(Mechanism.OVERLAY).inCopy("mkdir .vscode .vscode2");

        assertThat(ChangeSet.of(tree.copy(List.of(ByteString.of(".vscode")))).differences())
                .extracting(CopiedTree::line)
                .containsExactly("A .vscode2");
    }

    @Test
    void what_its_owner_may_not_read_is_read_and_keeps_its_mode() throws IOException, InterruptedException {
        var tree = tree(Mechanism.OVERLAY)
                .inCopy(
                        "mkdir shut; printf abc > shut/f; chmod 000 shut/f shut; printf abc > closed; chmod 000 closed");

        assertThat(tree.lines()).containsExactly("A closed", "A shut", "A shut/f");
        assertThat(tree.changes().isComplete()).isTrue();
        assertThat(Files.getPosixFilePermissions(tree.session().resolve("copy/upper/closed")))
                .isEmpty();
        assertThat(tree.changes().changes().getFirst())
                .isEqualTo(new Change.Added(tree.changes().changes().getFirst().path(), new Node.File(0, 3, ABC)));
    }

    @Test
    void a_whiteout_that_is_an_attribute_counts_in_an_overlay_and_not_in_a_copy()
            throws IOException, InterruptedException {
        var overlay = tree(Mechanism.OVERLAY);
        var mark = "import os; open('one','w').close(); os.setxattr('one', 'user.overlay.whiteout', b'y')";
        CopiedTree.run(List.of("python3", "-c", mark), overlay.session().resolve("copy/upper"));

        assertThat(overlay.lines()).containsExactly("D one");
    }

    @Test
    void another_directory_under_the_same_name_is_refused() throws IOException, InterruptedException {
        var tree = tree(Mechanism.OVERLAY).inCopy("echo x > x");
        var copy = tree.copy();
        Files.move(tree.host(), temp.resolve("away"));
        Files.createDirectory(tree.host());

        assertThatThrownBy(() -> ChangeSet.of(copy))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another directory stands there");
    }

    @Test
    void a_tree_too_deep_for_a_path_is_named_and_the_rest_is_found() throws IOException, InterruptedException {
        var tree = tree(Mechanism.OVERLAY)
                .inCopy(
                        "echo x > x; python3 -c \"import os\nfor i in range(600): os.mkdir('ten-bytes-'); os.chdir('ten-bytes-')\"");

        var changes = tree.changes();
        assertThat(changes.isComplete()).isFalse();
        assertThat(changes.missed()).singleElement().asString().endsWith("too deep to be looked into");
        assertThat(changes.changes().getLast().path()).hasToString("x");
        CopiedTree.run(List.of("rm", "-rf", "session/copy/upper"), temp);
    }
}
