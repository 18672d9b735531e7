package dev.cagewright.supervisor.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AgentsGuideTest {
    private static String text(AgentsGuide.Net net) {
        return new AgentsGuide(net, Optional.empty(), List.of()).text();
    }

    @Test
    void where_more_may_be_asked_for_it_says_how() {
        assertThat(text(AgentsGuide.Net.ASKING))
                .contains(
                        "curl -s https://cagewright.internal/v1/allowlist\n",
                        "https://cagewright.internal/v1/decisions/ID",
                        "curl -s https://cagewright.internal/v1/allowlist/requests -H 'Content-Type: application/json' \\\n",
                        "\"why\": \"what for\"")
                .doesNotContain("Nothing more is granted", "there is none in this run");
    }

    @Test
    void where_nothing_can_be_granted_it_does_not_send_anybody_asking() {
        assertThat(text(AgentsGuide.Net.ALLOWLIST))
                .contains("https://cagewright.internal/v1/allowlist\n", "Nothing more is granted in this run")
                .doesNotContain("allowlist/requests");
    }

    @Test
    void without_a_network_it_claims_no_api() {
        assertThat(text(AgentsGuide.Net.NONE))
                .contains("The network: there is none in this run")
                .doesNotContain("cagewright.internal", "403");
    }

    @Test
    void programs_and_placeholders_are_named_where_there_are_any() {
        var text = new AgentsGuide(
                        AgentsGuide.Net.ALLOWLIST, Optional.of(List.of("python3", "git")), List.of("API_KEY", "TOKEN"))
                .text();
        assertThat(text).contains("Only these may start: python3, git.\n", "- Keys: API_KEY, TOKEN hold placeholders.");
        assertThat(text(AgentsGuide.Net.ALLOWLIST)).doesNotContain("may start", "placeholders");
        var many = IntStream.range(0, 1000).mapToObj(i -> "tool" + i).toList();
        assertThat(new AgentsGuide(AgentsGuide.Net.NONE, Optional.of(many), List.of()).text())
                .contains("tool39 and 960 more.")
                .doesNotContain("tool40,");
    }

    @ParameterizedTest
    @EnumSource
    void it_is_short_plain_text(AgentsGuide.Net net) {
        var text = new AgentsGuide(net, Optional.of(List.of("sh")), List.of("KEY")).text();
        assertThat(text).hasSizeLessThan(5_000).matches("[\\n -~]+");
        assertThat(text.lines()).allMatch(line -> line.length() <= 130).noneMatch(line -> line.endsWith(" "));
    }
}
