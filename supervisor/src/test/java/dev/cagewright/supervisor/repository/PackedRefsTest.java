package dev.cagewright.supervisor.repository;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedRefsTest {
    private static final String HEADER = "# pack-refs with: peeled fully-peeled sorted \n";
    private static final String A = "a".repeat(40);
    private static final String B = "b".repeat(40);

    private static String line(String value, String name) {
        return value + " " + name + "\n";
    }

    private static final String BASE =
            HEADER + line(A, "refs/heads/main") + line(A, "refs/heads/old") + line(A, "refs/tags/v1") + "^" + B + "\n";

    @Test
    void what_the_cage_took_out_goes_and_what_it_packed_comes_in_order() {
        var cage = HEADER + line(B, "refs/heads/a") + line(B, "refs/heads/main") + line(A, "refs/tags/v1") + "^" + B
                + "\n";
        assertThat(PackedRefs.merged(BASE, cage, BASE)).contains(cage);
    }

    @Test
    void what_the_host_changed_meanwhile_stays() {
        var now = HEADER + line(B, "refs/heads/old") + line(B, "refs/heads/zoo");
        var cage = HEADER + line(B, "refs/heads/main") + line(A, "refs/heads/zoo");
        assertThat(PackedRefs.merged(BASE, cage, now)).isEmpty();
    }

    @Test
    void the_first_packing_brings_the_header() {
        var cage = HEADER + line(A, "refs/heads/main");
        assertThat(PackedRefs.merged("", cage, "")).contains(cage);
    }

    @Test
    void when_the_last_one_goes_the_header_stays() {
        assertThat(PackedRefs.merged(BASE, HEADER, BASE)).contains(HEADER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refs/heads/../../config",
                "refs/heads/a.lock",
                "refs/heads/.hidden",
                "refs/heads/a b",
                "refs/heads/a\tb",
                "refs/heads/a\\b",
                "refs/heads/a~1",
                "refs/heads//a",
                "refs/heads/a/",
                "refs/heads/a.",
                "refs/heads/a@{1}",
                "HEAD",
                "config"
            })
    void a_copy_with_what_is_no_name_of_a_reference_changes_nothing(String name) {
        assertThat(PackedRefs.merged(BASE, HEADER + line(A, name), BASE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "^bbbb\n", "aaaa refs/heads/a\n", "\n", "# second\n\r"})
    void a_copy_that_git_would_not_read_changes_nothing(String odd) {
        assertThat(PackedRefs.merged(BASE, HEADER + line(A, "refs/heads/new") + odd, BASE))
                .isEmpty();
    }

    @Test
    void names_of_all_bytes_that_git_allows_are_read() {
        var cage = BASE + line(B, "refs/tags/\u00c3\u00a4-\u00ff.x@1");
        assertThat(PackedRefs.merged(BASE, cage, BASE)).contains(cage);
    }
}
