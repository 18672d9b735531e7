package dev.cagewright.secrets.redact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PatternsTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Patterns patterns(String... texts) {
        return Patterns.of(Arrays.stream(texts).map(PatternsTest::bytes).toList());
    }

    private static List<String> found(Patterns patterns, String text) {
        return NaiveSearch.inPieces(bytes(text), patterns, new int[] {text.length()});
    }

    @Test
    void the_longest_of_those_that_begin_first_is_found_whatever_their_order() {
        for (var patterns : List.of(patterns("tok-live", "tok-live-12345"), patterns("tok-live-12345", "tok-live"))) {
            assertThat(found(patterns, "a tok-live-12345tok-live b")).containsExactly("2-16", "16-24");
            assertThat(found(patterns, "tok-live-1234")).containsExactly("0-8");
            assertThat(found(patterns, "tok-liv tok-live")).containsExactly("8-16");
        }
    }

    @Test
    void what_may_become_a_longer_one_is_left_undecided_and_nothing_else() {
        var patterns = patterns("tok-live", "tok-live-12345");
        var text = bytes("see tok-live-1");
        assertThat(patterns.search(text, 0, text.length, Patterns.Rest.MORE_COMES, (_, _, _) -> {}))
                .isEqualTo(4);
        var other = bytes("see tok-live, t");
        var seen = new ArrayList<String>();
        assertThat(patterns.search(
                        other, 0, other.length, Patterns.Rest.MORE_COMES, (_, from, to) -> seen.add(from + "-" + to)))
                .isEqualTo(14);
        assertThat(seen).containsExactly("4-12");
        var clear = bytes("see tok-live, x");
        assertThat(patterns.search(clear, 0, clear.length, Patterns.Rest.MORE_COMES, (_, _, _) -> {}))
                .isEqualTo(15);
    }

    @Test
    void a_pattern_that_would_be_met_by_chance_is_refused() {
        assertThatThrownBy(() -> patterns("1234567"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pattern: 7 bytes (expected: at least 8)");
    }

    @Test
    void nothing_is_found_after_it_is_wiped_and_its_text_shows_none() {
        var patterns = patterns("tok-live");
        assertThat(patterns.toString()).isEqualTo("(1 patterns)");
        patterns.close();
        assertThat(found(patterns, "tok-live")).isEmpty();
    }

    /// Two letters and short patterns: every kind of overlap happens.
    @Test
    void it_finds_what_a_plain_search_finds_in_pieces_of_any_size() {
        var random = new Random(42);
        for (int round = 0; round < 4_000; round++) {
            int letters = 2 + random.nextInt(2);
            int least = random.nextBoolean() ? 8 : 16;
            var all = new TreeSet<byte[]>(Arrays::compareUnsigned);
            for (int i = 1 + random.nextInt(20); i > 0; i--) {
                all.add(text(random, least + random.nextInt(20), letters));
            }
            var list = List.copyOf(all);
            var text = text(random, random.nextInt(400), letters);
            for (int i = random.nextInt(4); i > 0 && text.length > 60; i--) {
                var planted = list.get(random.nextInt(list.size()));
                System.arraycopy(planted, 0, text, random.nextInt(text.length - planted.length), planted.length);
            }
            var sizes = random.ints(3, 1, 1 + random.nextInt(40) + 1).toArray();
            assertThat(NaiveSearch.inPieces(text, Patterns.of(list), sizes))
                    .as("round %s", round)
                    .isEqualTo(NaiveSearch.in(text, list));
        }
    }

    private static byte[] text(Random random, int length, int letters) {
        var text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) ('a' + random.nextInt(letters));
        }
        return text;
    }
}
