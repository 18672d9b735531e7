package dev.cagewright.policy.token;

import static dev.cagewright.policy.token.Bench.link;
import static dev.cagewright.policy.token.Bench.rights;
import static dev.cagewright.policy.token.Bench.usual;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenJudgeTest {
    private final Bench host = new Bench();

    private static Action request(String method, String name, String path) {
        return new Action.HttpRequest(method, new HostName(name), 443, path);
    }

    private TokenJudge judge(Rights... links) {
        var chain = new ArrayList<Link>();
        for (int i = 0; i < links.length; i++) {
            chain.add(link("r" + i, links[i]));
        }
        return TokenJudge.of(host.verifier(), host.signed(chain));
    }

    private static void allows(TokenJudge judge, Action action) {
        assertThat(judge.judge(action)).as("%s", action).isInstanceOf(Decision.Allow.class);
    }

    private static void denies(TokenJudge judge, Action action, String rule) {
        assertThat(judge.judge(action)).as("%s", action).isInstanceOfSatisfying(Decision.Deny.class, deny -> {
            assertThat(deny.code()).isEqualTo(DenyCode.TOKEN);
            assertThat(deny.because()).extracting(Object::toString).containsExactly(rule);
        });
    }

    @Test
    void each_axis_that_does_not_grant_denies_by_its_own_name() {
        var judge = judge(usual());
        allows(judge, request("GET", "a.test", "/a/x"));
        denies(judge, request("GET", "b.test", "/a/x"), "token:hosts");
        denies(judge, request("PUT", "a.test", "/a/x"), "token:methods");
        denies(judge, request("GET", "a.test", "/b"), "token:paths");
        denies(judge, new Action.NetConnect(new HostName("a.test"), 443), "token:actions");
        denies(judge, new Action.ProcExec(List.of(ByteString.of("ls")), new GuestPath("/")), "token:actions");
    }

    @Test
    void a_denial_says_which_link_grants_what() {
        var judge = judge(usual(), rights("ACTIONS http.request", "HOSTS a.test", "METHODS GET", "PATHS /a/**"));
        assertThat(judge.judge(request("POST", "a.test", "/a")))
                .isInstanceOfSatisfying(
                        Decision.Deny.class,
                        deny -> assertThat(deny.detail())
                                .isEqualTo(
                                        "the token r1 does not carry the right: its link r1 (2 of 2) grants only GET in methods"));
    }

    @Test
    void an_axis_that_is_not_named_or_empty_grants_nothing() {
        denies(judge(Rights.NONE), request("GET", "a.test", "/a"), "token:actions");
        denies(judge(rights("ACTIONS http.request")), request("GET", "a.test", "/a"), "token:hosts");
        denies(judge(rights("ACTIONS http.request", "HOSTS *")), request("GET", "a.test", "/a"), "token:methods");
        denies(
                judge(rights("ACTIONS http.request", "HOSTS *", "METHODS *")),
                request("GET", "a.test", "/a"),
                "token:paths");
        allows(
                judge(rights("ACTIONS http.request", "HOSTS *", "METHODS *", "PATHS /**")),
                request("GET", "a.test", "/a"));
        assertThat(Rights.NONE.with(Axis.HOSTS, List.of()).spelt(Axis.HOSTS)).isEmpty();
    }

    @Test
    void a_tool_is_called_by_its_server_and_its_name() {
        var judge = judge(rights("ACTIONS mcp.call", "TOOLS files/read_* files/stat mail%2F1/s%C3%A9nd"));
        for (var call : List.of(
                new Action.McpCall("files", "read_it"),
                new Action.McpCall("files", "stat"),
                new Action.McpCall("mail/1", "s\u00e9nd"))) {
            allows(judge, call);
        }
        for (var call : List.of(
                new Action.McpCall("files", "write_it"),
                new Action.McpCall("files", "stat2"),
                new Action.McpCall("mail", "1/s\u00e9nd"),
                new Action.McpCall("other", "stat"))) {
            denies(judge, call, "token:tools");
        }
        denies(judge(rights("ACTIONS mcp.call")), new Action.McpCall("files", "stat"), "token:tools");
        allows(judge(rights("ACTIONS mcp.call", "TOOLS *")), new Action.McpCall("files", "stat"));
        denies(judge(rights("ACTIONS http.request", "TOOLS *")), new Action.McpCall("files", "stat"), "token:actions");
    }

    @Test
    void a_right_to_tools_is_spelt_in_one_way_and_anything_else_is_refused() {
        assertThat(Rights.NONE.with(Axis.TOOLS, List.of("a/b/c", "*/get_*")).spelt(Axis.TOOLS))
                .contains("*/get_* a/b/c");
        for (String odd : List.of("stat", "/stat", "files/", "files/**", "files/%", "files/%2", "files/%20x")) {
            assertThatThrownBy(() -> Rights.NONE.with(Axis.TOOLS, List.of("files/x", odd)))
                    .as(odd)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("tools: ");
        }
    }

    @Test
    void B184_a_link_that_claims_more_than_the_one_before_gives_nothing_more() {
        var narrow = rights("ACTIONS http.request", "HOSTS a.test", "METHODS GET", "PATHS /a/**", "MOUNTS ro:/w");
        for (String wider : List.of(
                "HOSTS a.test b.test",
                "HOSTS *.a.test",
                "HOSTS *",
                "METHODS *",
                "METHODS GET PUT",
                "PATHS /**",
                "MOUNTS rw:/w",
                "MOUNTS ro:/",
                "ACTIONS http.request net.connect",
                "TOOLS a/*",
                "TOOLS *",
                "SECRETS *")) {
            var claimed = List.of(wider.split(" "));
            var child = narrow.with(Axis.valueOf(claimed.getFirst()), claimed.subList(1, claimed.size()));
            var judge = judge(narrow, child);
            denies(judge, request("GET", "b.test", "/a"), "token:hosts");
            denies(judge, request("GET", "x.a.test", "/a"), "token:hosts");
            denies(judge, request("PUT", "a.test", "/a"), "token:methods");
            denies(judge, request("GET", "a.test", "/b"), "token:paths");
            denies(judge, new Action.NetConnect(new HostName("a.test"), 443), "token:actions");
            assertThatThrownBy(() ->
                            host.mint().attenuate(host.signed(List.of(link("root", narrow))), link("child", child)))
                    .as(wider)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not within what root grants");
        }
    }

    @Test
    void B184_a_later_end_or_a_larger_budget_is_no_narrowing() {
        var bound = usual().withBudget(Budget.UNLIMITED);
        var root = host.signed(List.of(link("root", bound)));
        var late = new Link(new RevId("late"), Optional.empty(), Bench.NOW, Bench.NOW + 7201, usual());
        assertThatThrownBy(() -> host.mint().attenuate(root, late))
                .hasMessage("expires: " + (Bench.NOW + 7201) + " is later than root (expected: at most "
                        + (Bench.NOW + 7200) + ")");

        var some =
                new Budget(Optional.of(Budget.parseRequests("requests", "10/day")), Optional.empty(), Optional.empty());
        var limited = host.signed(List.of(link("root", usual().withBudget(some))));
        assertThatThrownBy(() -> host.mint().attenuate(limited, link("more", usual())))
                .hasMessage("requests: not within what root has (expected: at most 10/day)");
    }

    @Test
    void B191_paths_are_compared_by_segments() {
        var exact = judge(rights("ACTIONS http.request", "HOSTS a.test", "METHODS GET", "PATHS /repos/app"));
        allows(exact, request("GET", "a.test", "/repos/app"));
        denies(exact, request("GET", "a.test", "/repos/app/"), "token:paths");
        denies(exact, request("GET", "a.test", "/repos/application"), "token:paths");

        var tree = judge(rights("ACTIONS http.request", "HOSTS a.test", "METHODS GET", "PATHS /repos/app/**"));
        allows(tree, request("GET", "a.test", "/repos/app"));
        allows(tree, request("GET", "a.test", "/repos/app/"));
        allows(tree, request("GET", "a.test", "/repos/app/x"));
        denies(tree, request("GET", "a.test", "/repos/application"), "token:paths");
        denies(tree, request("GET", "a.test", "/repos/app/../other"), "token:paths");
        denies(tree, request("GET", "a.test", "/repos/app/%2e%2e/other"), "token:paths");
    }

    @Test
    void files_are_judged_by_whole_names_and_by_what_is_done_to_them() {
        var judge = judge(rights("ACTIONS fs.read fs.write", "MOUNTS ro:/usr rw:/workspace"));
        allows(judge, new Action.FsRead(new GuestPath("/usr/share/x")));
        allows(judge, new Action.FsWrite(new GuestPath("/workspace/x")));
        denies(judge, new Action.FsWrite(new GuestPath("/usr/x")), "token:mounts");
        denies(judge, new Action.FsRead(new GuestPath("/workspace2")), "token:mounts");
        denies(judge, new Action.FsRead(new GuestPath("/")), "token:mounts");
        denies(
                judge(rights("ACTIONS fs.read", "MOUNTS rw:/workspace")),
                new Action.FsWrite(new GuestPath("/workspace")),
                "token:actions");
    }

    @Test
    void a_secret_is_granted_by_name_and_for_granted_hosts_only() {
        var judge = judge(rights("ACTIONS secret.use", "SECRETS github_token", "HOSTS a.test"));
        allows(judge, new Action.SecretUse("github_token", new HostName("a.test")));
        denies(judge, new Action.SecretUse("other", new HostName("a.test")), "token:secrets");
        denies(judge, new Action.SecretUse("github_token", new HostName("b.test")), "token:hosts");
    }

    @Test
    void a_name_may_be_looked_up_when_something_may_go_there() {
        var judge = judge(usual());
        allows(judge, new Action.DnsLookup(new HostName("a.test")));
        denies(judge, new Action.DnsLookup(new HostName("b.test")), "token:hosts");
        denies(
                judge(rights("ACTIONS proc.exec", "HOSTS a.test")),
                new Action.DnsLookup(new HostName("a.test")),
                "token:actions");
    }

    @Test
    void time_and_revocation_are_looked_at_for_each_action() {
        var judge = judge(usual(), usual());
        var action = request("GET", "a.test", "/a");
        allows(judge, action);
        host.revoked.add(new RevId("r0"));
        denies(judge, action, "token:revoked-ancestor");
        host.revoked.clear();
        allows(judge, action);
        host.now = Bench.NOW + 8000;
        denies(judge, action, "token:expired");
    }

    @Test
    void a_token_that_was_refused_denies_everything_by_the_name_of_its_refusal() {
        var judge = TokenJudge.of(host.verifier(), new Bench(9).three());
        denies(judge, request("GET", "a.test", "/a"), "token:forged");
        assertThat(judge.token()).isEmpty();
        assertThat(judge.fault()).isPresent();
        var keyless = TokenJudge.refusing(new Verification.Refused(TokenFault.NO_KEY, "there is no key"));
        assertThat(keyless.judge(request("GET", "a.test", "/a")))
                .isInstanceOfSatisfying(
                        Decision.Deny.class,
                        deny -> assertThat(deny.because())
                                .extracting(Object::toString)
                                .containsExactly("token:no-key"));
    }
}
