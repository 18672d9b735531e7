package dev.cagewright.supervisor.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.grant.Opening;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class GrantRequestTest {
    @Test
    void a_request_has_a_reason_and_a_time() {
        assertThat(asked("to read the docs", Duration.ofMinutes(5)).time()).hasMinutes(5);
        assertThat(asked("x", GrantRequest.LONGEST).opening()).hasToString("GET, HEAD a.test:80,443 /**");
    }

    @Test
    void no_reason_and_no_time_are_refused() {
        assertThatThrownBy(() -> asked(" ", Duration.ofMinutes(5)))
                .hasMessage("why: 1 characters (expected: a reason in words, at most 500 characters)");
        assertThatThrownBy(() -> asked("x".repeat(501), Duration.ofMinutes(5)))
                .hasMessageStartingWith("why: 501 characters");
        assertThatThrownBy(() -> asked("x", Duration.ZERO)).hasMessageContaining("more than nothing, at most 24h");
        assertThatThrownBy(() -> asked("x", Duration.ofNanos(1))).hasMessageStartingWith("for: ");
        assertThatThrownBy(() -> asked("x", Duration.ofHours(25))).hasMessageStartingWith("for: \"PT25H\"");
    }

    @Test
    void where_nothing_can_be_granted_everything_is_denied() {
        var state = GrantDesk.NONE.ask(asked("x", Duration.ofMinutes(5)));
        assertThat(state.standing()).isEqualTo(GrantState.Standing.DENIED);
        assertThat(GrantDesk.NONE.find(state.id())).isEmpty();
        assertThat(GrantDesk.NONE.live()).isEmpty();
    }

    private static GrantRequest asked(String why, Duration time) {
        return GrantRequest.of(
                "a.test",
                Opening.USUAL_PORTS,
                Opening.USUAL_METHODS,
                Opening.USUAL_PATHS,
                new GrantRequest.Reason(why, time));
    }
}
