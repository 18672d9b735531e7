package dev.cagewright.supervisor.changes.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.changes.CopiedTree;
import dev.cagewright.supervisor.changes.Discard;
import dev.cagewright.supervisor.copy.Bases;
import dev.cagewright.supervisor.copy.Mechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Files that the host and the workload both changed.
final class MergedChangesTest {
    private static final String BEFORE = "mkdir d; seq 9 > d/text; seq 9 > same; printf 'a\\0b' > binary; seq 9 > gone";
    private static final String IN_CAGE = """
            sed -i 's/^8$/cage/' d/text; sed -i 's/^5$/cage/' same; printf 'a\\0c' > binary; sed -i 's/^5$/cage/' gone
            """;
    private static final String MEANWHILE = """
            sed -i 's/^2$/host/' d/text; sed -i 's/^5$/host/' same; printf 'a\\0d' > binary; rm gone
            """;

    @TempDir
    private Path temp;

    private CopiedTree both(Mechanism mechanism) throws IOException, InterruptedException {
        var tree = new CopiedTree(Files.createDirectory(temp.resolve("tree")), mechanism)
                .onHost(BEFORE)
                .begins()
                .inCopy(IN_CAGE);
        new Bases(tree.copy()).keep();
        return tree.onHost(MEANWHILE);
    }

    private static Application.Result apply(CopiedTree tree, String... marked) throws IOException {
        var paths = new HashSet<RelativePath>();
        for (String path : marked) {
            paths.add(new RelativePath(ByteString.of(path)));
        }
        var home = new ApplyRequest.Home(tree.session().resolve("home"), List.of());
        var request = new ApplyRequest(tree.copy(), List.of(RelativePath.TOP), Set.of(), paths, Set.of(), home);
        return new Application(request.copy()).carryOut(Application.plan(request));
    }

    private static List<String> kept(Application.Result result) {
        return result.kept().stream()
                .map(step -> step.path() + ": "
                        + step.refusal().map(Step.Refusal::sentence).orElse(""))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"OVERLAY", "COPY"})
    void changes_of_different_lines_come_together_and_the_others_are_conflicts(Mechanism mechanism)
            throws IOException, InterruptedException {
        var tree = both(mechanism);

        var result = apply(tree);

        assertThat(kept(result)).noneMatch(line -> line.startsWith("d/text"));
        assertThat(tree.host().resolve("d/text")).hasContent("1\nhost\n3\n4\n5\n6\n7\ncage\n9\n");
        assertThat(result.done()).extracting(Step::content).contains(Step.Content.MERGED);
        assertThat(kept(result))
                .contains(
                        "binary: the host changed it after the run began; --force binary overwrites that",
                        "same: the host changed it after the run began, in the same lines; --force same overwrites that,"
                                + " --markers same writes both");
        assertThat(tree.host().resolve("same")).content().contains("host").doesNotContain("cage", "<<<<");
        assertThat(tree.host().resolve("binary")).hasBinaryContent(new byte[] {'a', 0, 'd'});
        assertThat(tree.changes().differences())
                .extracting(one -> one.path().toString())
                .doesNotContain("d/text");
    }

    @Test
    void marks_are_written_where_they_are_asked_for() throws IOException, InterruptedException {
        var tree = both(Mechanism.OVERLAY);

        apply(tree, "same");

        var lines = "1 2 3 4 <<<<<<<_host host |||||||_before_the_run 5 ======= cage >>>>>>>_cage 6 7 8 9";
        assertThat(Files.readAllLines(tree.host().resolve("same")))
                .extracting(line -> line.replace(' ', '_'))
                .containsExactly(lines.split(" ", -1));
    }

    @Test
    void what_the_host_changed_first_has_no_base_and_stays_a_conflict() throws IOException, InterruptedException {
        var tree = new CopiedTree(Files.createDirectory(temp.resolve("tree")), Mechanism.OVERLAY)
                .onHost(BEFORE)
                .begins()
                .onHost(MEANWHILE)
                .inCopy("sed -i 's/^8$/cage/' d/text");
        new Bases(tree.copy()).keep();

        assertThat(kept(apply(tree)))
                .containsExactly("d/text: the host changed it after the run began; --force d/text overwrites that");
    }

    @Test
    void a_second_round_counts_from_what_the_first_brought_over() throws IOException, InterruptedException {
        var tree = both(Mechanism.OVERLAY);
        apply(tree);
        tree.inCopy("sed -i 's/^9$/later/' d/text").onHost("sed -i 's/^1$/mine/' d/text");

        apply(tree);

        assertThat(tree.host().resolve("d/text")).hasContent("mine\nhost\n3\n4\n5\n6\n7\ncage\nlater\n");
    }

    @Test
    void the_bases_go_with_the_copy_and_are_nobody_elses() throws IOException, InterruptedException {
        var tree = both(Mechanism.OVERLAY);
        var bases = tree.copy().folder().resolveSibling("base-copy");
        assertThat(bases).isDirectory();
        assertThat(Files.getPosixFilePermissions(bases)).hasSize(3);
        Discard.all(tree.session());
        assertThat(bases).doesNotExist();
    }
}
