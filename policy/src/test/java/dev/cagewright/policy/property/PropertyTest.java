package dev.cagewright.policy.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PropertyTest {
    private static final Property<Integer> NUMBERS =
            new Property<>(random -> random.nextInt(1_000_000), n -> n == 0 ? List.of() : List.of(n / 2, n - 1));

    @Test
    void a_false_sentence_is_reported_with_its_seed_and_the_smallest_input() {
        assertThatThrownBy(() -> NUMBERS.holds(100, n -> assertThat(n).isLessThan(100)))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching("(?s)seed -?[0-9]+, round [0-9]+, input 100: .*");
    }

    @Test
    void a_true_sentence_is_tried_on_every_round() {
        var rounds = new AtomicInteger();
        NUMBERS.holds(100, _ -> rounds.incrementAndGet());
        assertThat(rounds).hasValue(100);
    }
}
