package dev.cagewright.egress.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.policy.action.HostName;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BoundedNamesTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND);
    private final CageNames judged = new CageNames("*.w.test");
    private final BoundedNames names = new BoundedNames(judged, now::get);

    private static HostName name(int number) {
        return new HostName("n" + number + ".w.test");
    }

    @Test
    void the_same_question_is_judged_once_in_a_moment_and_again_after_it() {
        var first = names.of(name(1));

        assertThat(names.of(name(1))).isSameAs(first);
        now.addAndGet(2 * SECOND - 1);
        assertThat(names.of(new HostName("N1.W.TEST."))).isSameAs(first);
        assertThat(judged.asked).hasSize(1);
        now.addAndGet(1);
        assertThat(names.of(name(1))).isEqualTo(first);
        assertThat(judged.asked).hasSize(2);
    }

    @Test
    void a_name_that_is_to_be_forgotten_is_judged_at_once() {
        names.of(name(1));
        names.of(name(2));
        names.forget(name(1));
        names.of(name(1));
        names.of(name(2));
        assertThat(judged.asked).hasSize(3);
    }

    @Test
    void B055_beyond_a_burst_only_so_many_new_names_a_second_are_judged_and_the_others_are_counted() {
        for (int i = 0; i < 1_000; i++) {
            names.of(name(i));
        }
        assertThat(judged.asked).hasSize(BoundedNames.BURST);
        assertThat(names.withheld()).isEqualTo(1_000 - BoundedNames.BURST);
        assertThat(names.of(name(999)))
                .isEqualTo(new Names.Refused(
                        "", "TOO_MANY: more than 40 new names a second", SyntheticAddresses.SINKHOLE));
        assertThat(names.of(name(0))).isInstanceOf(Names.Reachable.class);

        now.addAndGet(SECOND);
        for (int i = 1_000; i < 2_000; i++) {
            names.of(name(i));
        }
        assertThat(judged.asked).hasSize(BoundedNames.BURST + BoundedNames.PER_SECOND);

        now.addAndGet(1_000 * SECOND);
        assertThat(names.of(name(999))).isInstanceOf(Names.Reachable.class);
    }

    @Test
    void a_failure_is_not_remembered() {
        var calls = new AtomicInteger();
        var failing = new BoundedNames(
                _ -> {
                    throw new IllegalStateException("call " + calls.incrementAndGet());
                },
                now::get);

        assertThatThrownBy(() -> failing.of(name(1))).hasMessage("call 1");
        assertThatThrownBy(() -> failing.of(name(1))).hasMessage("call 2");
    }

    @Test
    void a_name_that_is_asked_for_twice_at_once_is_judged_once() throws InterruptedException {
        var goesOn = new CountDownLatch(1);
        var calls = new AtomicInteger();
        var slow = new BoundedNames(
                name -> {
                    calls.incrementAndGet();
                    awaited(goesOn);
                    return judged.of(name);
                },
                now::get);
        var rulings = new ConcurrentLinkedQueue<Names.Ruling>();
        var askers = List.of(
                new Thread(() -> rulings.add(slow.of(name(1)))), new Thread(() -> rulings.add(slow.of(name(1)))));
        for (Thread asker : askers) {
            asker.start();
            while (asker.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        goesOn.countDown();
        for (Thread asker : askers) {
            asker.join();
        }

        assertThat(calls).hasValue(1);
        assertThat(rulings).hasSize(2).allMatch(Names.Reachable.class::isInstance);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void reverse_look_ups_go_through() {
        var address = judged.addresses.of(name(1)).orElseThrow();

        assertThat(names.nameOf(address)).contains(name(1));
    }
}
