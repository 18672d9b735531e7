package dev.cagewright.supervisor.changes.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.CopiedTree;
import dev.cagewright.supervisor.copy.Mechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The plan beside a copy, and what its last lines say of an application that came to its end and of one that did not.
class ApplyJournalTest {
    private static final String INTERRUPTED = "an application was interrupted before it had come to its end";

    @TempDir
    private Path temp;

    private CopiedTree tree() throws IOException, InterruptedException {
        return new CopiedTree(temp, Mechanism.COPY)
                .onHost("echo 1 > a; echo 1 > b")
                .begins()
                .inCopy("echo two > a; rm b; echo n > c");
    }

    private Path file() {
        return temp.resolve("session/copy/apply.jsonl");
    }

    private static ApplyRequest request(CopiedTree tree) throws IOException {
        return new ApplyRequest(
                tree.copy(),
                List.of(RelativePath.TOP),
                Set.of(),
                Set.of(),
                new ApplyRequest.Home(tree.session().resolve("home"), List.of()));
    }

    /// The end of a process in the middle of it.
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private static Application.Result apply(CopiedTree tree, HostWriter.Moments moments) throws IOException {
        return new Application(tree.copy(), moments).carryOut(Application.plan(request(tree)));
    }

    /// What stands on disk when the process ends at `moment`.
    private byte[] plan(CopiedTree tree, String moment) throws IOException {
        assertThatThrownBy(() -> apply(tree, passed -> {
                    if (passed.equals(moment)) {
                        throw new Killed();
                    }
                }))
                .isInstanceOf(Killed.class);
        return Files.readAllBytes(file());
    }

    @Test
    void B204_a_plan_that_was_cut_anywhere_is_an_error_and_never_a_smaller_plan()
            throws IOException, InterruptedException {
        var tree = tree();
        var whole = plan(tree, "plan written");
        assertThat(new String(whole, UTF_8)).endsWith("{\"acts\":3}\n");
        for (int length = 0; length < whole.length - 1; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> new Application(tree.copy()).recover())
                    .as("%d bytes", length)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file() + ": ")
                    .hasMessageContaining("look for names that begin with .cagewright-");
            assertThat(file()).exists();
        }
        Files.write(file(), whole);
        assertThat(new Application(tree.copy()).recover()).containsExactly(INTERRUPTED);
    }

    @Test
    void one_that_had_come_to_its_end_is_not_told_as_interrupted() throws IOException, InterruptedException {
        var tree = tree();
        var plan = plan(tree, "all done");
        var mark = "{\"end\":true}\n";

        Files.write(file(), (new String(plan, UTF_8) + mark).getBytes(UTF_8));
        assertThat(new Application(tree.copy()).recover()).isEmpty();
        assertThat(file()).doesNotExist();
    }

    @Test
    void one_whose_mark_was_cut_counts_as_interrupted_and_is_finished() throws IOException, InterruptedException {
        var tree = tree();
        var plan = plan(tree, "all done");

        for (String mark : List.of("", "{", "{\"end\":tru")) {
            Files.write(file(), (new String(plan, UTF_8) + mark).getBytes(UTF_8));
            assertThat(new Application(tree.copy()).recover()).containsExactly(INTERRUPTED);
            assertThat(file()).doesNotExist();
        }
        assertThat(apply(tree, _ -> {}).done()).isEmpty();
    }

    @Test
    void a_plan_that_cannot_be_removed_is_told_and_what_was_done_stands() throws IOException, InterruptedException {
        var tree = tree();
        var result = apply(tree, passed -> {
            if (passed.equals("all done")) {
                file().toFile().delete();
                assertThat(file().resolve("in-the-way").toFile().mkdirs()).isTrue();
            }
        });

        assertThat(result.done()).hasSize(3);
        assertThat(result.notes())
                .singleElement()
                .asString()
                .startsWith("everything was done, and its plan could not be removed (");
        assertThat(tree.host().resolve("a")).hasContent("two");
    }
}
