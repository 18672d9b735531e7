package dev.cagewright.policy.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.engine.Draft;
import dev.cagewright.policy.layers.Layer.Rank;
import dev.cagewright.policy.property.Property;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.TimeSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EffectivePolicyTest {

    private static EffectivePolicy effective(Layer... layers) {
        try {
            return EffectivePolicy.of(List.of(layers), Map.of());
        } catch (BadPolicyException e) {
            throw new AssertionError(e);
        }
    }

    private static Layer organisation(Draft draft) {
        return new Layer(Rank.ORGANISATION, draft.document());
    }

    private static Layer user(Draft draft) {
        return new Layer(Rank.USER, draft.document());
    }

    private static Layer project(Draft draft) {
        return new Layer(Rank.PROJECT, draft.document());
    }

    private static Action get(String host) {
        return new Action.HttpRequest("GET", new HostName(host), 443, "/x");
    }

    private static Action exec(String... argv) {
        return new Action.ProcExec(Arrays.stream(argv).map(ByteString::of).toList(), new GuestPath("/workspace"));
    }

    private static Upstream through(String proxy, String ca) {
        return new Upstream(Optional.of(Upstream.Proxy.parse("p", proxy)), Optional.of(ca));
    }

    private static HostRule vouchedFor(String host, String ca) {
        var rule = HostRule.ofHost(host);
        return new HostRule(
                rule.target(),
                rule.methods(),
                rule.paths(),
                rule.ports(),
                rule.protocol(),
                rule.addresses(),
                rule.inspection(),
                Optional.of(ca),
                rule.budget());
    }

    @Test
    void the_highest_layer_says_how_the_gateway_gets_out_and_whom_it_trusts() {
        var policy = effective(
                organisation(new Draft().upstream(through("http://corp.test:3128", "/corp.pem"))),
                user(new Draft().hosts(vouchedFor("a.test", "/user.pem"))),
                project(new Draft()
                        .upstream(through("http://evil.test:1", "/evil.pem"))
                        .hosts(vouchedFor("a.test", "/evil.pem"), HostRule.ofHost("b.test"))));

        assertThat(policy.upstreamProxy().orElseThrow()).hasToString("http://corp.test:3128");
        assertThat(policy.upstreamRoots()).contains("/corp.pem");
        assertThat(policy.upstreamCa(new HostName("a.test"), 443)).contains("/user.pem");
        assertThat(policy.upstreamCa(new HostName("b.test"), 443)).isEmpty();
        assertThat(policy.lines())
                .extracting(line -> line.field() + " " + line.value())
                .contains(
                        "net.upstream_proxy http://corp.test:3128",
                        "net.upstream_ca /corp.pem",
                        "net.hosts[0].upstream_ca /user.pem");
    }

    private static HostRule closed(String host) {
        var rule = HostRule.ofHost(host);
        return new HostRule(
                rule.target(),
                rule.methods(),
                rule.paths(),
                rule.ports(),
                rule.protocol(),
                Optional.of(List.of("10.0.0.5")),
                HostRule.Inspection.PASSED_THROUGH,
                rule.upstreamCa(),
                rule.budget());
    }

    @Test
    void a_destination_is_opened_unless_every_layer_passes_it_through() {
        var policy = effective(
                organisation(new Draft().hosts(closed("a.test"), HostRule.ofHost("b.test"))),
                project(new Draft().hosts(closed("a.test"), closed("b.test"), Draft.tcp("c.test", 5432))));

        assertThat(policy.destination(new HostName("a.test"), 443).inspection())
                .isEqualTo(HostRule.Inspection.PASSED_THROUGH);
        assertThat(policy.destination(new HostName("b.test"), 443).inspection()).isEqualTo(HostRule.Inspection.OPENED);
        assertThat(policy.destination(new HostName("b.test"), 443).addresses()).containsExactly(List.of("10.0.0.5"));
        assertThat(policy.destination(new HostName("c.test"), 5432).inspection())
                .isEqualTo(HostRule.Inspection.PASSED_THROUGH);
        assertThat(policy.destination(new HostName("other.test"), 443).rules()).isEmpty();
    }

    @Test
    void every_layer_with_an_opinion_has_to_allow() {
        var policy = effective(
                organisation(new Draft().hosts(Draft.rule("* *.corp.test"))),
                user(new Draft().mounts("/workspace rw session-copy")),
                project(new Draft().hosts(Draft.rule("* a.corp.test"), Draft.rule("* evil.test"))));
        assertThat(policy.judge(get("a.corp.test"))).isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(get("evil.test"))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(get("b.corp.test"))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.hostRules(new HostName("a.corp.test"), 443))
                .extracting(EffectivePolicy.LayeredRule::rank)
                .containsExactly(Rank.ORGANISATION, Rank.PROJECT);
    }

    @Test
    void silence_of_all_is_denial_except_for_programs() {
        var policy = effective(organisation(new Draft()), user(new Draft()));
        assertThat(policy.judge(get("x.test")))
                .extracting(d -> ((Decision.Deny) d).detail())
                .isEqualTo("no policy file says anything about it");
        assertThat(policy.judge(new Action.FsRead(new GuestPath("/workspace")))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(exec("ls"))).isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(exec("sh", "-c", "id"))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.programs()).isEmpty();
    }

    @Test
    void an_empty_list_in_any_layer_grants_nothing() {
        var policy = effective(user(new Draft().programs()), project(new Draft().programs("git")));
        assertThat(policy.judge(exec("git"))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.programs()).contains(List.of());
    }

    @Test
    void the_strongest_isolation_the_strictest_mode_and_the_smallest_limits_hold() {
        var policy = effective(
                project(new Draft()
                        .isolation(Isolation.PROCESS)
                        .mode(Mode.OBSERVE)
                        .resources(limits("4GiB", "1h"))),
                organisation(new Draft()
                        .isolation(Isolation.GVISOR)
                        .mode(Mode.ENFORCE)
                        .resources(limits("2GiB", "2h"))
                        .origin("/min_isolation", "org.yaml", 3)
                        .origin("/resources", "org.yaml", 8)));
        assertThat(policy.isolation())
                .isEqualTo(new Sourced<>(
                        Isolation.GVISOR,
                        Optional.of(Rank.ORGANISATION),
                        organisation(new Draft().origin("", "org.yaml", 3))
                                .document()
                                .origins()
                                .at("")));
        assertThat(policy.mode().value()).isEqualTo(Mode.ENFORCE);
        assertThat(policy.resources().memory()).contains(ByteSize.parse("m", "2GiB"));
        assertThat(policy.resources().timeout()).contains(TimeSpan.parse("t", "1h"));
        assertThat(policy.resources().processes()).isEmpty();
        assertThat(policy.lines())
                .extracting(line -> line.field() + "=" + line.value() + " "
                        + line.rank().map(Enum::name).orElse("-") + " "
                        + line.origin().map(Object::toString).orElse("-"))
                .contains(
                        "min_isolation=gvisor ORGANISATION org.yaml:3:1",
                        "resources.memory=2GiB ORGANISATION org.yaml:8:1",
                        "resources.timeout=1h PROJECT -");
        assertThat(effective(user(new Draft())).isolation().value()).isEqualTo(Isolation.NAMESPACES);
    }

    private static Resources limits(String memory, String timeout) {
        return new Resources(
                Optional.empty(),
                Optional.of(ByteSize.parse("m", memory)),
                Optional.<Count>empty(),
                Optional.of(TimeSpan.parse("t", timeout)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void observing_ends_where_a_layer_enforces() {
        var watching = new Draft().mode(Mode.OBSERVE).reach(NetSection.Reach.OBSERVE);
        assertThat(effective(user(watching)).judge(get("any.test"))).isInstanceOf(Decision.Allow.class);
        assertThat(effective(organisation(new Draft().mode(Mode.ENFORCE)), user(watching))
                        .judge(get("any.test")))
                .isInstanceOf(Decision.Deny.class);
    }

    @Test
    void programs_are_those_on_every_list_in_the_narrower_spelling() {
        var policy = effective(
                organisation(new Draft().programs("python3.12", "git", "node")),
                project(new Draft().programs("python3", "git", "rm")));
        assertThat(policy.programs())
                .hasValueSatisfying(names -> assertThat(names).containsExactlyInAnyOrder("git", "python3.12"));
        assertThat(policy.judge(exec("python3.12", "s.py"))).isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(exec("python3.11", "s.py"))).isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(exec("rm", "x"))).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void variables_and_waivers_are_those_that_all_name() {
        var policy = effective(
                organisation(new Draft().variables("LANG", "TZ").waive("git-hooks")),
                user(new Draft().programs("git")),
                project(new Draft().variables("TZ", "FOO").waive("git-hooks", "agent-config")));
        assertThat(policy.callerVariables()).containsExactly("TZ");
        assertThat(policy.files().waive()).containsExactly("git-hooks");
        assertThat(effective(user(new Draft().hide("**/.env")), project(new Draft().waive("git-hooks")))
                        .files()
                        .waive())
                .isEmpty();
        assertThat(effective(user(new Draft()), project(new Draft().waive("git-hooks")))
                        .files()
                        .waive())
                .containsExactly("git-hooks");
        assertThat(effective(user(new Draft())).callerVariables()).isEmpty();
    }

    @Test
    void mounts_are_narrowed_to_what_higher_layers_have() {
        var policy = effective(
                user(new Draft()
                        .mounts("/workspace rw session-copy", "/data ro /srv/data", "/workspace/keys ro tmpfs")
                        .hide("**/.env")),
                project(new Draft()
                        .mounts(
                                "/workspace rw session-copy",
                                "/data/a rw /srv/data/a",
                                "/data/b ro /etc",
                                "/etc ro /etc",
                                "/data/t rw tmpfs")
                        .hide("/workspace/x")));
        assertThat(policy.files().mounts())
                .extracting(m -> m.value().path() + " " + m.value().mode().word() + " "
                        + m.value().source())
                .containsExactly(
                        "/workspace rw session-copy",
                        "/data/a ro /srv/data/a",
                        "/data/t ro tmpfs",
                        "/workspace/keys ro tmpfs");
        assertThat(policy.files().dropped())
                .containsExactly(
                        "/data/b from /etc: a higher layer has /srv/data there",
                        "/etc from /etc: no mount of a higher layer contains it");
        assertThat(policy.files().hide()).extracting(Object::toString).containsExactly("**/.env", "/workspace/x");
        assertThat(policy.judge(new Action.FsWrite(new GuestPath("/workspace/keys/a"))))
                .isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(new Action.FsWrite(new GuestPath("/workspace/a"))))
                .isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(new Action.FsRead(new GuestPath("/workspace/.env"))))
                .isInstanceOf(Decision.Deny.class);
    }

    private static List<String> mounts(EffectivePolicy policy) {
        return policy.files().mounts().stream()
                .map(m -> m.value().path() + " " + m.value().mode().word() + " "
                        + m.value().source())
                .toList();
    }

    @Test
    void a_copy_is_less_than_the_directory_whichever_layer_asks_for_it() {
        var asked = effective(
                user(new Draft().mounts("/workspace rw /workspace", "/data ro /data")),
                project(new Draft().mounts("/workspace rw session-copy", "/data rw session-copy")));
        assertThat(mounts(asked)).containsExactly("/workspace rw session-copy", "/data ro session-copy");

        var imposed = effective(
                user(new Draft().mounts("/workspace rw session-copy")),
                project(new Draft().mounts("/workspace rw /workspace", "/workspace/other rw /srv/other")));
        assertThat(mounts(imposed)).containsExactly("/workspace rw session-copy");
        assertThat(imposed.files().dropped())
                .containsExactly("/workspace/other from /srv/other: a higher layer has session-copy there");
    }

    @Test
    void a_copy_of_one_directory_is_no_copy_of_another() {
        var policy = effective(
                user(new Draft().mounts("/data rw /srv/data")), project(new Draft().mounts("/data rw session-copy")));
        assertThat(mounts(policy)).isEmpty();
        assertThat(policy.files().dropped())
                .containsExactly("/data from session-copy: a higher layer has /srv/data there");
    }

    @Test
    void a_question_of_any_layer_is_asked_with_the_shortest_patience() {
        var asking = new ApprovalSection(
                Optional.of(TimeSpan.parse("t", "10m")),
                List.of(new ApprovalSection.Condition(
                        "http.request", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())));
        var policy = effective(
                organisation(new Draft().approval(asking)),
                user(new Draft().approval(new ApprovalSection(Optional.of(TimeSpan.parse("t", "1m")), List.of()))),
                project(new Draft().hosts(Draft.rule("* x.test"))));
        assertThat(policy.judge(get("x.test")))
                .isInstanceOfSatisfying(
                        Decision.Ask.class, ask -> assertThat(ask.patience()).isEqualTo(Duration.ofMinutes(1)));
        assertThat(policy.judge(get("y.test"))).isInstanceOf(Decision.Deny.class);
        assertThat(effective(organisation(new Draft().approval(asking))).judge(get("x.test")))
                .isInstanceOf(Decision.Deny.class);
    }

    @Test
    void credentials_are_those_of_every_layer_and_go_where_all_let_them() {
        var wide = new Credential(
                "t",
                Optional.of("T"),
                List.of("a.test", "b.test"),
                Optional.of(List.of(Credential.Place.HEADER, Credential.Place.BODY)));
        var policy = effective(
                organisation(new Draft().credentials(Draft.secret("t", "a.test"))),
                project(new Draft().credentials(wide, Draft.secret("other", "a.test"))));
        assertThat(policy.credentials())
                .containsExactly(new Credential(
                        "t",
                        Optional.of("T"),
                        List.of("a.test", "b.test"),
                        Optional.of(List.of(Credential.Place.HEADER))));
        assertThat(policy.judge(new Action.SecretUse("t", new HostName("a.test"))))
                .isInstanceOf(Decision.Allow.class);
        assertThat(policy.judge(new Action.SecretUse("t", new HostName("b.test"))))
                .isInstanceOf(Decision.Deny.class);
        assertThat(policy.judge(new Action.SecretUse("other", new HostName("a.test"))))
                .isInstanceOf(Decision.Deny.class);
    }

    @Test
    void an_explanation_names_the_layer_whose_answer_it_is() {
        var policy = effective(
                organisation(new Draft().hosts(Draft.rule("GET a.test")).origin("/net/hosts/0", "/etc/org.yaml", 4)),
                project(new Draft().hosts(Draft.rule("* a.test")).origin("/net/hosts/0", "cage.yaml", 9)));
        var denied = policy.explain(new Action.HttpRequest("PUT", new HostName("a.test"), 443, "/"));
        assertThat(denied.layer().rank()).isEqualTo(Rank.ORGANISATION);
        assertThat(denied.explanation().rules().getFirst()).hasToString("net.hosts[0] (/etc/org.yaml:4:1)");
        assertThat(policy.explain(get("a.test")).explanation().rules().getFirst())
                .hasToString("net.hosts[0] (cage.yaml:9:1)");
    }

    @Test
    void no_layer_is_no_policy() {
        assertThatThrownBy(() -> EffectivePolicy.of(List.of(), Map.of()))
                .hasMessage("layers: [] (expected: at least one)");
    }

    record Sample(List<Layer> layers, Layer more, Action action) {}

    private static Draft draw(Random random) {
        var draft = new Draft();
        var rules = List.of("* a.test", "GET *.test", "* b.a.test /x", "GET,POST a.test /x,/y");
        if (random.nextBoolean()) {
            draft.hosts(random.ints(random.nextInt(3), 0, rules.size())
                    .mapToObj(i -> Draft.rule(rules.get(i)))
                    .toArray(HostRule[]::new));
        }
        if (random.nextBoolean()) {
            draft.programs(random.nextBoolean() ? new String[] {"git", "python3"} : new String[] {"git"});
        }
        if (random.nextBoolean()) {
            draft.mounts(random.nextBoolean() ? "/workspace rw session-copy" : "/workspace ro session-copy");
        }
        return draft;
    }

    private static Sample sample(Random random) {
        var layers = new ArrayList<Layer>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            layers.add(new Layer(List.of(Rank.values()).get(i), draw(random).document()));
        }
        var actions = List.of(
                get("a.test"),
                get("b.a.test"),
                get("c.test"),
                exec("git"),
                exec("python3.12", "s.py"),
                new Action.FsWrite(new GuestPath("/workspace/a")),
                new Action.FsRead(new GuestPath("/workspace/a")));
        return new Sample(
                layers, new Layer(Rank.PROJECT, draw(random).document()), actions.get(random.nextInt(actions.size())));
    }

    /// Which layers speak of the action, by asking each alone.
    private static boolean isSpokenOf(List<Layer> layers, Action action) throws BadPolicyException {
        for (Layer layer : layers) {
            if (CompiledPolicy.compile(layer.document()).speaksOf(action)) {
                return true;
            }
        }
        return action instanceof Action.ProcExec;
    }

    @Test
    void a_further_layer_takes_nothing_back_that_was_denied_by_rule() {
        new Property<>(EffectivePolicyTest::sample, _ -> List.of()).holds(3_000, sample -> {
            try {
                var before = EffectivePolicy.of(sample.layers(), Map.of()).judge(sample.action());
                var all = new ArrayList<>(sample.layers());
                all.add(sample.more());
                var after = EffectivePolicy.of(all, Map.of()).judge(sample.action());
                if (before instanceof Decision.Deny && isSpokenOf(sample.layers(), sample.action())) {
                    assertThat(after).isInstanceOf(Decision.Deny.class);
                }
                var alone = CompiledPolicy.compile(sample.more().document());
                if (alone.speaksOf(sample.action()) && alone.judge(sample.action()) instanceof Decision.Deny) {
                    assertThat(after).isInstanceOf(Decision.Deny.class);
                }
            } catch (BadPolicyException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void one_layer_means_what_the_document_means_alone() {
        new Property<>(EffectivePolicyTest::sample, _ -> List.of()).holds(3_000, sample -> {
            PolicyDocument document = sample.more().document();
            try {
                var alone = CompiledPolicy.compile(document).judge(sample.action());
                var layered =
                        EffectivePolicy.of(List.of(sample.more()), Map.of()).judge(sample.action());
                assertThat(layered instanceof Decision.Allow).isEqualTo(alone instanceof Decision.Allow);
            } catch (BadPolicyException e) {
                throw new AssertionError(e);
            }
        });
    }
}
