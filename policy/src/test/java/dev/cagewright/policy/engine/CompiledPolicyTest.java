package dev.cagewright.policy.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.ApprovalSection.Condition;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.NetSection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledPolicyTest {

    /// The example that introduces the policy file: an updater with a copied workspace and two destinations.
    private static CompiledPolicy updater() {
        return new Draft()
                .isolation(Isolation.MICROVM)
                .mounts("/workspace rw session-copy", "/opt/data ro /srv/data")
                .hide("/workspace/private", "**/.env")
                .reach(NetSection.Reach.ALLOWLIST)
                .hosts(
                        Draft.rule("GET registry.example.org"),
                        Draft.alias("github", "GET,POST", "/repos/acme/app/**"),
                        Draft.tcp("db.internal", 5432))
                .credentials(Draft.secret("github_token", "github"))
                .programs("dependency-updater", "git", "python3", "node")
                .approval(Draft.asking(new Condition(
                        "http.request",
                        Optional.of(List.of("POST")),
                        Optional.of(List.of("github")),
                        Optional.empty(),
                        Optional.empty())))
                .compile();
    }

    private static Action.ProcExec exec(String... argv) {
        return new Action.ProcExec(Arrays.stream(argv).map(ByteString::of).toList(), new GuestPath("/workspace"));
    }

    private static Action.HttpRequest request(String method, String host, String path) {
        return new Action.HttpRequest(method, new HostName(host), 443, path);
    }

    private static String told(Decision decision) {
        return switch (decision) {
            case Decision.Allow(var because, var _) -> "allow " + because.getFirst();
            case Decision.Ask(var because, var patience) -> "ask " + because.getFirst() + " " + patience;
            case Decision.Deny(var because, DenyCode code, var _) -> code + " " + because.getFirst();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "GET,registry.example.org,/x,allow net.hosts[0]",
        "GET,REGISTRY.example.org.,/,allow net.hosts[0]",
        "POST,registry.example.org,/x,NO_RULE net.hosts[0]",
        "GET,evil.registry.example.org,/x,NO_RULE default:deny",
        "GET,api.github.com,/repos/acme/app/issues/1,allow net.hosts[1]",
        "GET,github.internal,/repos/acme/app/issues/1,allow net.hosts[1]",
        "POST,api.github.com,/repos/acme/app/issues,ask approval.require_for[0] PT5M",
        "POST,api.github.com,/repos/acme/other,NO_RULE net.hosts[1]",
        "GET,api.github.com,/repos/acme/app/../other,NO_RULE net.hosts[1]",
        "GET,api.github.com,/repos/acme/app/%2e%2e/other,NO_RULE net.hosts[1]",
        "DELETE,api.github.com,/repos/acme/app,NO_RULE net.hosts[1]",
        "GET,github.com,/repos/acme/app,NO_RULE default:deny",
        "GET,db.internal,/,NO_RULE net.hosts[2]"
    })
    void requests_are_judged_by_host_method_and_path(String method, String host, String path, String expected) {
        assertThat(told(updater().judge(request(method, host, path)))).isEqualTo(expected);
    }

    @Test
    void connections_and_lookups_are_judged_by_host_and_port() {
        var policy = updater();
        assertThat(told(policy.judge(new Action.NetConnect(new HostName("db.internal"), 5432))))
                .isEqualTo("allow net.hosts[2]");
        assertThat(told(policy.judge(new Action.NetConnect(new HostName("db.internal"), 5433))))
                .isEqualTo("NO_RULE net.hosts[2]");
        assertThat(told(policy.judge(new Action.NetConnect(new HostName("registry.example.org"), 80))))
                .isEqualTo("allow net.hosts[0]");
        assertThat(told(policy.judge(new Action.DnsLookup(new HostName("db.internal")))))
                .isEqualTo("allow net.hosts[2]");
        assertThat(told(policy.judge(new Action.DnsLookup(new HostName("secret.evil.test")))))
                .isEqualTo("NO_RULE default:deny");
        assertThat(told(policy.judge(new Action.HttpRequest("GET", new HostName("registry.example.org"), 8443, "/"))))
                .isEqualTo("NO_RULE net.hosts[0]");
        assertThat(policy.upstream(new HostName("github.internal")).value()).isEqualTo("api.github.com");
        assertThat(policy.upstream(new HostName("db.internal")).value()).isEqualTo("db.internal");
        assertThat(policy.hostRule(new HostName("db.internal"), 5432)
                        .orElseThrow()
                        .rule()
                        .protocol())
                .isEqualTo(HostRule.Protocol.TCP);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.170.2",
                "2852039166",
                "0xa9fea9fe",
                "0xa9.254.43518",
                "0251.0376.0251.0376",
                "169.254.43518",
                "metadata",
                "metadata.google.internal",
                "METADATA.azure.internal.",
                "metadata-x.test",
                "instance-data",
                "instance-data.ec2.internal",
                "::ffff:169.254.169.254",
                "::ffff:a9fe:a9fe",
                "fd00:ec2::254",
                "fe80::a9fe:a9fe",
                "64:ff9b::a9fe:a9fe",
                "2002:a9fe:a9fe::1",
                "100.100.100.200"
            })
    void metadata_is_never_reachable_however_it_is_spelt(String host) {
        var open = new Draft()
                .mode(Mode.OBSERVE)
                .reach(NetSection.Reach.OBSERVE)
                .hosts(Draft.rule("* *.internal"), Draft.rule("* x.test"))
                .credentials(Draft.secret("s", "x.test"))
                .compile();
        var name = new HostName(host);
        for (Action action : List.of(
                request("GET", host, "/"),
                new Action.NetConnect(name, 80),
                new Action.DnsLookup(name),
                new Action.SecretUse("s", name))) {
            assertThat(told(open.judge(action))).isEqualTo("FORBIDDEN deny:metadata");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.1", "0x7f000001", "010.0.0.1", "1.2.3", "4294967296", "1.2.3.4.5", "1::2::3"})
    void an_address_in_an_odd_spelling_is_never_reachable(String host) {
        var open =
                new Draft().mode(Mode.OBSERVE).reach(NetSection.Reach.OBSERVE).compile();
        assertThat(told(open.judge(request("GET", host, "/")))).isEqualTo("FORBIDDEN deny:address");
        assertThat(told(open.judge(request("GET", "1.2.3.4", "/")))).isEqualTo("allow net.mode");
        assertThat(told(open.judge(request("GET", "xmetadata.test", "/")))).isEqualTo("allow net.mode");
        assertThat(told(open.judge(request("GET", "2001:db8::1", "/")))).isEqualTo("allow net.mode");
    }

    @Test
    void no_network_means_no_network() {
        var none = new Draft()
                .reach(NetSection.Reach.NONE)
                .hosts(Draft.rule("* x.test"))
                .compile();
        assertThat(told(none.judge(request("GET", "x.test", "/")))).isEqualTo("FORBIDDEN net.mode");
        assertThat(told(new Draft().compile().judge(request("GET", "x.test", "/"))))
                .isEqualTo("NO_RULE default:deny");
        assertThat(told(new Draft().hosts().compile().judge(new Action.DnsLookup(new HostName("x.test")))))
                .isEqualTo("NO_RULE default:deny");
    }

    @Test
    void observing_needs_the_mode_as_well() {
        var alone = new Draft()
                .reach(NetSection.Reach.OBSERVE)
                .origin("/net/mode", "cage.yaml", 7)
                .document();
        assertThatThrownBy(() -> CompiledPolicy.compile(alone))
                .isInstanceOf(BadPolicyException.class)
                .hasMessage(
                        "cage.yaml:7:1: net.mode: \"observe\" (expected: none or allowlist, or mode: observe beside it)");
    }

    @Test
    void registries_are_read_from_and_unknown_ones_grant_nothing() throws BadPolicyException {
        var document = new Draft().registries("npm", "unheard-of").document();
        var policy = CompiledPolicy.compile(
                document,
                Terms.alone(Map.of(
                        "npm",
                        new Registry.Known(List.of(
                                new Registry.Host("packages.example.test", 443, "npmrc"),
                                new Registry.Host("scoped.example.test", 4873, "npmrc"))))));
        assertThat(told(policy.judge(request("GET", "packages.example.test", "/left-pad"))))
                .isEqualTo("allow net.registries[0]");
        assertThat(told(policy.judge(request("PUT", "packages.example.test", "/left-pad"))))
                .isEqualTo("NO_RULE net.registries[0]");
        assertThat(told(policy.judge(request("GET", "unheard-of.test", "/")))).isEqualTo("NO_RULE default:deny");
        assertThat(told(policy.judge(request("GET", "scoped.example.test", "/"))))
                .isEqualTo("NO_RULE net.registries[0]");
        var scoped = new HostName("scoped.example.test");
        assertThat(told(policy.judge(new Action.HttpRequest("GET", scoped, 4873, "/x"))))
                .isEqualTo("allow net.registries[0]");
        var rule = policy.hostRule(scoped, 4873).orElseThrow();
        assertThat(rule.isOfRegistry()).isTrue();
        assertThat(rule.rule().addresses()).as("public ones").isEmpty();
    }

    @Test
    void a_registry_that_nobody_can_tell_the_hosts_of_is_a_problem_at_its_place() {
        var document = new Draft().registries("npm", "cargo").document();
        var terms = Terms.alone(Map.of("cargo", new Registry.Unknown("cargo says nothing; name its hosts")));

        assertThatThrownBy(() -> CompiledPolicy.compile(document, terms))
                .isInstanceOf(BadPolicyException.class)
                .hasMessageContaining("net.registries[1]: cargo says nothing; name its hosts");
    }

    @Test
    void a_registry_at_a_place_that_no_policy_can_allow_is_a_problem() {
        var document = new Draft().registries("npm").document();
        var terms = Terms.alone(
                Map.of("npm", new Registry.Known(List.of(new Registry.Host("169.254.169.254", 80, "npmrc")))));

        assertThatThrownBy(() -> CompiledPolicy.compile(document, terms))
                .isInstanceOf(BadPolicyException.class)
                .hasMessageContaining("169.254.169.254");
    }

    @ParameterizedTest
    @CsvSource({
        "/workspace/src/a,allow fs.mounts[0],allow fs.mounts[0]",
        "/workspace,allow fs.mounts[0],allow fs.mounts[0]",
        "/opt/data/x,allow fs.mounts[1],FORBIDDEN fs.mounts[1]",
        "/workspace2/x,NO_RULE default:deny,NO_RULE default:deny",
        "/etc/passwd,NO_RULE default:deny,NO_RULE default:deny",
        "/workspace/private/x,FORBIDDEN fs.hide[0],FORBIDDEN fs.hide[0]",
        "/workspace/privates,allow fs.mounts[0],allow fs.mounts[0]",
        "/workspace/a/.env,FORBIDDEN fs.hide[1],FORBIDDEN fs.hide[1]",
        "/workspace/.env/x,FORBIDDEN fs.hide[1],FORBIDDEN fs.hide[1]",
        "/workspace/.env2,allow fs.mounts[0],allow fs.mounts[0]",
        "/workspace/../etc/passwd,NO_RULE default:deny,NO_RULE default:deny",
        "/workspace/a/../b,allow fs.mounts[0],allow fs.mounts[0]"
    })
    void files_are_judged_by_the_innermost_mount(String path, String read, String write) {
        var policy = updater();
        assertThat(told(policy.judge(new Action.FsRead(GuestPath.canonical(path)))))
                .isEqualTo(read);
        assertThat(told(policy.judge(new Action.FsWrite(GuestPath.canonical(path)))))
                .isEqualTo(write);
    }

    @Test
    void a_secret_goes_only_where_it_is_bound() {
        var policy = updater();
        assertThat(told(policy.judge(new Action.SecretUse("github_token", new HostName("api.github.com")))))
                .isEqualTo("allow credentials[0]");
        assertThat(told(policy.judge(new Action.SecretUse("github_token", new HostName("registry.example.org")))))
                .isEqualTo("FORBIDDEN credentials[0]");
        assertThat(told(policy.judge(new Action.SecretUse("other", new HostName("api.github.com")))))
                .isEqualTo("NO_RULE default:deny");
    }

    @Test
    void questions_come_from_every_kind_of_condition() {
        var policy = new Draft()
                .mounts("/workspace rw session-copy")
                .hosts(Draft.rule("* x.test"))
                .credentials(Draft.secret("s", "x.test"))
                .approval(Draft.asking(
                        new Condition(
                                "proc.exec",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(List.of("git"))),
                        new Condition(
                                "fs.write",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(List.of("/workspace/docs/**")),
                                Optional.empty()),
                        new Condition(
                                "net.connect",
                                Optional.empty(),
                                Optional.of(List.of("x.test")),
                                Optional.empty(),
                                Optional.empty()),
                        new Condition(
                                "secret.use",
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(List.of("s"))),
                        new Condition(
                                "dns.lookup",
                                Optional.empty(),
                                Optional.of(List.of()),
                                Optional.empty(),
                                Optional.empty())))
                .compile();
        assertThat(told(policy.judge(exec("env", "git", "push")))).isEqualTo("ask approval.require_for[0] PT5M");
        assertThat(told(policy.judge(exec("ls")))).isEqualTo("allow exec:any");
        assertThat(told(policy.judge(new Action.FsWrite(new GuestPath("/workspace/docs/a")))))
                .isEqualTo("ask approval.require_for[1] PT5M");
        assertThat(told(policy.judge(new Action.FsRead(new GuestPath("/workspace/docs/a")))))
                .isEqualTo("allow fs.mounts[0]");
        assertThat(told(policy.judge(new Action.NetConnect(new HostName("x.test"), 443))))
                .isEqualTo("ask approval.require_for[2] PT5M");
        assertThat(told(policy.judge(new Action.NetConnect(new HostName("y.test"), 443))))
                .isEqualTo("NO_RULE default:deny");
        assertThat(told(policy.judge(new Action.SecretUse("s", new HostName("x.test")))))
                .isEqualTo("ask approval.require_for[3] PT5M");
        assertThat(told(policy.judge(new Action.DnsLookup(new HostName("x.test")))))
                .isEqualTo("allow net.hosts[0]");
    }

    @Test
    void a_connection_that_is_not_opened_is_asked_about_where_requests_would_be() {
        var policy = new Draft()
                .hosts(Draft.rule("* x.test"), Draft.rule("* y.test"))
                .approval(Draft.asking(new Condition(
                        "http.request",
                        Optional.of(List.of("POST")),
                        Optional.of(List.of("x.test")),
                        Optional.of(List.of("/a/**")),
                        Optional.empty())))
                .compile();
        assertThat(told(policy.judge(new Action.NetConnect(new HostName("x.test"), 443))))
                .isEqualTo("ask approval.require_for[0] PT5M");
        assertThat(told(policy.judge(new Action.NetConnect(new HostName("y.test"), 443))))
                .startsWith("allow ");
        assertThat(told(policy.judge(new Action.HttpRequest("GET", new HostName("x.test"), 443, "/a/b"))))
                .startsWith("allow ");
    }

    @Test
    void everything_that_is_wrong_is_told_at_once_with_its_line() {
        var document = new Draft()
                .hosts(
                        Draft.rule("*,G\u00cbT x.test /a/{id},b"),
                        Draft.rule("GET metadata.google.internal"),
                        Draft.alias("gh", "GET", "/a"),
                        Draft.tcp("x.test", 70_000),
                        Draft.rule("* 0x7f.1"))
                .aliases(Map.of("lab", "*.gitlab.test"))
                .credentials(Draft.secret("s", "gh"))
                .mounts("/workspace rw tmpfs", "/workspace/x/.. ro tmpfs")
                .origin("/net/hosts/0", "cage.yaml", 12)
                .document();
        assertThatThrownBy(() -> CompiledPolicy.compile(document))
                .isInstanceOfSatisfying(
                        BadPolicyException.class,
                        e -> assertThat(e.problems())
                                .extracting(BadPolicyException.Problem::pointer)
                                .containsExactlyInAnyOrder(
                                        "/net/aliases/lab",
                                        "/net/hosts/0/methods/0",
                                        "/net/hosts/0/methods/1",
                                        "/net/hosts/0/paths/0",
                                        "/net/hosts/0/paths/1",
                                        "/net/hosts/1/host",
                                        "/net/hosts/2/alias",
                                        "/net/hosts/3/ports",
                                        "/net/hosts/4/host",
                                        "/credentials/0/use_with/0",
                                        "/fs/mounts/1/path"))
                .hasMessageContaining(
                        "cage.yaml:12:1: net.hosts[0].paths[0]: \"/a/{id}\" (expected: at position 3: '*' for a variable segment, not '{...}')")
                .hasMessageContaining(
                        "net.hosts[2].alias: \"gh\" (expected: an alias of net.aliases, or one of github)");
    }

    @Test
    void unopened_traffic_has_no_methods_or_paths() {
        var closed = new HostRule(
                new HostRule.Target.Host("x.test"),
                Optional.of(List.of("GET")),
                Optional.empty(),
                Optional.empty(),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                HostRule.Inspection.PASSED_THROUGH,
                Optional.empty(),
                Budget.UNLIMITED);
        assertThatThrownBy(
                        () -> CompiledPolicy.compile(new Draft().hosts(closed).document()))
                .hasMessageStartingWith("net.hosts[0]: methods or paths of traffic that is not opened");
    }

    @Test
    void isolation_is_never_weaker_than_asked() {
        for (Isolation required : Isolation.values()) {
            for (Isolation offered : Isolation.values()) {
                var verdict = IsolationCheck.judge(required, offered);
                assertThat(verdict instanceof Decision.Allow).isEqualTo(offered.compareTo(required) >= 0);
            }
        }
        assertThat(IsolationCheck.judge(Isolation.MICROVM, Set.of(Isolation.NAMESPACES, Isolation.PROCESS)))
                .isEqualTo(new Decision.Deny(
                        List.of(Rules.ISOLATION_UNAVAILABLE, Rules.MIN_ISOLATION),
                        DenyCode.ISOLATION_UNAVAILABLE,
                        "the policy asks for microvm isolation or stronger, and this host offers process, namespaces"));
        assertThat(told(IsolationCheck.judge(Isolation.PROCESS, Set.of())))
                .isEqualTo("ISOLATION_UNAVAILABLE isolation:unavailable");
    }

    @Test
    void accepted_names_of_isolations() {
        assertThat(List.of("tier0", "tier1", "tier2", "firecracker", "process").stream()
                        .map(name -> Isolation.parse("x", name)))
                .containsExactly(
                        Isolation.NAMESPACES,
                        Isolation.GVISOR,
                        Isolation.MICROVM,
                        Isolation.MICROVM,
                        Isolation.PROCESS);
        assertThatThrownBy(() -> Isolation.parse("min_isolation", "Tier0"))
                .hasMessage(
                        "min_isolation: \"Tier0\" (expected: process, namespaces, gvisor or microvm; also tier0, tier1, tier2 and firecracker)");
    }
}
