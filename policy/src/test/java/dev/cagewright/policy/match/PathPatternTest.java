package dev.cagewright.policy.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.property.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

    private static PathPattern pattern(String text) {
        return PathPattern.parse("paths[0]", text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = (char) 34,
            value = {
                "/a/* /a/b",
                "/a/*.json /a/b.json",
                "/a/*.json /a/.json",
                "/a* /a",
                "/a* /abc",
                "/a/**/c /a/c",
                "/a/**/c /a/x/c",
                "/a/**/c /a/x/y/c",
                "/a/**/c /a/c/c",
                "/a/** /a",
                "/a/** /a/",
                "/a/** /a/b/c",
                "/** /",
                "/** /x",
                "/ /",
                "/a/ /a/",
                "/**/c/** /c",
                "/**/c/** /x/c/y/z",
                "/a/*/c /a/b/c",
                "/*/*/c /x/y/c",
                "/a*b*c /axxbyyc",
                "/**/b/**/d /a/b/c/d",
                "/a%2Cb /a,b",
                "/a%2A /a*",
                "/é /%C3%A9",
                "/a%20b /a%20b",
                "/%7Euser /~user",
                "/a%2fb /a%2Fb",
                "/a,b /a,b",
                "/*/ /x/",
                "/@scope%2Fname /@scope%2Fname"
            })
    void a_pattern_means_a_path(String pattern, String path) {
        assertThat(pattern(pattern).matches(path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            quoteCharacter = (char) 34,
            value = {
                "/a/* /a",
                "/a/* /a/",
                "/a/* /a/b/c",
                "/a/* /b/b",
                "/a/*.json /a/b.jsonx",
                "/a/*.json /a/b/c.json",
                "/a* /b",
                "/a* /a/b",
                "/a/**/c /a/c/d",
                "/a/**/c /a/xc",
                "/a/**/c /ac",
                "/a/** /ab",
                "/a/** /b/a",
                "/ /a",
                "/a /a/",
                "/a/ /a",
                "/a /A",
                "/*/c /c",
                "/a*b*c /axxcyyb",
                "/a*a /a",
                "/**/b/**/d /b/a",
                "/**/d /d/e",
                "/a%2A /ab",
                "/a%2Fb /a/b",
                "/*/ /x"
            })
    void a_pattern_does_not_mean_a_path(String pattern, String path) {
        assertThat(pattern(pattern).matches(path)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = (char) 34,
            value = {
                "\"\";0;a path that starts with '/'", "a/b;0;a path that starts with '/'", "*;0;/** is every path",
                        "/a/*,/b/*;4;one pattern for each entry",
                "/users/{id};7;'*' for a variable segment", "/a**;2;'**' only as a whole segment",
                        "/a/***;3;'**' only as a whole segment", "/a?b=1;2;a path without query",
                "/a/../b;3;no '.' or '..' segments", "/a/%2e%2E/b;3;no '.' or '..' segments",
                        "/a/%zz;3;two hexadecimal digits", "/a/%00;3;no control character"
            })
    void B277_an_odd_pattern_is_an_error_that_names_the_position(String text, int position, String expected) {
        assertThatThrownBy(() -> pattern(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "paths[0]: \"" + text.replace("\\", "\\\\") + "\" (expected: at position " + position + ": ")
                .hasMessageContaining(expected);
    }

    @Test
    void a_long_path_of_near_misses_costs_no_more_than_its_length() {
        var pattern = pattern("/a*a*a*a*a*a*a*a*b");
        var path = "/" + "a".repeat(60_000) + "c";
        var deep = pattern("/**/a/**/a/**/a/**/a/**/b");
        var slashes = "/a".repeat(30_000);
        for (int i = 0; i < 50; i++) {
            assertThat(pattern.matches(path)).isFalse();
            assertThat(deep.matches(slashes)).isFalse();
        }
    }

    private static final List<String> NAMES = List.of("a", "b", "ab", "", "aba");
    private static final List<String> GLOBS = List.of("a", "b", "*", "**", "a*", "*b", "a*a", "", "ab");

    private static String draw(Random random, List<String> segments) {
        var text = new StringBuilder();
        int length = 1 + random.nextInt(5);
        for (int i = 0; i < length; i++) {
            text.append('/').append(segments.get(random.nextInt(segments.size())));
        }
        return text.toString();
    }

    /// Every text with one segment fewer.
    private static Stream<String> shorter(String text) {
        var names = List.of(text.substring(1).split("/", -1));
        return names.size() == 1
                ? Stream.of()
                : IntStream.range(0, names.size()).mapToObj(i -> {
                    var fewer = new ArrayList<>(names);
                    fewer.remove(i);
                    return "/" + String.join("/", fewer);
                });
    }

    record Sample(List<String> patterns, String path) {
        List<Sample> smaller() {
            var all = new ArrayList<Sample>();
            for (int i = 0; i < patterns.size(); i++) {
                var fewer = new ArrayList<>(patterns);
                var removed = fewer.remove(i);
                all.add(new Sample(fewer, path));
                int at = i;
                shorter(removed).forEach(text -> {
                    var changed = new ArrayList<>(patterns);
                    changed.set(at, text);
                    all.add(new Sample(changed, path));
                });
            }
            shorter(path).forEach(text -> all.add(new Sample(patterns, text)));
            return all;
        }
    }

    private static final Property<Sample> SAMPLES = new Property<>(
            random -> new Sample(
                    Stream.generate(() -> draw(random, GLOBS))
                            .limit(1 + random.nextInt(8))
                            .toList(),
                    draw(random, NAMES)),
            Sample::smaller);

    /// The plain meaning, by trying every split.
    private static boolean means(List<String> pattern, List<String> path) {
        if (pattern.isEmpty()) {
            return path.isEmpty();
        }
        var first = pattern.getFirst();
        var rest = pattern.subList(1, pattern.size());
        if (first.equals("**")) {
            return means(rest, path) || (!path.isEmpty() && means(pattern, path.subList(1, path.size())));
        }
        if (path.isEmpty()) {
            return false;
        }
        var regex = first.equals("*") ? ".+" : first.replace("*", ".*");
        return path.getFirst().matches(regex) && means(rest, path.subList(1, path.size()));
    }

    private static List<String> segments(String text) {
        return List.of(text.substring(1).split("/", -1));
    }

    @Test
    void patterns_mean_what_trying_everything_says() {
        SAMPLES.holds(
                6_000,
                sample -> sample.patterns()
                        .forEach(text -> assertThat(pattern(text).matches(sample.path()))
                                .as("%s", text)
                                .isEqualTo(means(segments(text), segments(sample.path())))));
    }

    @Test
    void a_table_finds_the_first_list_that_means_the_path() {
        SAMPLES.holds(6_000, sample -> {
            var table = PathTable.of(sample.patterns().stream()
                    .map(text -> Optional.of(List.of(pattern(text))))
                    .toList());
            int expected = -1;
            for (int i = sample.patterns().size() - 1; i >= 0; i--) {
                expected = pattern(sample.patterns().get(i)).matches(sample.path()) ? i : expected;
            }
            assertThat(table.find(sample.path())).isEqualTo(expected);
        });
    }

    @Test
    void a_pattern_that_covers_another_means_all_its_paths() {
        SAMPLES.holds(10_000, sample -> {
            for (String one : sample.patterns()) {
                for (String other : sample.patterns()) {
                    if (pattern(one).covers(pattern(other)) && pattern(other).matches(sample.path())) {
                        assertThat(pattern(one).matches(sample.path()))
                                .as("%s covers %s", one, other)
                                .isTrue();
                    }
                }
            }
        });
    }

    @Test
    void an_absent_list_means_every_path_and_an_empty_one_none() {
        assertThat(PathTable.of(List.of(Optional.of(List.of()), Optional.empty()))
                        .find("/x"))
                .isEqualTo(1);
        assertThat(PathTable.of(List.of(Optional.of(List.of()))).find("/x")).isEqualTo(PathTable.NONE);
    }
}
