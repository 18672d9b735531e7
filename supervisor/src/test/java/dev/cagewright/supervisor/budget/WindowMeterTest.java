package dev.cagewright.supervisor.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The counts of periods, where one ends and the next begins.
class WindowMeterTest {
    private final SetClock clock = new SetClock("2026-03-01T10:59:59Z");
    private final Meters meters;

    WindowMeterTest(@TempDir Path root) throws IOException {
        meters = new Meters(StateFolders.of(Map.of("HOME", root.toString())), clock);
    }

    @AfterEach
    void close() throws IOException {
        meters.close();
    }

    @Test
    void no_more_than_the_limit_is_taken_and_a_refusal_takes_nothing() throws IOException {
        var meter = meters.of("x", Budget.Per.HOUR);
        assertThat(meter.take(7, 10)).isNotEqualTo(Meter.REFUSED);
        assertThat(meter.take(4, 10)).isEqualTo(Meter.REFUSED);
        assertThat(meter.used()).isEqualTo(7);
        assertThat(meter.take(3, 10)).isNotEqualTo(Meter.REFUSED);
        assertThat(meter.take(1, 10)).isEqualTo(Meter.REFUSED);
        assertThat(meter.used()).isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({
        "MINUTE, 2026-03-01T10:59:59Z, 2026-03-01T10:59:00Z, 2026-03-01T11:00:00Z",
        "HOUR, 2026-03-01T10:59:59Z, 2026-03-01T10:00:00Z, 2026-03-01T11:00:00Z",
        "DAY, 2026-03-01T23:59:59Z, 2026-03-01T00:00:00Z, 2026-03-02T00:00:00Z"
    })
    void a_period_is_one_to_its_last_second_and_the_next_begins_anew(
            Budget.Per per, String last, String first, String next) throws IOException {
        var meter = meters.of("x", per);
        clock.set(first);
        assertThat(meter.take(5, 5)).isNotEqualTo(Meter.REFUSED);
        clock.set(last);
        assertThat(meter.take(1, 5)).isEqualTo(Meter.REFUSED);
        assertThat(meter.comesBack()).contains(Instant.parse(next));
        clock.set(next);
        assertThat(meter.used()).isZero();
        assertThat(meter.take(5, 5)).isNotEqualTo(Meter.REFUSED);
        assertThat(meter.take(1, 5)).isEqualTo(Meter.REFUSED);
    }

    @Test
    void a_clock_that_goes_back_gives_nothing_back() throws IOException {
        var meter = meters.of("x", Budget.Per.HOUR);
        meter.take(5, 5);
        clock.set("2026-03-01T08:00:00Z");
        assertThat(meter.take(1, 5)).isEqualTo(Meter.REFUSED);
        clock.set("1969-01-01T00:00:00Z");
        assertThat(meter.take(1, 5)).isEqualTo(Meter.REFUSED);
        assertThat(meter.comesBack()).contains(Instant.parse("2026-03-01T11:00:00Z"));
        clock.set("2026-03-01T11:00:00Z");
        assertThat(meter.take(1, 5)).isNotEqualTo(Meter.REFUSED);
    }

    @Test
    void what_is_given_back_after_its_period_makes_no_room_in_the_next() throws IOException {
        var meter = meters.of("x", Budget.Per.HOUR);
        long token = meter.take(3, 5);
        meter.giveBack(token, 3);
        assertThat(meter.used()).isZero();
        token = meter.take(3, 5);
        clock.set("2026-03-01T11:00:00Z");
        meter.take(4, 5);
        meter.giveBack(token, 3);
        assertThat(meter.used()).isEqualTo(4);
    }

    @Test
    void an_amount_that_a_count_cannot_hold_is_less_and_never_more() throws IOException {
        var meter = meters.of("x", Budget.Per.MINUTE);
        long most = Window.MINUTE.most();
        assertThat(meter.take(most, Long.MAX_VALUE)).isNotEqualTo(Meter.REFUSED);
        assertThat(meter.take(1, Long.MAX_VALUE)).isEqualTo(Meter.REFUSED);
        assertThat(meter.used()).isEqualTo(most);
        clock.set("9999-12-31T23:59:59Z");
        assertThat(meter.take(most, Long.MAX_VALUE)).isNotEqualTo(Meter.REFUSED);
        assertThat(meter.take(1, Long.MAX_VALUE)).isEqualTo(Meter.REFUSED);
    }
}
