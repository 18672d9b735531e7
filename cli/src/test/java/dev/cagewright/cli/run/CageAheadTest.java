package dev.cagewright.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.unisolated.UnisolatedRuntime;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class CageAheadTest {
    private static ConfinementException refusal() {
        return new ConfinementException("spawn server", "memfd_create", "no memory", "free some");
    }

    private static long helpers() {
        return ProcessHandle.current().children().count();
    }

    @Test
    void the_first_start_gives_what_was_begun_and_every_other_a_new_one() throws ConfinementException {
        try (var ahead = CageAhead.begin(NamespacesRuntime::startForOne, UnisolatedRuntime::start);
                var first = ahead.start();
                var second = ahead.start();
                var third = ahead.start()) {
            assertThat(first.name()).isEqualTo("namespaces");
            assertThat(second).isInstanceOf(UnisolatedRuntime.class).isNotSameAs(third);
        }
    }

    @Test
    void what_nobody_takes_ends_with_its_helper() {
        long before = helpers();
        try (var ahead = CageAhead.begin(NamespacesRuntime::startForOne, NamespacesRuntime::start)) {
            assertThat(ahead).isNotNull();
        }
        assertThat(helpers()).isEqualTo(before);
    }

    @Test
    void what_was_taken_stays_when_the_beginning_is_closed() throws ConfinementException {
        var ahead = CageAhead.begin(NamespacesRuntime::startForOne, NamespacesRuntime::start);
        try (var taken = ahead.start()) {
            long running = helpers();
            ahead.close();
            assertThat(taken.name()).isEqualTo("namespaces");
            assertThat(helpers()).isEqualTo(running).isPositive();
        }
    }

    @Test
    void a_refusal_is_told_to_whoever_asks_and_to_nobody_else() {
        try (var ahead = CageAhead.begin(
                () -> {
                    throw refusal();
                },
                NamespacesRuntime::start)) {
            assertThatThrownBy(ahead::start)
                    .isInstanceOf(ConfinementException.class)
                    .hasMessageContaining("no memory");
        }
        CageAhead.begin(
                        () -> {
                            throw refusal();
                        },
                        NamespacesRuntime::start)
                .close();
    }

    @Test
    void without_a_beginning_nothing_starts_before_it_is_asked_for() throws ConfinementException {
        var started = new CountDownLatch(1);
        try (var ahead = CageAhead.none(() -> {
            started.countDown();
            return UnisolatedRuntime.start();
        })) {
            assertThat(started.getCount()).isOne();
            ahead.start().close();
            assertThat(started.getCount()).isZero();
        }
    }

    @Test
    void an_interrupt_while_waiting_is_kept() throws ConfinementException {
        var go = new CountDownLatch(1);
        try (var ahead = CageAhead.begin(
                () -> {
                    go.countDown();
                    return UnisolatedRuntime.start();
                },
                UnisolatedRuntime::start)) {
            Thread.currentThread().interrupt();
            ahead.start().close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(go.getCount()).isZero();
        }
    }
}
