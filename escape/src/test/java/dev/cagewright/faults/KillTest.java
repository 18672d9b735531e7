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
    /// A victim's rounds end after so many kills, half of which must be; a run that takes another way than the
    /// rehearsal misses its step.
    private static final int KILLS_A_VICTIM = 4;

    private static final int ROUNDS_A_VICTIM = 16;

    /// Coprime to the rounds.
    private static final int STRIDE = 5;

    @TempDir
    private Path root;

    @Test
    void whoever_is_killed_wherever_nothing_lives_and_the_next_start_tells_it()
            throws IOException, InterruptedException {
        var stopper = Stopper.compile();
        var rounds = Rounds.kills(Rounds.steps(stopper, root));
        for (Victim victim : Victim.values()) {
            int killed = 0;
            for (Round round : spread(rounds, victim)) {
                var result = round.play(stopper, root);
                assertThat(result.findings()).as(round.toString()).isEmpty();
                killed += result.isReached() ? 1 : 0;
                if (killed == KILLS_A_VICTIM) {
                    break;
                }
            }
            assertThat(killed).as("rounds that killed the " + victim).isGreaterThanOrEqualTo(KILLS_A_VICTIM / 2);
        }
    }

    /// Evenly over the whole run, and in an order that begins everywhere.
    private static List<Round> spread(List<Round> rounds, Victim victim) {
        var his = rounds.stream()
                .filter(round -> round.fault().equals(new Fault.Kill(victim)))
                .toList();
        return IntStream.range(0, ROUNDS_A_VICTIM)
                .map(i -> i * STRIDE % ROUNDS_A_VICTIM)
                .mapToObj(i -> his.get((2 * i + 1) * his.size() / (2 * ROUNDS_A_VICTIM)))
                .toList();
    }
}
