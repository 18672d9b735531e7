package dev.cagewright.supervisor.schema.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LinearPatternTest {
    private static boolean isIn(String pattern, String text) {
        return LinearPattern.of(pattern).isIn(text);
    }

    @Test
    void a_pattern_is_looked_for_anywhere_and_anchors_hold_it() {
        assertThat(isIn("b", "abc")).isTrue();
        assertThat(isIn("^b", "abc")).isFalse();
        assertThat(isIn("c$", "abc")).isTrue();
        assertThat(isIn("b$", "abc")).isFalse();
        assertThat(isIn("^$", "")).isTrue();
        assertThat(isIn("^$", "a")).isFalse();
        assertThat(isIn("$^", "")).isTrue();
        assertThat(isIn("", "anything")).isTrue();
        assertThat(isIn("^[a-z0-9._/-]{1,8}$", "src/a.c")).isTrue();
        assertThat(isIn("^[a-z0-9._/-]{1,8}$", "src/a.c d")).isFalse();
        assertThat(isIn("^(?:GET|HEAD)$", "HEAD")).isTrue();
        assertThat(isIn("^\\d{4}-\\d{2}$", "2026-11")).isTrue();
        assertThat(isIn("^\\u{1F600}$", "\uD83D\uDE00")).isTrue();
        assertThat(isIn("^.$", "\uD83D\uDE00")).isTrue();
        assertThat(isIn("^[^/]+$", "a\nb")).isTrue();
        assertThat(isIn("^.+$", "a\nb")).isFalse();
    }

    /// The JDK's own engine, which goes back, is the peer; both know these few notations alike.
    @Test
    void random_patterns_say_what_another_engine_says() {
        var random = RandomGenerator.of("L64X128MixRandom");
        for (int round = 0; round < 3_000; round++) {
            var pattern = expression(random, 3);
            var peer = Pattern.compile(pattern);
            var own = LinearPattern.of(pattern);
            for (int i = 0; i < 8; i++) {
                var text = text(random);
                assertThat(own.isIn(text))
                        .as("%s in %s", pattern, text)
                        .isEqualTo(peer.matcher(text).find());
            }
        }
    }

    private static String expression(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 9)) {
            case 0 -> "a";
            case 1 -> "b";
            case 2 -> "[ab]";
            case 3 -> "[^a]";
            case 4 -> "(" + expression(random, depth - 1) + "|" + expression(random, depth - 1) + ")";
            case 5 ->
                "(?:" + expression(random, depth - 1) + ")"
                        + List.of("*", "+", "?", "{2}", "{1,3}", "{2,}").get(random.nextInt(6));
            case 6 -> "(?:^" + expression(random, depth - 1) + ")";
            case 7 -> "(?:" + expression(random, depth - 1) + "$)";
            default -> expression(random, depth - 1) + expression(random, depth - 1);
        };
    }

    private static String text(RandomGenerator random) {
        var text = new StringBuilder();
        int length = random.nextInt(8);
        for (int i = 0; i < length; i++) {
            text.append("abc".charAt(random.nextInt(3)));
        }
        return text.toString();
    }

    @Test
    void B228_patterns_that_explode_elsewhere_take_time_that_grows_with_the_text() {
        var letters = "a".repeat(LinearPattern.LONGEST_TEXT);
        for (String pattern : List.of("^(a+)+$", "(a*)*b", "^(a|a)*$", "(a|aa)+$", "(.*)*x", "([a-zA-Z]+)*!")) {
            long begin = System.nanoTime();
            isIn(pattern, letters + "!".repeat(0));
            // generous for a loaded machine: an engine that goes back does not end at all
            assertThat(System.nanoTime() - begin).as(pattern).isLessThan(5_000_000_000L);
        }
        assertThat(isIn("^(a+)+$", "a".repeat(50_000) + "b")).isFalse();
    }

    @Test
    void B228_a_pattern_that_takes_too_long_is_a_refusal_and_not_a_wait() {
        var pattern = LinearPattern.of("(a|b)*a(a|b){400}c");
        var random = RandomGenerator.of("L64X128MixRandom");
        var text = new StringBuilder();
        for (int i = 0; i < 200_000; i++) {
            text.append(random.nextBoolean() ? 'a' : 'b');
        }

        assertThatThrownBy(() -> pattern.isIn(text.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the pattern takes too long on a text of this length");
        assertThatThrownBy(() -> pattern.isIn("a".repeat(LinearPattern.LONGEST_TEXT + 1)))
                .hasMessage("1048577 characters are too many for a pattern (at most 1048576)");
        assertThat(pattern.isIn("a".repeat(401) + "c")).isTrue();
    }

    @Test
    void what_cannot_be_matched_in_linear_time_or_is_no_pattern_is_refused_with_its_place() {
        refused("(a)\\1", "the escape \\1, which is not known or cannot be matched in linear time, at character 6");
        refused("(?=a)b", "looking around, a named group or a flag");
        refused("(?<n>a)", "looking around, a named group or a flag");
        refused("\\bword", "the escape \\b, which is not known");
        refused("a)", "a ) without its ( at character 2");
        refused("(a", "a ( without its ) at character 3");
        refused("[a", "the pattern ends where something has to follow at character 3");
        refused("*a", "a quantifier with nothing before it at character 1");
        refused("a**", "two quantifiers in a row at character 3");
        refused("a{2,1}", "a count that is not {n}, {n,} or {n,m}");
        refused("a{9999}", "a count from 0 to 1000 is meant");
        refused("(a{1000}){1000}", "a pattern that comes to more than 4000 states");
        refused("(".repeat(60), "groups nested deeper than 40");
        refused("x".repeat(1_025), "a pattern of 1025 characters (at most 1024)");
        refused("[z-a]", "a range from a later character to an earlier one");
        refused("a{", "a count from 0 to 1000 is meant");
    }

    private static void refused(String pattern, String why) {
        assertThatThrownBy(() -> LinearPattern.of(pattern))
                .as(pattern)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
