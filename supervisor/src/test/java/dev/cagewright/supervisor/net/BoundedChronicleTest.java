package dev.cagewright.supervisor.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.Chronicle;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.DecisionId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BoundedChronicleTest {
    private static final long SECOND = 1_000_000_000;

    private final List<String> log = new ArrayList<>();
    private long now;
    private int kept;

    private final BoundedChronicle chronicle = new BoundedChronicle(
            new BoundedChronicle.Log() {
                @Override
                public void ended(DecisionId id, Action action, Traffic traffic, Kept kept) {
                    log.add("ended " + id);
                    kept.kept();
                }

                @Override
                public void found(DecisionId id, Finding finding) {
                    log.add("found " + id);
                }

                @Override
                public void refused(Chronicle.Refused refused) {
                    log.add(refused.target());
                }

                @Override
                public void more(long count) {
                    log.add("more " + count);
                }
            },
            () -> now);

    private void refuse(int from, int count) throws IOException {
        for (int i = from; i < from + count; i++) {
            chronicle.refused(new Chronicle.Refused("t" + i, 80, "why"));
        }
    }

    @Test
    void a_flood_is_counted_and_its_number_told_with_the_next_and_at_the_end() throws IOException {
        refuse(0, BoundedChronicle.BURST + 1000);
        assertThat(log).hasSize(BoundedChronicle.BURST).startsWith("t0").endsWith("t" + (BoundedChronicle.BURST - 1));

        now += SECOND;
        refuse(5000, BoundedChronicle.PER_SECOND + 7);
        assertThat(log.subList(BoundedChronicle.BURST, log.size()))
                .containsExactly("more 1000", "t5000", "t5001", "t5002", "t5003", "t5004");

        chronicle.close();
        assertThat(log).endsWith("t5004", "more 7");
        chronicle.close();
        assertThat(log).endsWith("t5004", "more 7");
    }

    @Test
    void a_few_are_told_one_by_one_and_so_is_every_end_of_what_was_allowed() throws IOException {
        for (int i = 0; i < 100; i++) {
            refuse(i, 2);
            now += SECOND;
        }
        assertThat(log).hasSize(200).doesNotContain("more 1");
        refuse(0, 10_000);
        int before = log.size();
        for (int i = 1; i <= 500; i++) {
            chronicle.ended(
                    DecisionId.of("abcdefghij", i),
                    new Action.NetConnect(new HostName("a.test"), 1),
                    new Traffic(
                            OptionalInt.empty(),
                            0,
                            0,
                            Duration.ZERO,
                            Optional.empty(),
                            List.of(),
                            new Traffic.End.Complete()),
                    counting());
        }
        assertThat(log).hasSize(before + 500);
        assertThat(kept).isEqualTo(500);
    }

    private Chronicle.Kept counting() {
        return new Chronicle.Kept() {
            @Override
            public void kept() {
                kept++;
            }

            @Override
            public void lost() {
                throw new AssertionError("nothing is lost");
            }
        };
    }
}
