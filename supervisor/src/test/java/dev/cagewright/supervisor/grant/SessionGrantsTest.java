package dev.cagewright.supervisor.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.QuestionDesk;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.grant.GrantState.Standing;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionGrantsTest {
    private static final SessionId SESSION = new SessionId("abcdefghij");
    private static final String BOUNDED = """
            net:
              hosts: [{host: b.test}]
              may_grant: [{hosts: ["*.a.test"], methods: [GET, HEAD], paths: [/v1/**], for: 30m}]
            """;

    private final CopyOnWriteArrayList<String> changes = new CopyOnWriteArrayList<>();
    private final AtomicReference<Instant> wall = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final AtomicLong nanos = new AtomicLong(7);
    private final LiveGrants held = new LiveGrants(wall::get, nanos::get);

    @TempDir
    private Path temp;

    private StateFolders folders;
    private Path session;
    private SessionLife life;
    private AuditLog log;
    private AuditJournal journal;

    @BeforeEach
    void begin() throws IOException {
        folders = new StateFolders(temp.resolve("config"), temp.resolve("state"));
        session = folders.session(SESSION);
        life = SessionLife.begin(session);
        log = AuditLog.open(folders.auditLog(), InstantSource.system());
        journal = new AuditJournal(log, SESSION.value(), "cage", (_, _) -> JsonObject.EMPTY);
    }

    @AfterEach
    void end() throws IOException {
        life.close();
        log.close();
    }

    private record Somewhere() implements Asker {
        @Override
        public boolean reaches() {
            return true;
        }

        @Override
        public Asked ask(Question question, Answers answers) {
            return () -> {};
        }
    }

    private final class Noted implements SessionGrants.Effects {
        @Override
        public void opened(HostName host) {
            changes.add("+" + host);
        }

        @Override
        public void closed(HostName host) {
            changes.add("-" + host);
        }
    }

    private EffectivePolicy policy(String text) throws Exception {
        var file = Files.writeString(temp.resolve("p.yaml"), text);
        return EffectivePolicy.of(
                List.of(new Layer(Layer.Rank.PROJECT, PolicyFiles.load(file).document())), Map.of());
    }

    private SessionGrants grants(EffectivePolicy policy, Asker... askers) {
        var questions = new QuestionDesk(new QuestionDesk.Place(session, "cage"), journal, List.of(askers));
        return new SessionGrants(new SessionGrants.Place(session, Optional.of(policy)), journal, questions, held);
    }

    private static GrantRequest request(String host, String path) {
        return GrantRequest.of(
                host,
                List.of(443),
                List.of("GET"),
                List.of(path),
                new GrantRequest.Reason("to \u001b[31mread", Duration.ofHours(1)));
    }

    private static Action get(String host, String path) {
        return new Action.HttpRequest("GET", new HostName(host), 443, path);
    }

    private String recorded() throws IOException {
        return Files.readString(folders.auditLog());
    }

    private Question waiting() throws IOException {
        while (true) {
            var waiting = new PendingQuestions(folders).waiting();
            if (!waiting.isEmpty()) {
                return waiting.getFirst();
            }
            Thread.onSpinWait();
        }
    }

    private static GrantState settled(SessionGrants grants, GrantState pending) {
        while (true) {
            var now = grants.find(pending.id()).orElseThrow();
            if (now.standing() != Standing.PENDING) {
                return now;
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void what_may_grant_has_is_given_at_once_and_not_longer_than_it_says() throws Exception {
        var policy = policy(BOUNDED);
        var grants = grants(policy);
        var judge = new GrantedPolicy(policy, policy, held);
        assertThat(judge.judge(get("x.a.test", "/v1/q"))).isInstanceOf(Decision.Deny.class);
        try (var _ = grants.begin(new Noted())) {
            var state = grants.ask(request("x.a.test", "/v1/**"));

            assertThat(state.standing()).isEqualTo(Standing.GRANTED);
            assertThat(state.reason()).isEqualTo("granted by net.may_grant[0]");
            assertThat(state.until()).contains(wall.get().plus(Duration.ofMinutes(30)));
            assertThat(judge.judge(get("x.a.test", "/v1/q")).because()).hasToString("[grant:" + state.id() + "]");
            assertThat(judge.judge(get("x.a.test", "/v2"))).isInstanceOf(Decision.Deny.class);
            assertThat(judge.judge(get("y.a.test", "/v1/q"))).isInstanceOf(Decision.Deny.class);
            assertThat(changes).containsExactly("+x.a.test");
            assertThat(grants.ask(request("x.a.test", "/v1/**"))).isEqualTo(state);
            assertThat(new GrantOffice(folders).all(SESSION))
                    .singleElement()
                    .satisfies(kept -> assertThat(kept.why()).isEqualTo("to \\u{1b}[31mread"));
        }
        assertThat(recorded())
                .contains("grant.asked", "grant.given", "\"by\":\"net.may_grant[0]\"", "\"how\":\"rule\"");
    }

    @Test
    void beyond_the_bounds_nothing_is_given_where_nobody_can_be_asked() throws Exception {
        var grants = grants(policy(BOUNDED));
        try (var _ = grants.begin(new Noted())) {
            var state = grants.ask(request("evil.test", "/"));

            assertThat(state.standing()).isEqualTo(Standing.DENIED);
            assertThat(state.reason()).isEqualTo("no rule of net.may_grant gives it, and nobody can be asked");
            assertThat(grants.find(state.id())).contains(state);
            assertThat(grants.live()).isEmpty();
            assertThat(changes).isEmpty();
        }
        assertThat(recorded()).contains("grant.asked", "grant.denied").doesNotContain("grant.given");
    }

    @Test
    void a_grant_is_over_by_either_clock() throws Exception {
        var policy = policy(BOUNDED);
        var grants = grants(policy);
        var judge = new GrantedPolicy(policy, policy, held);
        try (var _ = grants.begin(new Noted())) {
            var first = grants.ask(request("x.a.test", "/v1/**"));
            wall.set(wall.get().minus(Duration.ofDays(3)));
            nanos.addAndGet(Duration.ofMinutes(30).toNanos() - 1);
            assertThat(judge.judge(get("x.a.test", "/v1/q"))).isInstanceOf(Decision.Allow.class);
            nanos.incrementAndGet();
            assertThat(judge.judge(get("x.a.test", "/v1/q"))).isInstanceOf(Decision.Deny.class);
            assertThat(grants.find(first.id()).orElseThrow().standing()).isEqualTo(Standing.EXPIRED);

            var second = grants.ask(request("x.a.test", "/v1/**"));
            assertThat(second.id()).isNotEqualTo(first.id());
            wall.set(second.until().orElseThrow().minusMillis(1));
            assertThat(judge.judge(get("x.a.test", "/v1/q"))).isInstanceOf(Decision.Allow.class);
            wall.set(second.until().orElseThrow());
            assertThat(judge.judge(get("x.a.test", "/v1/q"))).isInstanceOf(Decision.Deny.class);
            grants.expire();
            assertThat(changes).contains("-x.a.test");
            assertThat(recorded()).contains("grant.expired");
        }
    }

    @Test
    void what_only_a_person_gives_waits_and_is_given_for_the_time_asked() throws Exception {
        var grants = grants(policy(BOUNDED), new Somewhere());
        try (var _ = grants.begin(new Noted())) {
            var state = grants.ask(request("c.test", "/doc"));
            assertThat(state.standing()).isEqualTo(Standing.PENDING);
            assertThat(grants.ask(request("c.test", "/doc")).id()).isEqualTo(state.id());

            var question = waiting();
            assertThat(question.id()).isEqualTo(state.id());
            assertThat(question.what()).isEqualTo("grant GET c.test:443 /doc");
            assertThat(question.lines())
                    .contains(
                            "for 1h; approve --for gives another time", "the program's own words: to \\u{1b}[31mread");
            new PendingQuestions(folders).reply(question, Reply.Word.AGREED, new Scope.Once(), "command");

            var given = settled(grants, state);
            assertThat(given.standing()).isEqualTo(Standing.GRANTED);
            assertThat(given.until()).contains(wall.get().plus(Duration.ofHours(1)));
            assertThat(held.covering(get("c.test", "/doc"))).isPresent();
            assertThat(held.covering(get("c.test", "/other"))).isEmpty();
        }
    }

    @Test
    void B248_what_a_program_wrote_is_shown_escaped() throws Exception {
        var grants = grants(policy(BOUNDED), new Somewhere());
        try (var _ = grants.begin(new Noted())) {
            grants.ask(GrantRequest.of(
                    "c.test",
                    List.of(443),
                    List.of("GET"),
                    List.of("/\u202efdp.x"),
                    new GrantRequest.Reason("fine\r\n\u202eagreed by root", Duration.ofHours(1))));

            var question = waiting();
            assertThat(question.what()).isEqualTo("grant GET c.test:443 /\\u{202e}fdp.x");
            assertThat(question.lines())
                    .contains("the program's own words: fine\\r\\n\\u{202e}agreed by root")
                    .allMatch(line -> line.chars().allMatch(c -> c >= ' ' && c < 0x7f));
            new PendingQuestions(folders).reply(question, Reply.Word.REFUSED, new Scope.Once(), "command");
        }
    }

    @Test
    void B251_once_an_order_is_answered_every_decision_knows_of_it() throws Exception {
        var policy = policy(BOUNDED);
        var grants = grants(policy);
        var judge = new GrantedPolicy(policy, policy, held);
        var office = new GrantOffice(folders);
        try (var _ = grants.begin(new Noted())) {
            for (int round = 0; round < 25; round++) {
                var given = office.add(SESSION, request("c.test", "/doc"), List.of());
                assertThat(judge.judge(get("c.test", "/doc"))).isInstanceOf(Decision.Allow.class);
                office.revoke(given.id().orElseThrow());
                assertThat(judge.judge(get("c.test", "/doc"))).isInstanceOf(Decision.Deny.class);
            }
        }
    }

    @Test
    void a_person_may_give_another_time() throws Exception {
        var grants = grants(policy(BOUNDED), new Somewhere());
        try (var _ = grants.begin(new Noted())) {
            var state = grants.ask(request("c.test", "/doc"));
            new PendingQuestions(folders)
                    .reply(waiting(), Reply.Word.AGREED, new Scope.For(Duration.ofMinutes(3)), "command");

            assertThat(settled(grants, state).until()).contains(wall.get().plus(Duration.ofMinutes(3)));
        }
    }

    @Test
    void what_a_person_refused_is_not_asked_again() throws Exception {
        var grants = grants(policy(BOUNDED), new Somewhere());
        try (var _ = grants.begin(new Noted())) {
            var state = grants.ask(request("c.test", "/doc"));
            new PendingQuestions(folders).reply(waiting(), Reply.Word.REFUSED, new Scope.Once(), "command");
            assertThat(settled(grants, state).reason()).isEqualTo("a person said no");

            assertThat(grants.ask(request("c.test", "/doc")).id()).isEqualTo(state.id());
            assertThat(grants.ask(request("c.test", "/other")).standing()).isEqualTo(Standing.PENDING);
            assertThat(held.all()).isEmpty();
        }
    }

    @Test
    void no_more_than_eight_wait_for_a_person() throws Exception {
        var grants = grants(policy(BOUNDED), new Somewhere());
        try (var _ = grants.begin(new Noted())) {
            for (int i = 0; i < PersonDesk.MOST; i++) {
                assertThat(grants.ask(request("c.test", "/" + i)).standing()).isEqualTo(Standing.PENDING);
            }
            assertThat(grants.ask(request("c.test", "/more")).reason())
                    .isEqualTo("8 requests wait for a person already");
        }
    }

    @Test
    void what_is_forbidden_nobody_is_asked_about() throws Exception {
        var grants = grants(policy("net: {hosts: [{host: b.test}]}\nmode: lockdown\n"), new Somewhere());
        try (var _ = grants.begin(new Noted())) {
            assertThat(grants.ask(request("c.test", "/")).reason()).isEqualTo("mode: lockdown grants nothing");
            assertThat(grants.add(request("c.test", "/"), List.of(), "me").standing())
                    .isEqualTo(Standing.DENIED);
        }
    }

    @Test
    void what_the_policy_allows_needs_no_grant() throws Exception {
        var grants = grants(policy(BOUNDED));
        try (var _ = grants.begin(new Noted())) {
            var state = grants.ask(request("b.test", "/x"));
            assertThat(state.standing()).isEqualTo(Standing.GRANTED);
            assertThat(state.until()).isEmpty();
            assertThat(state.reason()).isEqualTo("the policy allows it without a grant (net.hosts[0])");
            assertThat(held.all()).isEmpty();
        }
    }

    @Test
    void a_person_gives_and_takes_from_another_terminal() throws Exception {
        var policy = policy(BOUNDED);
        var grants = grants(policy);
        var office = new GrantOffice(folders);
        try (var _ = grants.begin(new Noted())) {
            var given = office.add(SESSION, request("c.test", "/doc"), List.of("127.0.0.1"));
            assertThat(given.outcome()).isEqualTo(OrderAnswer.Outcome.DONE);
            var id = given.id().orElseThrow();
            assertThat(held.covering(get("c.test", "/doc"))).isPresent();
            assertThat(held.places(new HostName("c.test"), 443))
                    .singleElement()
                    .satisfies(rule -> assertThat(rule.addresses()).contains(List.of("127.0.0.1")));
            assertThat(held.places(new HostName("c.test"), 80)).isEmpty();

            assertThat(office.add(SESSION, request("c.test", "/more"), List.of())
                            .text())
                    .isEqualTo("another grant says that c.test is elsewhere");
            assertThat(office.revoke(id).outcome()).isEqualTo(OrderAnswer.Outcome.DONE);
            assertThat(held.covering(get("c.test", "/doc"))).isEmpty();
            assertThat(changes).containsExactly("+c.test", "-c.test");
            assertThat(office.revoke(id).text())
                    .isEqualTo(id + " does not hold (expected: one that cagewright grants list shows)");
            assertThat(office.find(id).orElseThrow().standing()).isEqualTo(Standing.REVOKED);
        }
        assertThat(recorded()).contains("grant.given", "grant.revoked");
        assertThat(session.resolve("grants").toFile().list()).allMatch(name -> name.endsWith(".grant"));
    }

    @Test
    void an_order_to_a_session_that_is_over_is_refused() throws Exception {
        life.close();
        assertThatThrownBy(() -> new GrantOffice(folders).add(SESSION, request("c.test", "/"), List.of()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("session abcdefghij is over, and its grants with it");
    }

    @Test
    void an_order_that_is_none_changes_nothing() throws Exception {
        var grants = grants(policy(BOUNDED));
        GrantFolder.create(session)
                .order("x", "{\"order\":\"add\",\"host\":\"c.test\"}".getBytes(StandardCharsets.UTF_8));
        try (var _ = grants.begin(new Noted())) {
            Optional<byte[]> answer = Optional.empty();
            while (answer.isEmpty()) {
                answer = GrantFolder.of(session).answer("x");
            }
            assertThat(OrderAnswer.parse(answer.get()).text()).startsWith("the order cannot be read: order: no \"");
            assertThat(held.all()).isEmpty();
        }
    }

    @Test
    void a_changed_policy_takes_back_what_its_rules_do_not_give_any_more() throws Exception {
        var grants = grants(policy(BOUNDED));
        try (var _ = grants.begin(new Noted())) {
            var ruled = grants.ask(request("x.a.test", "/v1/**"));
            grants.add(request("c.test", "/doc"), List.of(), "me");

            grants.became(policy("net: {hosts: [{host: b.test}]}"));

            assertThat(grants.find(ruled.id()).orElseThrow().standing()).isEqualTo(Standing.REVOKED);
            assertThat(held.covering(get("x.a.test", "/v1/q"))).isEmpty();
            assertThat(held.covering(get("c.test", "/doc"))).isPresent();
            assertThat(grants.ask(request("y.a.test", "/v1/**")).standing()).isEqualTo(Standing.DENIED);
        }
    }

    @Test
    void without_a_record_nothing_is_given() throws Exception {
        var grants = grants(policy(BOUNDED));
        try (var _ = grants.begin(new Noted())) {
            log.close();
            var state = grants.ask(request("x.a.test", "/v1/**"));
            assertThat(state.standing()).isEqualTo(Standing.DENIED);
            assertThat(state.reason()).startsWith("it cannot be put on record");
            assertThat(held.all()).isEmpty();
        }
    }

    @Test
    void before_the_door_opens_and_after_it_closes_nothing_is_given() throws Exception {
        var grants = grants(policy(BOUNDED), new Somewhere());
        assertThat(grants.ask(request("x.a.test", "/v1/**")).standing()).isEqualTo(Standing.DENIED);
        grants.begin(new Noted()).close();
        assertThat(grants.ask(request("x.a.test", "/v1/x")).standing()).isEqualTo(Standing.DENIED);
        assertThat(grants.ask(request("c.test", "/")).standing()).isEqualTo(Standing.DENIED);
    }

    @Test
    void B204_a_file_that_was_cut_is_an_error_and_no_smaller_grant() throws Exception {
        var grants = grants(policy(BOUNDED));
        try (var _ = grants.begin(new Noted())) {
            var id = grants.ask(request("x.a.test", "/v1/**")).id();
            var file = session.resolve("grants").resolve(id + ".grant");
            var whole = Files.readAllBytes(file);
            for (int length = 0; length < whole.length; length++) {
                Files.write(file, Arrays.copyOf(whole, length));
                assertThatThrownBy(() -> new GrantOffice(folders).find(id)).isInstanceOf(IOException.class);
            }
            Files.write(file, whole);
            assertThat(new GrantOffice(folders).find(id)).isPresent();
        }
    }

    @Test
    void the_usual_request_only_reads() {
        var usual = Opening.parse("a.test", Opening.USUAL_PORTS, Opening.USUAL_METHODS, Opening.USUAL_PATHS);
        assertThat(usual.covers(new Action.HttpRequest("POST", new HostName("a.test"), 443, "/")))
                .isFalse();
        assertThat(usual.covers(get("a.test", "/any"))).isTrue();
    }
}
