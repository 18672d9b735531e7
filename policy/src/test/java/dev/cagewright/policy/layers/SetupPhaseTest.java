package dev.cagewright.policy.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.Phases;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.Draft;
import dev.cagewright.policy.engine.PolicyDiff;
import dev.cagewright.policy.engine.Terms;
import dev.cagewright.policy.layers.Layer.Rank;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What holds while the set-up of a policy runs.
class SetupPhaseTest {
    private static final List<String> COMMAND = List.of("npm", "ci");

    private static PolicyDocument withSetup(Draft draft, Optional<Draft> setup) {
        var own = draft.document();
        return new PolicyDocument(
                own.tool(),
                own.minIsolation(),
                own.mode(),
                own.command(),
                own.fs(),
                own.net(),
                own.credentials(),
                own.exec(),
                own.approval(),
                own.resources(),
                own.inspect(),
                own.capture(),
                Optional.of(new Phases(
                        new Phases.Setup(COMMAND, setup.map(Draft::document).flatMap(PolicyDocument::net)))),
                own.mcp(),
                own.origins());
    }

    private static Draft hosts(String... names) {
        var rules = List.of(names).stream().map(HostRule::ofHost).toArray(HostRule[]::new);
        return new Draft().hosts(rules);
    }

    private static EffectivePolicy effective(Layer... layers) throws BadPolicyException {
        return EffectivePolicy.of(List.of(layers), Map.of());
    }

    private static boolean allows(EffectivePolicy policy, String host) {
        return policy.judge(new Action.HttpRequest("GET", new HostName(host), 443, "/x")) instanceof Decision.Allow;
    }

    @Test
    void each_phase_has_its_own_hosts_and_not_the_others() throws BadPolicyException {
        var policy =
                effective(new Layer(Rank.PROJECT, withSetup(hosts("api.test"), Optional.of(hosts("mirror.test")))));
        var setup = policy.setup().orElseThrow();

        assertThat(policy.setupCommand()).contains(COMMAND);
        assertThat(allows(setup, "mirror.test")).isTrue();
        assertThat(allows(setup, "api.test")).isFalse();
        assertThat(allows(policy, "api.test")).isTrue();
        assertThat(allows(policy, "mirror.test")).isFalse();
        assertThat(setup.setup()).isEmpty();
        assertThat(effective(new Layer(Rank.PROJECT, hosts("api.test").document()))
                        .setup())
                .isEmpty();
    }

    @Test
    void a_set_up_that_names_no_network_has_none() throws BadPolicyException {
        var policy = effective(
                new Layer(Rank.ORGANISATION, hosts("api.test").document()),
                new Layer(Rank.PROJECT, withSetup(hosts("api.test"), Optional.empty())));

        assertThat(allows(policy, "api.test")).isTrue();
        assertThat(allows(policy.setup().orElseThrow(), "api.test")).isFalse();
    }

    @Test
    void a_set_up_goes_only_where_the_layers_above_let_it() throws BadPolicyException {
        var project = new Layer(
                Rank.PROJECT, withSetup(new Draft(), Optional.of(hosts("mirror.test", "other.test", "api.test"))));
        var above = effective(
                        new Layer(
                                Rank.ORGANISATION,
                                hosts("mirror.test", "api.test").document()),
                        project)
                .setup()
                .orElseThrow();
        assertThat(allows(above, "mirror.test")).isTrue();
        assertThat(allows(above, "other.test")).isFalse();

        var phased = effective(
                        new Layer(Rank.ORGANISATION, withSetup(hosts("api.test"), Optional.of(hosts("mirror.test")))),
                        project)
                .setup()
                .orElseThrow();
        assertThat(allows(phased, "mirror.test")).isTrue();
        assertThat(allows(phased, "api.test")).isFalse();

        var closed = effective(
                        new Layer(
                                Rank.USER,
                                new Draft().reach(NetSection.Reach.NONE).document()),
                        project)
                .setup()
                .orElseThrow();
        assertThat(allows(closed, "mirror.test")).isFalse();
    }

