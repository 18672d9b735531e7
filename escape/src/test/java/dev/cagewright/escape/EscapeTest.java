package dev.cagewright.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.cagewright.escape.stage.Person;
import dev.cagewright.escape.stage.Product;
import dev.cagewright.escape.stage.Programs;
import dev.cagewright.escape.stage.Stage;
import dev.cagewright.escape.story.Stories;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.opentest4j.TestAbortedException;

/// Every probe, for everybody this machine lets us be. What a host cannot show is counted as skipped with its reason.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EscapeTest {
    private static final System.Logger LOG = System.getLogger(EscapeTest.class.getName());
    private static final int FEWEST_DENIALS_SHOWN = 50;

    private final Report report = new Report();
    private final List<Stage> stages = new ArrayList<>();
    private Optional<Setting> setting = Optional.empty();

    /// What all persons share.
    private record Setting(Product product, Programs programs, Acts.Outside outside) {}

    @BeforeAll
    void build_the_probes_and_try_them_outside_every_cage() throws IOException, InterruptedException {
        var product = Product.built();
        var programs = Programs.compile();
        var self = Person.present().getFirst();
        try (var stage = new Stage(self, product, programs)) {
            setting = Optional.of(new Setting(product, programs, Acts.outside(programs, stage)));
        }
    }

    @AfterAll
    void report() throws IOException, InterruptedException {
        for (Stage stage : stages) {
            stage.close();
        }
        report.write();
        LOG.log(System.Logger.Level.INFO, "escape: {0}", report.summary());
    }

    @TestFactory
    @Order(1)
    Stream<DynamicNode> every_probe_for_every_person() throws IOException, InterruptedException {
        var shared = setting.orElseThrow();
        var persons = new ArrayList<DynamicNode>();
        for (Person person : Person.present()) {
            var stage = new Stage(person, shared.product(), shared.programs());
            stages.add(stage);
            var acts = new Acts(shared.programs(), stage, shared.outside());
            var probes = Stream.concat(acts.probes().stream(), Stories.probes(stage).stream())
                    .toList();
            var outcomes = new Outcomes(probes);
            outcomes.start(person.word());
            persons.add(DynamicContainer.dynamicContainer(
                    person.word(), probes.stream().map(probe -> container(person, probe, acts, outcomes))));
        }
        return persons.stream();
    }

    private DynamicContainer container(Person person, Probe probe, Acts acts, Outcomes outcomes) {
        return DynamicContainer.dynamicContainer(
                probe.id(),
                Stream.of("allowed", "denied")
                        .map(side -> DynamicTest.dynamicTest(side + ": " + act(probe, side), () -> {
                            var outcome = outcomes.of(probe, side);
                            report.add(
                                    new Report.Row(person.word(), probe, side, acts.outsideWord(probe.id()), outcome));
                            judge(probe, outcome);
                        })));
    }

    private static String act(Probe probe, String side) {
        return side.equals("allowed") ? probe.allowed().act() : probe.denied().act();
    }

    private static void judge(Probe probe, Outcome outcome) {
        switch (outcome) {
            case Outcome.Held _ -> {}
            case Outcome.Skipped(String reason) -> throw new TestAbortedException(reason);
            case Outcome.Fell(String detail) ->
                fail("%s (%s: %s): %s"
                        .formatted(
                                probe.id(), probe.invariant(), probe.invariant().promise(), detail));
        }
    }

    @Test
    @Order(2)
    void enough_denials_were_really_shown() {
        var shown = report.rows().stream()
                .filter(row -> row.side().equals("denied") && row.outcome() instanceof Outcome.Held)
                .map(row -> row.probe().id())
                .distinct()
                .count();

        assertThat(shown).as("probes whose denied twin held on this host").isGreaterThanOrEqualTo(FEWEST_DENIALS_SHOWN);
    }
}
