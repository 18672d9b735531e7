package dev.cagewright.supervisor.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The budgets of policies, counted in real files.
class PolicyBudgetsTest {
    private static final DecisionId ID = new DecisionId("s-1");
    private static final Action GET = request("GET", "a.test", "/x");
    private static final int PARALLEL = 64;

    private final StateFolders folders;
    private final SetClock clock = new SetClock("2026-03-01T10:00:00Z");
    private final List<Meters> runs = new ArrayList<>();

    PolicyBudgetsTest(@TempDir Path root) throws IOException {
        folders = StateFolders.of(Map.of("HOME", root.toString()));
    }

    @AfterEach
    void close() throws IOException {
        for (var run : runs) {
            run.close();
        }
    }

    private static Action request(String method, String host, String path) {
        return new Action.HttpRequest(method, new HostName(host), 443, path);
    }

    private Layer layer(Layer.Rank rank, String text) throws Exception {
        return new Layer(rank, PolicyOf.text(folders, text));
    }

    /// The budgets of a run of its own.
    private Budgets run(String cage, Layer... layers) throws Exception {
        var meters = new Meters(folders, clock);
        runs.add(meters);
        return PolicyBudgets.of(EffectivePolicy.of(List.of(layers), Map.of()), Purse.of(cage), meters);
    }

    private Budgets run(String policy) throws Exception {
        return run("c", layer(Layer.Rank.PROJECT, policy));
    }

    private static boolean passes(Budgets budgets, Action action) {
        return budgets.of(action).reserve(ID).isEmpty();
    }

    private static Decision.Deny refused(Optional<Decision.Deny> answer) {
        return answer.orElseThrow(() -> new AssertionError("it was let through"));
    }

    private static long passed(BooleanSupplier act) {
        try (var threads = Executors.newFixedThreadPool(PARALLEL)) {
            var all = Stream.generate(() -> CompletableFuture.supplyAsync(act::getAsBoolean, threads))
                    .limit(PARALLEL)
                    .toList();
            return all.stream().filter(CompletableFuture::join).count();
        }
    }

    @Test
    void B037_of_64_requests_at_once_as_many_pass_as_the_budget_has() throws Exception {
        for (String per : List.of("run", "minute", "hour", "day")) {
            var budgets = run("net: {hosts: [{host: a.test, budget: {requests: 10/" + per + "}}]}");
            assertThat(passed(() -> passes(budgets, GET))).as(per).isEqualTo(10);
        }
    }

    @Test
    void B037_runs_at_once_draw_on_one_count_of_a_period_and_each_on_its_own_of_a_run() throws Exception {
        var policy = "net: {hosts: [{host: a.test, budget: {requests: 10/hour}}]}";
        var one = run(policy);
        var other = run(policy);
        var turn = new AtomicLong();
        assertThat(passed(() -> passes(turn.incrementAndGet() % 2 == 0 ? one : other, GET)))
                .isEqualTo(10);
        var ofRun = "net: {hosts: [{host: a.test, budget: {requests: 10}}]}";
        for (int i = 0; i < 3; i++) {
            var own = run(ofRun);
            assertThat(passed(() -> passes(own, GET))).isEqualTo(10);
        }
    }

    @Test
    void B037_bytes_that_pass_at_once_are_never_more_than_the_budget() throws Exception {
        var budgets = run("net: {hosts: [{host: a.test, budget: {sent: 100KiB/day, received: 1B}}]}");
        assertThat(passed(() -> budgets.of(GET).take(Budgets.Way.SENT, 10 << 10).isEmpty()))
                .isEqualTo(10);
        assertThat(budgets.of(GET).take(Budgets.Way.SENT, 0)).isEmpty();
        assertThat(refused(budgets.of(GET).take(Budgets.Way.SENT, 1)).detail())
                .isEqualTo(
                        "net.hosts[0].budget.sent is 100KiB/day, and that is used up; more from 2026-03-02T00:00:00Z");
        assertThat(budgets.of(GET).take(Budgets.Way.RECEIVED, 2)).isPresent();
        assertThat(budgets.of(GET).take(Budgets.Way.RECEIVED, 1)).isEmpty();
    }

    @Test
    void what_is_used_up_is_told_with_its_place_and_when_it_comes_back() throws Exception {
        var budgets = run("net: {hosts: [{host: b.test}, {host: a.test, budget: {requests: 1/minute, sent: 5B}}]}");
        assertThat(passes(budgets, GET)).isTrue();
        var deny = refused(budgets.of(GET).reserve(ID));
        assertThat(deny.code()).isEqualTo(DenyCode.BUDGET);
        assertThat(deny.because().getFirst().value()).isEqualTo("net.hosts[1].budget.requests");
        assertThat(deny.detail())
                .isEqualTo(
                        "net.hosts[1].budget.requests is 1/minute, and that is used up; more from 2026-03-01T10:01:00Z");
        budgets.of(GET).take(Budgets.Way.SENT, 3);
        assertThat(refused(budgets.of(GET).take(Budgets.Way.SENT, 3)).detail())
                .isEqualTo("net.hosts[1].budget.sent is 5B/run, and the 2 that are left do not suffice;"
                        + " there is no more in this run");
        assertThat(passes(budgets, request("GET", "b.test", "/"))).isTrue();
    }

