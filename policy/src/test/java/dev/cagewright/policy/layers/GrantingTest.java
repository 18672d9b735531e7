package dev.cagewright.policy.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.engine.Draft;
import dev.cagewright.policy.grant.Granted;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.layers.Granting.Answer;
import dev.cagewright.policy.layers.Layer.Rank;
import dev.cagewright.policy.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class GrantingTest {
    private static final Decision.Allow GRANTED = grant(
                    Opening.parse("a.test", List.of(443), List.of("GET"), List.of("/**")))
            .allow();

    private static Granted grant(Opening opening) {
        return new Granted(new DecisionId("s-1"), opening, List.of());
    }

    private static EffectivePolicy policy(Layer... layers) {
        try {
            return EffectivePolicy.of(List.of(layers), Map.of());
        } catch (BadPolicyException e) {
            throw new AssertionError(e);
        }
    }

    private static Layer layer(Rank rank, Draft draft) {
        return new Layer(rank, draft.document());
    }

    private static Layer project(Draft draft) {
        return layer(Rank.PROJECT, draft);
    }

    private static Opening opening(String host, String methods, String... paths) {
        return Opening.parse(host, List.of(443), List.of(methods.split(",", -1)), List.of(paths));
    }

    private static Action get(String host, String path) {
        return new Action.HttpRequest("GET", new HostName(host), 443, path);
    }

    @Test
    void what_may_grant_has_is_given_by_rule_and_not_longer_than_it_says() {
        var policy = policy(project(
                new Draft().hosts(HostRule.ofHost("b.test")).mayGrant(Draft.grantable("GET,HEAD *.a.test /v1/**"))));

        assertThat(policy.granting().of(opening("api.a.test", "GET", "/v1/x/**")))
                .isInstanceOfSatisfying(Answer.ByRule.class, given -> {
                    assertThat(given.rules()).hasToString("[net.may_grant[0]]");
                    assertThat(given.longest()).isEqualTo(Duration.ofMinutes(30));
                });
    }

    @Test
    void what_leaves_the_bounds_in_one_thing_is_a_persons_to_give() {
        var policy = policy(project(
                new Draft().hosts(HostRule.ofHost("b.test")).mayGrant(Draft.grantable("GET,HEAD *.a.test /v1/**"))));

        assertThat(policy.granting().of(opening("a.test", "GET", "/v1/x"))).isInstanceOf(Answer.ByPerson.class);
        assertThat(policy.granting().of(opening("api.a.test", "GET,POST", "/v1/x")))
                .isInstanceOf(Answer.ByPerson.class);
        assertThat(policy.granting().of(opening("api.a.test", "GET", "/v1/x", "/**")))
                .isInstanceOf(Answer.ByPerson.class);
        assertThat(policy.granting().of(Opening.parse("api.a.test", List.of(22), List.of("GET"), List.of("/v1/x"))))
                .isInstanceOf(Answer.ByPerson.class);
    }

    @Test
    void without_may_grant_nothing_is_given_by_rule() {
        assertThat(policy(project(new Draft().hosts(HostRule.ofHost("b.test"))))
                        .granting()
                        .of(opening("a.test", "GET", "/")))
                .isEqualTo(new Answer.ByPerson(Optional.empty(), List.of()));
    }

    @Test
    void every_layer_that_speaks_of_grants_has_to_have_it_and_the_shortest_time_holds() {
        var organisation = layer(Rank.ORGANISATION, new Draft().mayGrant(Draft.grantable("* *.a.test")));
        var wide = project(new Draft().mayGrant(Draft.grantable("* x.a.test"), Draft.grantable("* evil.test")));

        assertThat(policy(organisation, wide).granting().of(opening("x.a.test", "GET", "/")))
                .isInstanceOf(Answer.ByRule.class);
        assertThat(policy(organisation, wide).granting().byRule(opening("evil.test", "GET", "/")))
                .isEmpty();
        assertThat(policy(organisation, wide).granting().byRule(opening("y.a.test", "GET", "/")))
                .isEmpty();
        assertThat(policy(organisation, project(new Draft().mayGrant()))
                        .granting()
                        .byRule(opening("x.a.test", "GET", "/")))
                .isEmpty();
    }

    @Test
    void the_organisations_bounds_hold_for_persons_too() {
        var organisation = layer(Rank.ORGANISATION, new Draft().mayGrant(Draft.grantable("* *.a.test")));
        var policy = policy(organisation, project(new Draft().hosts(HostRule.ofHost("b.test"))));

        assertThat(policy.granting().of(opening("evil.test", "GET", "/")))
                .isInstanceOfSatisfying(
                        Answer.Never.class,
                        never -> assertThat(never.why().detail())
                                .startsWith("the policy of the organisation has nothing of this in its net.may_grant"));
        assertThat(policy.judge(get("evil.test", "/"), GRANTED)).isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(get("x.a.test", "/"), GRANTED)).isEqualTo(GRANTED);
    }

    @Test
    void what_a_higher_layer_does_not_allow_nobody_grants() {
        var user = layer(Rank.USER, new Draft().hosts(HostRule.ofHost("b.test"), Draft.rule("GET c.test /open")));
        var policy = policy(user, project(new Draft().hosts(HostRule.ofHost("b.test"))));

        assertThat(policy.granting().of(opening("a.test", "GET", "/"))).isInstanceOf(Answer.Never.class);
        assertThat(policy.judge(get("a.test", "/"), GRANTED)).isInstanceOf(Decision.Deny.class);
        assertThat(policy.granting().of(opening("c.test", "GET", "/**"))).isInstanceOf(Answer.ByPerson.class);
        assertThat(policy.judge(get("c.test", "/open"), GRANTED)).isEqualTo(GRANTED);
        assertThat(policy.judge(get("c.test", "/shut"), GRANTED)).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void a_denial_that_is_no_silence_stands() {
        var closed = policy(project(new Draft().reach(NetSection.Reach.NONE)));
        var lockdown = policy(project(new Draft().mode(Mode.LOCKDOWN).mayGrant(Draft.grantable("* a.test"))));
        var open = policy(project(new Draft().hosts(HostRule.ofHost("b.test"))));

        assertThat(closed.granting().of(opening("a.test", "GET", "/"))).isInstanceOf(Answer.Never.class);
        assertThat(closed.judge(get("a.test", "/"), GRANTED)).isInstanceOf(Decision.Deny.class);
        assertThat(lockdown.granting().of(opening("a.test", "GET", "/"))).isInstanceOf(Answer.Never.class);
        assertThat(lockdown.judge(get("a.test", "/"), GRANTED)).isInstanceOf(Decision.Deny.class);
        assertThat(open.granting().of(opening("metadata.google.test", "GET", "/")))
                .isInstanceOfSatisfying(
                        Answer.Never.class,
                        never -> assertThat(never.why().code()).isEqualTo(DenyCode.FORBIDDEN));
        assertThat(open.judge(get("metadata.google.test", "/"), GRANTED)).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void a_question_that_a_rule_asks_is_asked_under_a_grant() {
        var policy = policy(project(new Draft()
                .hosts(HostRule.ofHost("b.test"))
                .approval(Draft.asking(new ApprovalSection.Condition(
                        "http.request",
                        Optional.of(List.of("POST")),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())))));

        assertThat(policy.judge(get("a.test", "/"), GRANTED)).isEqualTo(GRANTED);
        assertThat(policy.judge(new Action.HttpRequest("POST", new HostName("a.test"), 443, "/"), GRANTED))
                .isInstanceOf(Decision.Ask.class);
    }

    @Test
    void what_is_allowed_already_needs_no_grant() {
        var policy = policy(project(new Draft().hosts(Draft.rule("GET a.test /v1/**"))));

        assertThat(policy.granting().of(opening("a.test", "GET", "/v1/x", "/v1/y")))
                .hasToString("Needless[rule=net.hosts[0]]");
        assertThat(policy.granting().of(opening("a.test", "GET,POST", "/v1/x"))).isInstanceOf(Answer.ByPerson.class);
    }

    @Test
    void where_tls_passes_unopened_nothing_can_be_granted() {
        var rule = HostRule.ofHost("a.test");
        var unopened = new HostRule(
                rule.target(),
                rule.methods(),
                rule.paths(),
                Optional.of(List.of(8443)),
                rule.protocol(),
                rule.addresses(),
                HostRule.Inspection.PASSED_THROUGH,
                rule.upstreamCa(),
                rule.budget());
        var organisation = layer(Rank.ORGANISATION, new Draft().hosts(unopened));
        var policy = policy(organisation, project(new Draft().hosts(HostRule.ofHost("b.test"))));
        var asked = Opening.parse("a.test", List.of(8443), List.of("GET"), List.of("/x"));

        assertThat(policy.granting().of(asked))
                .isInstanceOfSatisfying(
                        Answer.Never.class,
                        never -> assertThat(never.why().detail()).contains("a.test:8443 pass unopened"));
        assertThat(policy.judge(
                        new Action.NetConnect(new HostName("a.test"), 8443),
                        grant(asked).allow()))
                .isInstanceOf(Decision.Deny.class);
    }

    @Test
    void a_host_that_no_policy_can_allow_is_no_bound() {
        var draft = new Draft().mayGrant(Draft.grantable("* metadata.google.internal"));

        assertThatThrownBy(() -> CompiledPolicy.compile(draft.document()))
                .isInstanceOf(BadPolicyException.class)
                .hasMessageContaining("net.may_grant[0].hosts");
    }

    /// Bounds, what is asked for, and one request.
    private record Draw(List<String> bounds, String host, List<String> methods, List<String> paths, Action request) {}

    private static final List<String> HOSTS = List.of("a.test", "x.a.test", "y.x.a.test", "b.test", "xa.test");
    private static final List<String> PATTERNS =
            List.of("/**", "/v1/**", "/v1/*", "/v1/x", "/*/x", "/v1/**/z", "/", "/v1/x*", "/v1");
    private static final List<String> PATHS =
            List.of("/", "/v1", "/v1/", "/v1/x", "/v1/xy", "/v1/a/z", "/q/x", "/v2/x", "/v1/x/z");
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST");

    private static <T> T pick(Random random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static <T> List<T> some(Random random, List<T> all) {
        var picked = new ArrayList<T>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            picked.add(pick(random, all));
        }
        return picked.stream().distinct().toList();
    }

    private static Draw draw(Random random) {
        var bounds = new ArrayList<String>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            var methods = random.nextInt(2) == 0 ? "*" : String.join(",", some(random, METHODS));
            var host = (random.nextBoolean() ? "*." : "") + pick(random, HOSTS.subList(0, 3));
            bounds.add(methods + " " + host
                    + (random.nextInt(4) == 0 ? "" : " " + String.join(",", some(random, PATTERNS))));
        }
        var host = pick(random, HOSTS);
        var methods = some(random, METHODS);
        var to = random.nextInt(8) == 0 ? pick(random, HOSTS) : host;
        return new Draw(
                bounds,
                host,
                methods,
                some(random, PATTERNS),
                new Action.HttpRequest(pick(random, methods), new HostName(to), 443, pick(random, PATHS)));
    }

    /// A policy whose rules are the bounds says what is within them.
    private static boolean isWithin(List<String> bounds, Action request) {
        var rules = bounds.stream().map(Draft::rule).toArray(HostRule[]::new);
        return new Draft().hosts(rules).compile().judge(request) instanceof Decision.Allow;
    }

    @Test
    void a_grant_by_rule_never_allows_what_its_bounds_do_not() {
        var given = new int[1];
        new Property<>(GrantingTest::draw, _ -> List.of()).holds(5_000, drawn -> {
            var bounds = drawn.bounds().stream().map(Draft::grantable).toArray(NetSection.MayGrant[]::new);
            var policy =
                    policy(project(new Draft().hosts(HostRule.ofHost("c.test")).mayGrant(bounds)));
            var asked = Opening.parse(drawn.host(), List.of(443), drawn.methods(), drawn.paths());
            if (policy.granting().byRule(asked).isEmpty() || !asked.covers(drawn.request())) {
                return;
            }
            var decision = policy.judge(drawn.request(), grant(asked).allow());
            assertThat(decision).isEqualTo(grant(asked).allow());
            assertThat(isWithin(drawn.bounds(), drawn.request()))
                    .as(drawn.toString())
                    .isTrue();
            given[0]++;
        });
        assertThat(given[0]).isGreaterThan(25);
    }
}
