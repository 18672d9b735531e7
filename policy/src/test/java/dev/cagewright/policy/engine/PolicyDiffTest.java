package dev.cagewright.policy.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.ApprovalSection.Condition;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.property.Property;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Cpus;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PolicyDiffTest {

    private static List<String> diff(Draft before, Draft after) {
        try {
            return PolicyDiff.between(before.document(), after.document(), Terms.ALONE).stream()
                    .map(PolicyDiff.Change::toString)
                    .toList();
        } catch (BadPolicyException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void hosts_methods_and_paths() {
        assertThat(diff(
                        new Draft().hosts(Draft.rule("GET a.test /x/**")),
                        new Draft().hosts(Draft.rule("GET,POST a.test /x/1,/y"), Draft.rule("* *.b.test"))))
                .containsExactly(
                        "+ net.hosts: GET a.test:80 /y",
                        "+ net.hosts: GET a.test:443 /y",
                        "+ net.hosts: POST a.test:80 /x/1",
                        "+ net.hosts: POST a.test:443 /x/1",
                        "+ net.hosts: POST a.test:80 /y",
                        "+ net.hosts: POST a.test:443 /y",
                        "+ net.hosts: any method *.b.test:80",
                        "+ net.hosts: any method *.b.test:443",
                        "- net.hosts: GET a.test:80 /x/**",
                        "- net.hosts: GET a.test:443 /x/**");
    }

    private static List<String> overlaps(HostRule... rules) throws BadPolicyException {
        return CompiledPolicy.compile(new Draft().hosts(rules).document(), Terms.ALONE)
                .overlaps();
    }

    @Test
    void an_entry_that_does_not_narrow_a_wider_one_is_told_beside_one_that_has_nothing_to_narrow() throws Exception {
        assertThat(overlaps(Draft.rule("* *.a.test"), Draft.rule("GET api.a.test /x/**")))
                .containsExactly(
                        "net.hosts[1]: net.hosts[0] lets more through to api.a.test, and this entry takes nothing"
                                + " of that away (entries only add; to narrow it, name the hosts that are wanted instead of the"
                                + " pattern)");
        assertThat(overlaps(Draft.rule("GET *.a.test"), Draft.rule("GET,POST api.a.test")))
                .isEmpty();
        assertThat(overlaps(Draft.rule("GET *.a.test"), Draft.rule("POST api.a.test"), Draft.rule("GET api.a.test")))
                .isEmpty();
        assertThat(overlaps(Draft.rule("* *.a.test"), Draft.rule("GET a.test"), Draft.rule("GET api.b.a-test")))
                .as("names that the pattern does not mean")
                .isEmpty();
        assertThat(overlaps(Draft.rule("* *.a.test"), Draft.rule("GET *.b.a.test")))
                .hasSize(1);
    }

    @Test
    void an_entry_never_takes_away_what_another_lets_through() throws Exception {
        var wide = new Draft().hosts(Draft.rule("GET *.a.test"));
        var both = new Draft().hosts(Draft.rule("GET *.a.test"), Draft.rule("POST api.a.test /x"));
        for (Draft draft : List.of(wide, both)) {
            var judge = CompiledPolicy.compile(draft.document(), Terms.ALONE);
            assertThat(judge.judge(new Action.HttpRequest("GET", new HostName("api.a.test"), 443, "/y")))
                    .isInstanceOf(Decision.Allow.class);
            assertThat(judge.judge(new Action.HttpRequest("DELETE", new HostName("api.a.test"), 443, "/x")))
                    .isInstanceOf(Decision.Deny.class);
        }
    }

    private static HostRule rule(HostRule.Inspection inspection, long requests) {
        var rate = new Budget.Rate(requests, Budget.Per.DAY);
        return new HostRule(
                new HostRule.Target.Host("a.test"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(443)),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                inspection,
                Optional.empty(),
                new Budget(Optional.of(rate), Optional.empty(), Optional.empty()));
    }

    @Test
    void a_larger_budget_and_closed_traffic_are_news() {
        var before = new Draft().hosts(rule(HostRule.Inspection.OPENED, 100));
        assertThat(diff(before, new Draft().hosts(rule(HostRule.Inspection.OPENED, 101))))
                .containsExactly("+ net.hosts: any method a.test:443 with a budget of requests 101/day");
        assertThat(diff(before, new Draft().hosts(rule(HostRule.Inspection.OPENED, 99))))
                .containsExactly("- net.hosts: any method a.test:443 with a budget of requests 100/day");
        assertThat(diff(before, new Draft().hosts(rule(HostRule.Inspection.PASSED_THROUGH, 100))))
                .containsExactly("+ net.hosts: any method a.test:443 unopened with a budget of requests 100/day");
    }

    private static HostRule at(String... addresses) {
        return new HostRule(
                new HostRule.Target.Host("a.test"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(443)),
                HostRule.Protocol.HTTP,
                addresses.length == 0 ? Optional.empty() : Optional.of(List.of(addresses)),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    @Test
    void addresses_are_news_also_where_there_were_none_because_they_may_be_private() {
        assertThat(diff(new Draft().hosts(at()), new Draft().hosts(at("10.0.0.5"))))
                .containsExactly(
                        "+ net.hosts: any method a.test:443 at 10.0.0.5", "- net.hosts: any method a.test:443");
        assertThat(diff(new Draft().hosts(at("10.0.0.5", "10.0.0.6")), new Draft().hosts(at("10.0.0.5"))))
                .containsExactly("- net.hosts: any method a.test:443 at 10.0.0.5, 10.0.0.6");
        assertThat(diff(new Draft().hosts(at("10.0.0.5")), new Draft().hosts(at("10.0.0.5"))))
                .isEmpty();
    }

    @Test
    void the_same_or_less_is_no_news() {
        var draft = new Draft()
                .hosts(Draft.rule("GET *.a.test /x/**"))
                .programs("git")
                .mounts("/workspace rw tmpfs");
        assertThat(diff(draft, draft)).isEmpty();
        assertThat(diff(
                        draft,
                        new Draft()
                                .hosts(Draft.rule("GET b.a.test /x/1"))
                                .programs("git")
                                .mounts("/workspace ro tmpfs")))
                .allMatch(line -> line.startsWith("- ") || line.equals("+ fs.mounts: /workspace ro from tmpfs"))
                .contains("- net.hosts: GET *.a.test:443 /x/**", "- fs.mounts: /workspace rw from tmpfs")
                .doesNotContain("+ fs.mounts: /workspace ro from tmpfs");
    }

    @Test
    void programs_files_secrets_questions_limits_and_isolation() {
        var before = new Draft()
                .isolation(Isolation.GVISOR)
                .mode(Mode.LOCKDOWN)
                .programs("git")
                .hide("**/.env")
                .mounts("/workspace ro session-copy", "/workspace/k ro tmpfs")
                .approval(Draft.asking(new Condition(
                        "http.request",
                        Optional.of(List.of("POST")),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())))
                .resources(new Resources(
                        Optional.of(new Cpus(1000)),
                        Optional.of(new ByteSize(1024)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
        var after = new Draft()
                .isolation(Isolation.NAMESPACES)
                .programs("git", "rm")
                .variables("LANG")
                .waive("git-hooks")
                .mounts("/workspace rw session-copy")
                .credentials(Draft.secret("s", "github"))
                .resources(new Resources(
                        Optional.empty(),
                        Optional.of(new ByteSize(512)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(diff(before, after))
                .containsExactlyInAnyOrder(
                        "+ exec.allowlist: rm",
                        "+ exec.env: LANG",
                        "+ fs.mounts: /workspace rw from session-copy",
                        "+ fs.mounts: /workspace/k as its surroundings are",
                        "+ fs.hide: **/.env is seen",
                        "+ fs.waive: git-hooks",
                        "+ credentials: s to github in the header",
                        "+ approval.require_for: http.request POST without asking",
                        "- fs.mounts: /workspace/k ro from tmpfs",
                        "+ resources.cpus: 1 becomes no limit",
                        "- resources.memory: 1KiB becomes 512B",
                        "+ min_isolation: gvisor becomes namespaces",
                        "+ mode: lockdown becomes enforce");
        assertThat(diff(new Draft().programs("git"), new Draft())).containsExactly("+ exec.allowlist: any program");
        assertThat(diff(new Draft().hosts(), new Draft().mode(Mode.OBSERVE).reach(NetSection.Reach.OBSERVE)))
                .contains("+ net.hosts: any host, observed");
    }

    record Pair(PolicyDocument before, PolicyDocument after, Action action) {}

    private static PolicyDocument draw(Random random) {
        var hosts = List.of("a.test", "*.test", "b.a.test", "*.a.test");
        var methods = List.of("*", "GET", "GET,POST");
        var paths = List.of("", " /x", " /x/**", " /*", " /**/y", " /x/*,/z");
        var rules = random.ints(random.nextInt(4), 0, 1 << 20)
                .mapToObj(i -> Draft.rule(methods.get(i % 3) + " " + hosts.get(i / 3 % 4) + paths.get(i / 12 % 6)))
                .toArray(HostRule[]::new);
        var draft = new Draft().hosts(rules).mounts(random.nextBoolean() ? "/w rw tmpfs" : "/w ro tmpfs");
        return (random.nextBoolean() ? draft.programs("git", "python3") : draft.programs("python3.12")).document();
    }

    private static Pair pair(Random random) {
        var hosts = List.of("a.test", "b.a.test", "c.test", "d.b.a.test");
        var paths = List.of("/", "/x", "/x/y", "/x/1/y", "/z");
        Action action = switch (random.nextInt(8)) {
            case 0 -> new Action.FsWrite(new GuestPath("/w/a"));
            case 1 ->
                new Action.ProcExec(
                        List.of(ByteString.of(random.nextBoolean() ? "python3.12" : "git")), new GuestPath("/"));
            default ->
                new Action.HttpRequest(
                        List.of("GET", "POST", "PUT").get(random.nextInt(3)),
                        new HostName(hosts.get(random.nextInt(4))),
                        random.nextBoolean() ? 443 : 80,
                        paths.get(random.nextInt(5)));
        };
        return new Pair(draw(random), draw(random), action);
    }

    @Test
    void nothing_is_newly_allowed_without_being_named() {
        new Property<>(PolicyDiffTest::pair, _ -> List.of()).holds(3_000, pair -> {
            try {
                var before = CompiledPolicy.compile(pair.before()).judge(pair.action());
                var after = CompiledPolicy.compile(pair.after()).judge(pair.action());
                var changes = PolicyDiff.between(pair.before(), pair.after(), Terms.ALONE);
                if (before instanceof Decision.Deny && after instanceof Decision.Allow) {
                    assertThat(changes).anyMatch(change -> change.effect() == PolicyDiff.Effect.NEWLY_ALLOWED);
                }
                if (before instanceof Decision.Allow && after instanceof Decision.Deny) {
                    assertThat(changes).anyMatch(change -> change.effect() == PolicyDiff.Effect.NEWLY_DENIED);
                }
            } catch (BadPolicyException e) {
                throw new AssertionError(e);
            }
        });
    }
}
