package dev.cagewright.supervisor.changes.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.changes.diff.LineDiff.Block;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineDiffTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// What `before` becomes by the blocks.
    private static String applied(LineDiff diff) {
        var out = new ByteArrayOutputStream();
        int at = 0;
        for (Block block : diff.blocks()) {
            diff.before().subList(at, block.beforeFrom()).forEach(line -> out.writeBytes(line.toByteArray()));
            diff.after()
                    .subList(block.afterFrom(), block.afterTo())
                    .forEach(line -> out.writeBytes(line.toByteArray()));
            at = block.beforeTo();
        }
        diff.before().subList(at, diff.before().size()).forEach(line -> out.writeBytes(line.toByteArray()));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_changed_line_is_one_block() {
        assertThat(LineDiff.of(bytes("a\nb\nc\n"), bytes("a\nB\nc\n")).blocks()).containsExactly(new Block(1, 2, 1, 2));
    }

    @Test
    void equal_texts_have_no_block_and_a_missing_line_feed_is_a_difference() {
        assertThat(LineDiff.of(bytes("a\n"), bytes("a\n")).blocks()).isEmpty();
        assertThat(LineDiff.of(bytes("a\n"), bytes("a")).blocks()).containsExactly(new Block(0, 1, 0, 1));
    }

    @Test
    void of_random_texts_the_blocks_make_one_the_other_with_the_fewest_lines() {
        var random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            var before = text(random);
            var after = text(random);
            var diff = LineDiff.of(bytes(before), bytes(after));
            assertThat(applied(diff)).isEqualTo(after);
            int common = longestCommon(diff.before().toArray(), diff.after().toArray());
            assertThat(diff.added() + diff.removed())
                    .as("%s / %s", ByteString.of(before), ByteString.of(after))
                    .isEqualTo(diff.before().size() + diff.after().size() - 2 * common);
        }
    }

    private static String text(Random random) {
        var text = new StringBuilder();
        int lines = random.nextInt(12);
        for (int i = 0; i < lines; i++) {
            text.append((char) ('a' + random.nextInt(4))).append(i == lines - 1 && random.nextBoolean() ? "" : "\n");
        }
        return text.toString();
    }

    private static int longestCommon(Object[] a, Object[] b) {
        var length = new int[a.length + 1][b.length + 1];
        for (int i = 1; i <= a.length; i++) {
            for (int j = 1; j <= b.length; j++) {
                length[i][j] = a[i - 1].equals(b[j - 1])
                        ? length[i - 1][j - 1] + 1
                        : Math.max(length[i - 1][j], length[i][j - 1]);
            }
        }
        return length[a.length][b.length];
    }

    @Test
    void texts_with_nothing_in_common_are_one_block_and_bounded() {
        var before = new StringBuilder();
        var after = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            before.append('a').append(i).append('\n');
            after.append('b').append(i).append('\n');
        }

        assertThat(LineDiff.of(bytes(before.toString()), bytes(after.toString()))
                        .blocks())
                .containsExactly(new Block(0, 100_000, 0, 100_000));
    }
}