    @Test
    void aliases_and_the_way_out_hold_in_both_phases() throws BadPolicyException {
        var proxy = Upstream.Proxy.parse("p", "http://corp.test:3128");
        var policy = effective(new Layer(
                Rank.PROJECT,
                withSetup(
                        hosts("api.test")
                                .aliases(Map.of("mirror", "mirror.test"))
                                .upstream(new Upstream(Optional.of(proxy), Optional.of("/corp.pem"))),
                        Optional.of(hosts("mirror.test")))));
        var setup = policy.setup().orElseThrow();

        assertThat(setup.upstreamProxy()).contains(proxy);
        assertThat(setup.upstreamRoots()).contains("/corp.pem");
        assertThat(setup.upstream(new HostName("mirror.internal"))).isEqualTo(new HostName("mirror.test"));
    }

    @Test
    void its_rules_are_named_by_their_own_lines() throws BadPolicyException {
        var draft = hosts("api.test")
                .origin("", "p.yaml", 1)
                .origin("/net", "p.yaml", 2)
                .origin("/net/hosts/0", "p.yaml", 4)
                .origin("/phases/setup", "p.yaml", 6)
                .origin("/phases/setup/net", "p.yaml", 8)
                .origin("/phases/setup/net/hosts/0", "p.yaml", 10);
        var policy = effective(new Layer(Rank.PROJECT, withSetup(draft, Optional.of(hosts("mirror.test")))));
        var get = new Action.HttpRequest("GET", new HostName("mirror.test"), 443, "/x");

        var explained = policy.setup().orElseThrow().explain(get).explanation();
        assertThat(explained.rules().getFirst().toString()).contains("net.hosts[0]", "p.yaml:10:1");
        assertThat(policy.lines().stream()
                        .map(line -> line.field() + " " + line.value() + " "
                                + line.origin().map(Object::toString).orElse("")))
                .contains(
                        "net.hosts[0] api.test p.yaml:4:1",
                        "phases.setup.net.hosts[0] mirror.test p.yaml:10:1",
                        "phases.setup.command npm ci p.yaml:6:1");
    }

    @Test
    void what_is_wrong_with_it_is_told_in_its_own_words() {
        var rule = Draft.rule("GET a.test");
        var bad = new HostRule(
                new HostRule.Target.Alias("nobody"),
                rule.methods(),
                rule.paths(),
                rule.ports(),
                rule.protocol(),
                rule.addresses(),
                rule.inspection(),
                rule.upstreamCa(),
                rule.budget());
        assertThatThrownBy(() ->
                        effective(new Layer(Rank.PROJECT, withSetup(new Draft(), Optional.of(new Draft().hosts(bad))))))
                .isInstanceOf(BadPolicyException.class)
                .hasMessageContaining("phases.setup.net.hosts[0].alias: \"nobody\"");
    }

    @Test
    void a_difference_of_the_set_up_is_one_of_the_policy() throws BadPolicyException {
        var before = withSetup(hosts("api.test"), Optional.of(hosts("mirror.test")));
        var after = withSetup(hosts("api.test"), Optional.of(hosts("other.test")));
        assertThat(PolicyDiff.between(before, after, Terms.ALONE).stream().map(Object::toString))
                .containsExactly(
                        "+ phases.setup.net.hosts: any method other.test:80",
                        "+ phases.setup.net.hosts: any method other.test:443",
                        "- phases.setup.net.hosts: any method mirror.test:80",
                        "- phases.setup.net.hosts: any method mirror.test:443");
        assertThat(PolicyDiff.between(hosts("api.test").document(), before, Terms.ALONE).stream()
                        .map(Object::toString))
                .contains("+ phases.setup.command: npm ci", "+ phases.setup.net.hosts: any method mirror.test:443");
        assertThat(PolicyDiff.between(before, before, Terms.ALONE)).isEmpty();
    }
}