    @Test
    void without_a_byte_left_there_is_no_request_and_none_is_counted() throws Exception {
        var budgets = run("net: {hosts: [{host: a.test, budget: {requests: 1/run, received: 5B/minute}}]}");
        budgets.of(GET).take(Budgets.Way.RECEIVED, 5);
        assertThat(refused(budgets.of(GET).reserve(ID)).because().getFirst().value())
                .isEqualTo("net.hosts[0].budget.received");
        clock.set("2026-03-01T10:01:00Z");
        assertThat(passes(budgets, GET)).isTrue();
        assertThat(passes(budgets, GET)).isFalse();
    }

    @Test
    void each_rule_has_its_own_budget_and_everything_together_another() throws Exception {
        var budgets = run("""
                net:
                  budget: {requests: 4}
                  hosts:
                    - {host: a.test, methods: [GET], budget: {requests: 2}}
                    - {host: a.test, methods: [POST], budget: {requests: 3}}
                """);
        var post = request("POST", "a.test", "/x");
        assertThat(passes(budgets, GET)).isTrue();
        assertThat(passes(budgets, GET)).isTrue();
        assertThat(passes(budgets, GET)).isFalse();
        assertThat(passes(budgets, post)).isTrue();
        assertThat(passes(budgets, post)).as("the refused request cost nothing").isTrue();
        assertThat(refused(budgets.of(post).reserve(ID)).because().getFirst().value())
                .isEqualTo("net.budget.requests");
    }

    @Test
    void every_layer_holds_and_those_above_a_project_count_all_cages_together() throws Exception {
        var above = layer(Layer.Rank.ORGANISATION, "net: {hosts: [{host: '*.test', budget: {requests: 3/day}}]}");
        var own = layer(Layer.Rank.PROJECT, "net: {hosts: [{host: a.test, budget: {requests: 2/day}}]}");
        var one = run("one", above, own);
        assertThat(passes(one, GET)).isTrue();
        assertThat(passes(one, GET)).isTrue();
        assertThat(passes(one, GET)).isFalse();
        var two = run("two", above, own);
        assertThat(passes(two, GET)).as("a cage of another name").isTrue();
        assertThat(refused(two.of(GET).reserve(ID)).detail()).contains("3/day");
    }

    @Test
    void an_amount_that_is_changed_does_not_begin_anew() throws Exception {
        var rule = "net: {hosts: [{host: a.test, methods: [GET, POST], budget: {requests: %s/day}}]}";
        var before = run(rule.formatted("2"));
        assertThat(passes(before, GET)).isTrue();
        assertThat(passes(before, GET)).isTrue();
        var more = run(rule.formatted("3").replace("GET, POST", "post, get"));
        assertThat(passes(more, GET)).isTrue();
        assertThat(passes(more, GET)).isFalse();
        assertThat(passes(run(rule.formatted("2")), GET)).isFalse();
        assertThat(passes(run(rule.formatted("2").replace("a.test", "'*.test'")), GET))
                .as("another rule")
                .isTrue();
    }

    @Test
    void connections_are_counted_as_requests_and_what_no_rule_bounds_is_not() throws Exception {
        var budgets =
                run("net: {hosts: [{host: a.test, port: 22, protocol: tcp, budget: {requests: 1}}, {host: b.test}]}");
        var connection = new Action.NetConnect(new HostName("a.test"), 22);
        assertThat(passes(budgets, connection)).isTrue();
        assertThat(passes(budgets, connection)).isFalse();
        assertThat(budgets.of(request("GET", "b.test", "/"))).isSameAs(Budgets.Allowance.UNLIMITED);
        assertThat(run("net: {hosts: [{host: a.test}]}").of(GET)).isSameAs(Budgets.Allowance.UNLIMITED);
    }

    @Test
    void a_rule_of_any_length_has_a_count_of_its_own() throws Exception {
        var paths = IntStream.range(0, 400).mapToObj(i -> "/some/path/" + i).collect(Collectors.joining(", "));
        var policy = "net: {hosts: [{host: a.test, paths: [/x, " + paths + "%s], budget: {requests: 1/day}}]}";
        assertThat(passes(run(policy.formatted("")), GET)).isTrue();
        assertThat(passes(run(policy.formatted("")), GET)).isFalse();
        assertThat(passes(run(policy.formatted(", /y")), GET))
                .as("another rule")
                .isTrue();
    }

    @Test
    void a_count_that_is_not_whole_is_no_budget_at_all() throws Exception {
        var policy = "net: {hosts: [{host: a.test, budget: {requests: 1/day}}]}";
        passes(run(policy), GET);
        try (var files = Files.list(folders.budgets())) {
            Files.write(files.findFirst().orElseThrow(), new byte[0]);
        }
        assertThatThrownBy(() -> run(policy)).isInstanceOf(IOException.class).hasMessageContaining("is not whole");
    }
}
