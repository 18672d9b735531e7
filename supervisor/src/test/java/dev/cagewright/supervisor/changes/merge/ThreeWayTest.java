package dev.cagewright.supervisor.changes.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreeWayTest {
    @TempDir
    private Path temp;

    private static ThreeWay merge(String base, String host, String cage) {
        return ThreeWay.of(bytes(base), bytes(host), bytes(cage));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ThreeWay merge) {
        return new String(merge.text(), StandardCharsets.UTF_8);
    }

    @Test
    void changes_of_different_lines_are_both_there() {
        var merge = merge("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\nf\n", "a\nb\nC\nd\ne\n");
        assertThat(merge.isClean()).isTrue();
        assertThat(text(merge)).isEqualTo("A\nb\nC\nd\ne\nf\n");
    }

    @Test
    void the_same_change_on_both_sides_is_one() {
        assertThat(text(merge("a\nb\n", "a\nx\n", "a\nx\n"))).isEqualTo("a\nx\n");
    }

    @Test
    void changes_of_one_line_clash_and_so_do_changes_that_touch() {
        var merge = merge("a\nb\nc\n", "a\nhost\nc\n", "a\ncage\nc");
        assertThat(merge.isClean()).isFalse();
        assertThat(text(merge))
                .isEqualTo("a\n<<<<<<< host\nhost\nc\n||||||| before the run\nb\nc\n=======\ncage\nc\n>>>>>>> cage\n");
        assertThat(merge("a\nb\n", "A\nb\n", "a\nB\n").isClean()).isFalse();
        assertThat(merge("a\nb\nc\n", "a\nb\nx\nc\n", "a\nb\ny\nc\n").isClean()).isFalse();
    }

    @Test
    void what_one_deleted_and_the_other_changed_clashes() {
        var merge = merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n");
        assertThat(merge.clashes()).hasSize(1);
        assertThat(merge.clashes().getFirst().host()).isEmpty();
    }

    @Test
    void one_side_alone_is_that_side_and_the_last_line_may_have_no_end() {
        assertThat(text(merge("", "", "new"))).isEqualTo("new");
        assertThat(text(merge("a", "a\n", "a"))).isEqualTo("a\n");
        assertThat(text(merge("a\nb", "a\nb", ""))).isEmpty();
    }

    private String git(String base, String host, String cage) throws IOException, InterruptedException {
        var ours = Files.writeString(temp.resolve("host"), host);
        var old = Files.writeString(temp.resolve("base"), base);
        var theirs = Files.writeString(temp.resolve("cage"), cage);
        var out = temp.resolve("out");
        int clashes = new ProcessBuilder(
                        "git", "merge-file", "-p", "--diff3", ours.toString(), old.toString(), theirs.toString())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        return clashes == 0 ? Files.readString(out) : "clash";
    }

    @Test
    void where_it_merges_random_texts_git_comes_to_the_same() throws IOException, InterruptedException {
        var random = new Random(4);
        int clean = 0;
        for (int i = 0; i < 60; i++) {
            var base = new ArrayList<String>();
            for (int line = 0; line < 24; line++) {
                base.add(line + "\n");
            }
            var host = edited(base, random, "h");
            var cage = edited(base, random, "c");
            var merge = merge(String.join("", base), host, cage);
            var git = git(String.join("", base), host, cage);
            if (merge.isClean()) {
                clean++;
                assertThat(git).isEqualTo(text(merge));
            } else {
                assertThat(git).isEqualTo("clash");
            }
        }
        assertThat(clean).isBetween(5, 58);
    }

    private static String edited(List<String> base, Random random, String side) {
        var lines = new ArrayList<>(base);
        for (int edits = 1 + random.nextInt(2); edits > 0; edits--) {
            int at = random.nextInt(lines.size());
            switch (random.nextInt(3)) {
                case 0 -> lines.set(at, side + at + "\n");
                case 1 -> lines.remove(at);
                default -> lines.add(at, side + "+" + at + "\n");
            }
        }
        return String.join("", lines);
    }
}
