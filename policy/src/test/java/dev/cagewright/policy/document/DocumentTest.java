package dev.cagewright.policy.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.RuleId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentTest {

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/a b", "/tmp/a,ro=false", "/tmp/a:b", "/tmp/\u00e9"})
    void B280_blanks_and_commas_inside_a_source_are_part_of_the_name(String text) {
        assertThat(Mount.Source.parse("fs.mounts[0].source", text)).isEqualTo(new Mount.Source.HostPath(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tmp/a\n",
                "/tmp/a ",
                " /tmp/a",
                "~",
                "~/x",
                "$HOME",
                "${HOME}/x",
                ".",
                "./x",
                "x",
                "",
                "/..",
                "/a/../..",
                "/a\u200bb",
                "/a\u0000"
            })
    void B280_other_sources_are_refused_with_what_is_accepted(String text) {
        assertThatThrownBy(() -> Mount.Source.parse("fs.mounts[0].source", text))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("fs.mounts[0].source: \"")
                .hasMessageContaining("(expected: session-copy, tmpfs, or an absolute host path");
    }

    @ParameterizedTest
    @CsvSource({
        "/workspace,/workspace",
        "/workspace/,/workspace",
        "/workspace/a/../b,/workspace/b",
        "//workspace/./x,/workspace/x",
        "/,/"
    })
    void B280_a_target_is_canonical(String text, String path) {
        assertThat(Mount.target("path", text)).isEqualTo(new GuestPath(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"workspace", "/workspace ", "/a/../../b", "", "~", "$HOME", "/a\nb"})
    void B280_other_targets_are_refused(String text) {
        assertThatThrownBy(() -> Mount.target("fs.mounts[0].path", text))
                .hasMessageStartingWith("fs.mounts[0].path: \"")
                .hasMessageContaining("(expected: an absolute path inside the cage");
    }

    @ParameterizedTest
    @CsvSource({
        "/a,/a,true",
        "/a,/a/b,true",
        "/a,/ab,false",
        "**/.env,/.env,true",
        "**/.env,/x/.env/y,true",
        "**/.env,/x/.env2,false",
        "**/.env,/x/a.env,false"
    })
    void a_hidden_thing_is_hidden_with_all_below(String pattern, String path, boolean hidden) {
        assertThat(HidePattern.parse("fs.hide", pattern).hides(new GuestPath(path)))
                .isEqualTo(hidden);
    }

    @ParameterizedTest
    @ValueSource(strings = {"**/", "**/a/b", "**/*", "**/..", "/a/*", "*.env", ".env", "**/a\n", ""})
    void other_hide_patterns_are_refused(String text) {
        assertThatThrownBy(() -> HidePattern.parse("fs.hide[0]", text)).hasMessageStartingWith("fs.hide[0]: \"");
    }

    @Test
    void a_place_without_a_line_of_its_own_has_its_parents() {
        var line = new Origin("cage.yaml", 12, 5);
        var origins = new Origins(Map.of("/net/hosts/0", line, "", new Origin("cage.yaml", 1, 1)));
        assertThat(origins.at("/net/hosts/0/paths/3")).contains(line);
        assertThat(origins.at("/net/hosts/1")).contains(new Origin("cage.yaml", 1, 1));
        assertThat(origins.of(new RuleId("net.hosts[0]"))).contains(line);
        assertThat(origins.of(new RuleId("deny:shell"))).isEmpty();
        assertThat(Origins.NONE.at("/net")).isEmpty();
        assertThat(line).hasToString("cage.yaml:12:5");
    }

    @Test
    void budgets_are_amounts_for_a_period() {
        assertThat(Budget.parseRequests("budget.requests", "500/day")).isEqualTo(new Budget.Rate(500, Budget.Per.DAY));
        assertThat(Budget.parseRequests("budget.requests", "7")).isEqualTo(new Budget.Rate(7, Budget.Per.RUN));
        assertThat(Budget.parseBytes("budget.sent", "20MiB/hour"))
                .isEqualTo(new Budget.Rate(20L << 20, Budget.Per.HOUR));
        assertThatThrownBy(() -> Budget.parseRequests("budget.requests", "500/Day"))
                .hasMessage("budget.requests: \"500/Day\" (expected: an amount and /minute, /hour, /day or /run)");
        assertThatThrownBy(() -> Budget.parseBytes("budget.sent", "20/day"))
                .hasMessageStartingWith("budget.sent: \"20\" (expected: digits and B");
        assertThatThrownBy(() -> Budget.parseRequests("budget.requests", "/day"))
                .hasMessageStartingWith("budget.requests: \"\"");
    }

    @Test
    void a_filter_that_an_action_does_not_have_is_refused() {
        assertThatThrownBy(() -> new ApprovalSection.Condition(
                        "fs.read", Optional.of(List.of("GET")), Optional.empty(), Optional.empty(), Optional.empty()))
                .hasMessage("approval.require_for.fs.read: \"methods\" (expected: a filter that fs.read has)");
        assertThatThrownBy(() -> new ApprovalSection.Condition(
                        "fs.delete", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()))
                .hasMessageStartingWith("approval.require_for: \"fs.delete\" (expected: one of proc.exec, ");
    }

    @Test
    void entropy_is_bits_per_byte() {
        assertThat(InspectSection.Entropy.parseBits("inspect.entropy.above", "7.2"))
                .isEqualByComparingTo("7.2");
        assertThatThrownBy(() -> InspectSection.Entropy.parseBits("inspect.entropy.above", "8.1"))
                .hasMessageStartingWith("inspect.entropy.above: \"8.1\" (expected: bits per byte from 0 to 8");
    }
}
