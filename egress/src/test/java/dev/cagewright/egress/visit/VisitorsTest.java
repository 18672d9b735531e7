package dev.cagewright.egress.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class VisitorsTest {
    private final AtomicLong now = new AtomicLong(5);
    private final Visitors visitors = new Visitors(now::get);

    @Test
    void so_many_are_in_at_once_and_one_more_when_one_has_left() {
        for (int i = 0; i < Visitors.AT_ONCE; i++) {
            assertThat(visitors.enter()).isEmpty();
        }
        assertThat(visitors.enter()).hasValue(1);
        visitors.leave();
        assertThat(visitors.enter()).isEmpty();
        assertThat(visitors.enter()).hasValue(1);
    }

    @Test
    void so_many_come_in_a_row_and_then_so_many_a_second() {
        assertThat(admitted(1000)).isEqualTo(Visitors.BURST);
        now.addAndGet(1_000_000_000);
        assertThat(admitted(1000)).isEqualTo(Visitors.PER_SECOND);
        now.addAndGet(100_000_000_000L);
        assertThat(admitted(1000)).isEqualTo(Visitors.BURST);
    }

    private int admitted(int asked) {
        int admitted = 0;
        for (int i = 0; i < asked; i++) {
            if (visitors.enter().isEmpty()) {
                admitted++;
                visitors.leave();
            }
        }
        return admitted;
    }
}
