package dev.cagewright.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A few rounds of each kind; `escape/kill-rounds` plays as many as wanted.
class KillTest {
    private static final int ROUNDS_A_VICTIM = 5;

    @TempDir
    private Path root;

    @Test
    void whoever_is_killed_wherever_nothing_lives_and_the_next_start_tells_it()
            throws IOException, InterruptedException {
        var stopper = Stopper.compile();
        var rounds = Rounds.kills(Rounds.steps(stopper, root));
        int reached = 0;
        for (Victim victim : Victim.values()) {
            for (Round round : spread(rounds, victim)) {
                var result = round.play(stopper, root);
                assertThat(result.findings()).as(round.toString()).isEmpty();
                reached += result.isReached() ? 1 : 0;
            }
        }
        assertThat(reached).as("rounds that killed somebody").isGreaterThan(2 * ROUNDS_A_VICTIM);
    }

    /// Evenly over the whole run.
    private static List<Round> spread(List<Round> rounds, Victim victim) {
        var his = rounds.stream()
                .filter(round -> round.fault().equals(new Fault.Kill(victim)))
                .toList();
        return IntStream.range(0, ROUNDS_A_VICTIM)
                .mapToObj(i -> his.get((2 * i + 1) * his.size() / (2 * ROUNDS_A_VICTIM)))
                .toList();
    }
}
