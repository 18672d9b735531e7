package dev.cagewright.policy.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.property.Property;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExplanationTest {

    private static Draft draft() {
        return new Draft()
                .mounts("/workspace rw session-copy", "/opt ro /opt")
                .hide("/workspace/private", "**/.env")
                .hosts(
                        Draft.rule("GET,PUT a.test /x/**,/y/*"),
                        Draft.rule("* *.b.test"),
                        Draft.tcp("db.internal", 5432))
                .credentials(Draft.secret("s", "a.test"))
                .programs("git", "python3")
                .origin("/net/hosts/0", "cage.yaml", 14)
                .origin("/exec/allowlist", "cage.yaml", 30)
                .origin("/fs/mounts/1", "cage.yaml", 5);
    }

    private static <T> T one(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static final List<String> HOSTS =
            List.of("a.test", "c.b.test", "b.test", "db.internal", "x.test", "metadata.x", "127.1", "10.0.0.1");
    private static final List<String> PATHS = List.of(
            "/workspace/a",
            "/workspace/private/a",
            "/opt/x",
            "/etc/passwd",
            "/workspace/l/.env",
            "/workspace/../opt/b");
    private static final List<List<String>> ARGVS = List.of(
            List.of("git", "status"),
            List.of("sh", "-c", "id"),
            List.of("python3", "s.py"),
            List.of("rm", "x"),
            List.of("./git"),
            List.of("/opt/tool"),
            List.of("env", "A=1", "make"),
            List.of("awk", "1"),
            List.of("/tmp/x"));

    private static Action draw(Random random) {
        var host = new HostName(one(random, HOSTS));
        return switch (random.nextInt(7)) {
            case 0 ->
                new Action.HttpRequest(
                        one(random, List.of("GET", "PUT", "BREW")),
                        host,
                        one(random, List.of(443, 80, 8443, 5432)),
                        one(random, List.of("/x/1", "/y/1", "/y/1/2", "/", "/a%2Ab", "/a*b,{c}")));
            case 1 -> new Action.NetConnect(host, one(random, List.of(443, 5432, 22)));
            case 2 -> new Action.DnsLookup(host);
            case 3 -> new Action.SecretUse(one(random, List.of("s", "t")), host);
            case 4 -> new Action.FsRead(GuestPath.canonical(one(random, PATHS)));
            case 5 -> new Action.FsWrite(GuestPath.canonical(one(random, PATHS)));
            default ->
                new Action.ProcExec(
                        one(random, ARGVS).stream().map(ByteString::of).toList(), new GuestPath("/workspace"));
        };
    }

    private static final Property<Action> ACTIONS = new Property<>(ExplanationTest::draw, _ -> List.of());

    @Test
    void B178_what_is_explained_is_what_is_decided() {
        var policy = draft().compile();
        ACTIONS.holds(2_000, action -> {
            var explanation = policy.explain(action);
            assertThat(explanation.decision()).isEqualTo(policy.judge(action));
            assertThat(explanation.rules())
                    .extracting(Explanation.Line::rule)
                    .isEqualTo(policy.judge(action).because());
            assertThat(explanation.remedy().isPresent()).isEqualTo(policy.judge(action) instanceof Decision.Deny);
        });
    }

    /// A remedy may be one of several that are needed, when several programs are missing.
    private static Decision afterRemedies(PolicyDocument document, Action action) {
        var changed = document;
        for (int i = 0; i < 3; i++) {
            var policy = compiled(changed);
            var remedy = policy.explain(action).remedy();
            if (remedy.isEmpty() || remedy.get() instanceof Remedy.None) {
                return policy.judge(action);
            }
            changed = Draft.with(changed, remedy.get());
        }
        return compiled(changed).judge(action);
    }

    private static CompiledPolicy compiled(PolicyDocument document) {
        try {
            return CompiledPolicy.compile(document);
        } catch (BadPolicyException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_remedy_allows_the_action_unless_nothing_can() {
        var document = draft().document();
        var policy = compiled(document);
        ACTIONS.holds(2_000, action -> {
            var remedy = policy.explain(action).remedy();
            if (remedy.isPresent() && !(remedy.get() instanceof Remedy.None)) {
                assertThat(afterRemedies(document, action))
                        .as("%s", remedy.get().yaml())
                        .isInstanceOf(Decision.Allow.class);
            }
        });
    }

    private static Explanation explain(Action action) {
        return draft().compile().explain(action);
    }

    private static Action.ProcExec exec(String... argv) {
        return new Action.ProcExec(Arrays.stream(argv).map(ByteString::of).toList(), new GuestPath("/workspace"));
    }

    @Test
    void a_near_miss_names_the_rule_its_line_and_the_narrowest_entry() {
        var explanation = explain(new Action.HttpRequest("POST", new HostName("a.test"), 443, "/x/1"));
        assertThat(explanation.rules())
                .extracting(Explanation.Line::toString)
                .containsExactly("net.hosts[0] (cage.yaml:14:1)", "default:deny (built in)");
        assertThat(explanation.remedy().orElseThrow().yaml())
                .isEqualTo("net:\n  hosts:\n    - {host: a.test, methods: [POST], paths: [/x/1]}");
    }

    @Test
    void odd_paths_are_quoted_and_mean_themselves_only() {
        var explanation = explain(new Action.HttpRequest("GET", new HostName("x.test"), 8443, "/a*b,{c}"));
        assertThat(explanation.remedy().orElseThrow().yaml())
                .isEqualTo(
                        "net:\n  hosts:\n    - {host: x.test, methods: [GET], paths: [\"/a%2Ab%2C%7Bc%7D\"], ports: [8443]}");
    }

    @Test
    void a_program_that_is_not_listed_gets_its_line() {
        var explanation = explain(exec("env", "A=1", "make"));
        assertThat(explanation.rules().getFirst()).hasToString("exec.allowlist (cage.yaml:30:1)");
        assertThat(explanation.remedy().orElseThrow().yaml()).isEqualTo("exec:\n  allowlist:\n    - env");
    }

    @Test
    void code_in_arguments_has_no_line_that_allows_it() {
        var explanation = explain(exec("sh", "-c", "echo pwned"));
        assertThat(explanation.rules().getFirst()).hasToString("deny:shell (built in)");
        assertThat(explanation.remedy().orElseThrow().yaml())
                .startsWith("# no policy allows this: put the code into a file");
    }

    @Test
    void a_read_only_mount_is_named_for_a_write() {
        assertThat(explain(new Action.FsWrite(new GuestPath("/opt/x")))
                        .remedy()
                        .orElseThrow()
                        .yaml())
                .isEqualTo("# in fs.mounts[1]\nmode: rw");
        assertThat(explain(new Action.FsRead(new GuestPath("/etc/passwd")))
                        .remedy()
                        .orElseThrow()
                        .yaml())
                .isEqualTo("fs:\n  mounts:\n    - {path: /etc/passwd, mode: ro, source: SOURCE}");
    }
}
