package dev.cagewright.supervisor.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Budgets of a policy that is changed while a run lives, and of a set-up.
class RunBudgetsTest {
    private static final Action GET = new Action.HttpRequest("GET", new HostName("a.test"), 443, "/x");
    private static final String RULE = "net: {hosts: [{host: a.test, budget: {requests: %s}}]}";

    private final StateFolders folders;
    private final Meters meters;

    RunBudgetsTest(@TempDir Path root) throws IOException {
        folders = StateFolders.of(Map.of("HOME", root.toString()));
        meters = new Meters(folders, new SetClock("2026-03-01T10:00:00Z"));
    }

    @AfterEach
    void close() throws IOException {
        meters.close();
    }

    private PolicyBudgets budgets(String text, Set<Layer.Rank> setUps) throws Exception {
        var layer = new Layer(Layer.Rank.PROJECT, PolicyOf.text(folders, text));
        return PolicyBudgets.of(EffectivePolicy.of(List.of(layer), Map.of()), new Purse("c", setUps), meters);
    }

    private PolicyBudgets budgets(String text) throws Exception {
        return budgets(text, Set.of());
    }

    private static long passed(Budgets budgets, int asked) {
        long passed = 0;
        for (int i = 0; i < asked; i++) {
            passed += budgets.of(GET).reserve(new DecisionId("s-1")).isEmpty() ? 1 : 0;
        }
        return passed;
    }

    @Test
    void a_lowered_amount_holds_from_the_next_request_on_and_what_was_used_counts() throws Exception {
        for (String per : List.of("run", "day")) {
            var budgets = new RunBudgets(budgets(RULE.formatted("10/" + per)));
            assertThat(passed(budgets, 3)).isEqualTo(3);
            budgets.became(budgets(RULE.formatted("5/" + per)));
            assertThat(passed(budgets, 10)).as(per).isEqualTo(2);
            assertThat(budgets.spent())
                    .map(Spent::toString)
                    .containsExactly("net.hosts[0].budget.requests: 5 of 5/" + per);
        }
    }

    @Test
    void a_raised_amount_and_one_that_is_left_out_change_nothing() throws Exception {
        var budgets = new RunBudgets(budgets(RULE.formatted("5")));
        budgets.became(budgets(RULE.formatted("10")));
        assertThat(passed(budgets, 3)).isEqualTo(3);
        budgets.became(budgets("net: {hosts: [{host: a.test}]}"));
        assertThat(passed(budgets, 10)).isEqualTo(2);
    }

    @Test
    void a_budget_that_comes_later_counts_from_then_on() throws Exception {
        var budgets = new RunBudgets(budgets("net: {hosts: [{host: a.test}]}"));
        assertThat(passed(budgets, 7)).isEqualTo(7);
        assertThat(budgets.spent()).isEmpty();
        budgets.became(budgets(RULE.formatted("2")));
        assertThat(passed(budgets, 7)).isEqualTo(2);
    }

    @Test
    void a_set_up_with_the_same_rule_has_a_count_of_its_own() throws Exception {
        for (String per : List.of("run", "day")) {
            var setUp = budgets(RULE.formatted("2/" + per), Set.of(Layer.Rank.PROJECT));
            var run = budgets(RULE.formatted("2/" + per));
            assertThat(passed(setUp, 5)).isEqualTo(2);
            assertThat(passed(run, 5)).as(per).isEqualTo(2);
            assertThat(passed(budgets(RULE.formatted("2/" + per), Set.of(Layer.Rank.USER)), 5))
                    .as("the same phase")
                    .isZero();
        }
    }
}
