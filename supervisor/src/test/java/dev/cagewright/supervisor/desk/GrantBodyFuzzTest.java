package dev.cagewright.supervisor.desk;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.egress.desk.DeskRequest;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.supervisor.grant.GrantRequest;
import java.time.Duration;
import java.util.Arrays;

/// Any bytes are a request within its bounds, or a refusal of one line with its place. Run as a test this reads the
/// committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class GrantBodyFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_request_or_a_refusal_with_its_place(byte[] bytes) {
        var body = ByteString.copyOf(Arrays.copyOf(bytes, Math.min(bytes.length, DeskRequest.MOST_BODY)));
        GrantRequest request;
        try {
            request = GrantBody.parse(body);
        } catch (BadBodyException e) {
            assertThat(e.getMessage()).hasSizeLessThan(1_600).matches("\\P{Cntrl}+");
            assertThat(e.at()).matches("|byte [0-9]+|/\\P{Cntrl}{0,700}");
            return;
        }
        assertThat(request.time()).isBetween(Duration.ofMillis(1), GrantRequest.LONGEST);
        assertThat(request.why()).hasSizeBetween(1, GrantRequest.LONGEST_WHY);
        assertThat(request.opening().host().value()).doesNotContain("*", ":").doesNotEndWith(".internal");
        assertThat(request.opening().methods()).hasSizeBetween(1, Opening.MOST);
        assertThat(request.opening().ports()).hasSizeBetween(1, Opening.MOST).allMatch(port -> port > 0);
    }
}
