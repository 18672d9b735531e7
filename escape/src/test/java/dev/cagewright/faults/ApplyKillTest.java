package dev.cagewright.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application of changes that is killed at some of its steps, other ones each day; `escape/kill-rounds N apply`
/// plays them all.
class ApplyKillTest {
    private static final int ROUNDS = 8;
    private static final long DAY = 86_400_000;

    @TempDir
    private Path root;

    @Test
    void an_application_that_is_killed_leaves_whole_files_and_can_be_taken_up()
            throws IOException, InterruptedException {
        var rounds = ApplyRounds.in(Stopper.compile(), root);
        long seed = System.currentTimeMillis() / DAY;
        int killed = 0;
        for (Step step : spread(rounds.steps(), new Random(seed))) {
            var result = rounds.play(step);
            assertThat(result.findings()).as(step.name() + ", seed " + seed).isEmpty();
            killed += result.isReached() ? 1 : 0;
        }
        assertThat(killed).as("rounds that killed, seed " + seed).isGreaterThanOrEqualTo(ROUNDS / 2);
    }

    /// One of each part of the later half: what comes before is the start of the product and the plan.
    private static List<Step> spread(List<Step> steps, Random random) {
        var some = new ArrayList<Step>();
        int from = steps.size() / 2;
        int left = steps.size() - from;
        for (int i = 0; i < ROUNDS; i++) {
            int begin = from + i * left / ROUNDS;
            some.add(steps.get(begin + random.nextInt(Math.max(1, left / ROUNDS))));
        }
        return some;
    }
}
