package dev.cagewright.supervisor.approval;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Approvals.Answer;
import dev.cagewright.policy.gate.Exhibit;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuestionDeskTest {
    private static final SessionId SESSION = new SessionId("abcdefghij");
    private static final RuleId RULE = new RuleId("approval.require_for[0]");
    private static final Decision.Ask PATIENT = new Decision.Ask(List.of(RULE), Duration.ofMinutes(2));
    private static final Decision.Ask BRIEF = new Decision.Ask(List.of(RULE), Duration.ofMillis(60));
    private static final Action PUSH =
            new Action.ProcExec(List.of(ByteString.of("git"), ByteString.of("push")), new GuestPath("/repo"));

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

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
        threads.close();
        life.close();
        log.close();
    }

    /// A person whom nothing but the folder tells.
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

    private QuestionDesk desk(Asker... askers) {
        return new QuestionDesk(new QuestionDesk.Place(session, "cage"), journal, List.of(askers));
    }

    private static Exhibit.Shown shown(Action action) throws IOException {
        var exhibit = Exhibit.of(action);
        return new Exhibit.Shown(exhibit.digest(), exhibit.lines());
    }

    private Answer ask(QuestionDesk desk, Decision.Ask question) throws IOException {
        return desk.ask(journal.nextId(), PUSH, question, shown(PUSH));
    }

    private <T> Future<T> later(Callable<T> task) {
        return threads.submit(task);
    }

    private PendingQuestions pending() {
        return new PendingQuestions(folders);
    }

    private Question waiting() throws IOException {
        while (true) {
            var waiting = pending().waiting();
            if (!waiting.isEmpty()) {
                return waiting.getFirst();
            }
            Thread.onSpinWait();
        }
    }

    private String recorded() throws IOException {
        return Files.readString(folders.auditLog());
    }

    @Test
    void an_answer_from_another_terminal_settles_it() throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));

        var question = waiting();
        pending().reply(question, Reply.Word.AGREED, new Scope.Once(), "command");

        assertThat(asked.get()).isEqualTo(Answer.AGREED);
        assertThat(question.what()).isEqualTo("proc.exec git push");
        assertThat(question.digest()).hasSize(64);
        assertThat(recorded())
                .contains("approval.asked", question.digest(), "approval.answered", "\"reply\":\"agreed\"", "command");
        assertThat(pending().waiting()).isEmpty();
    }

    @Test
    void a_refusal_is_one() throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));

        pending().reply(waiting(), Reply.Word.REFUSED, new Scope.Once(), "command");

        assertThat(asked.get()).isEqualTo(Answer.REFUSED);
    }

    @Test
    void silence_is_denial_and_B236_a_late_answer_is_refused() throws IOException {
        var desk = desk(new Somewhere());
        var question = new ArrayList<Question>();
        var telling = new Asker() {
            @Override
            public boolean reaches() {
                return true;
            }

            @Override
            public Asked ask(Question asked, Answers answers) {
                question.add(asked);
                return () -> {};
            }
        };

        assertThat(ask(desk(telling), BRIEF)).isEqualTo(Answer.NO_ANSWER);

        assertThat(recorded()).contains("\"reply\":\"expired\"");
        assertThatThrownBy(() -> pending().reply(question.getFirst(), Reply.Word.AGREED, new Scope.Once(), "command"))
                .isInstanceOf(AnsweredException.class)
                .hasMessageContaining("was denied then");
        assertThat(ask(desk, BRIEF)).isEqualTo(Answer.NO_ANSWER);
    }

    @Test
    void B236_the_second_answer_to_one_question_is_refused()
            throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));
        var question = waiting();

        pending().reply(question, Reply.Word.REFUSED, new Scope.Once(), "command");

        assertThatThrownBy(() -> pending().reply(question, Reply.Word.AGREED, new Scope.Once(), "command"))
                .isInstanceOf(AnsweredException.class)
                .hasMessageContaining("answered before: refused by");
        assertThat(asked.get()).isEqualTo(Answer.REFUSED);
    }

    @Test
    void B236_one_approval_lets_one_of_twenty_through() throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = new ArrayList<Future<Answer>>();
        for (int i = 0; i < 20; i++) {
            asked.add(later(() -> ask(desk, PATIENT)));
        }
        awaitWaiting(20);

        pending().reply(waiting(), Reply.Word.AGREED, new Scope.Once(), "command");

        while (asked.stream().noneMatch(Future::isDone)) {
            Thread.onSpinWait();
        }
        assertThat(ask(desk, BRIEF)).as("one that comes afterwards").isEqualTo(Answer.NO_ANSWER);
        awaitWaiting(19);
        desk.end();
        var answers = new ArrayList<Answer>();
        for (var each : asked) {
            answers.add(each.get());
        }
        assertThat(answers).filteredOn(Answer.AGREED::equals).hasSize(1);
        assertThat(answers).filteredOn(Answer.NO_ANSWER::equals).hasSize(19);
    }

    private void awaitWaiting(int count) throws IOException {
        while (pending().waiting().size() != count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void an_agreement_for_the_run_covers_the_rule_and_no_other()
            throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));
        pending().reply(waiting(), Reply.Word.AGREED, new Scope.ThisRun(), "command");
        assertThat(asked.get()).isEqualTo(Answer.AGREED);

        assertThat(ask(desk, BRIEF)).isEqualTo(Answer.AGREED);
        var other = new Decision.Ask(List.of(new RuleId("approval.require_for[1]")), BRIEF.patience());
        assertThat(ask(desk, other)).isEqualTo(Answer.NO_ANSWER);
        assertThat(recorded()).contains("approval.standing");
    }

    @Test
    void an_agreement_for_a_time_ends_by_a_clock_that_nobody_sets() {
        var now = new long[] {Long.MAX_VALUE - 5};
        var consents = new Consents(() -> now[0]);
        consents.keep(List.of(RULE), new Scope.For(Duration.ofMinutes(10)));

        assertThat(consents.cover(List.of(RULE))).isTrue();
        now[0] += Duration.ofMinutes(10).minusNanos(1).toNanos();
        assertThat(consents.cover(List.of(RULE))).isTrue();
        now[0] += 1;
        assertThat(consents.cover(List.of(RULE))).isFalse();
        consents.keep(List.of(RULE), new Scope.Once());
        assertThat(consents.cover(List.of(RULE))).isFalse();
    }

    @Test
    void where_nobody_can_be_asked_nobody_is() throws IOException {
        assertThat(ask(desk(new Watchers(folders)), PATIENT)).isEqualTo(Answer.NO_ANSWER);
        assertThat(recorded()).contains("approval.unasked").doesNotContain("approval.asked");
    }

    @Test
    void whoever_watches_is_asked() throws IOException {
        var watchers = new Watchers(folders);
        try (var _ = watchers.watch()) {
            assertThat(watchers.reaches()).isTrue();
            assertThat(ask(desk(watchers), BRIEF)).isEqualTo(Answer.NO_ANSWER);
            assertThat(recorded()).contains("approval.asked");
        }
        assertThat(watchers.reaches()).isFalse();
    }

    @Test
    void an_answer_for_another_object_is_none() throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));
        var question = waiting();
        QuestionFolder.of(session)
                .reply(question, new Reply(Reply.Word.AGREED, "0".repeat(64), new Scope.Once(), "command", "me"));

        assertThat(asked.get()).isEqualTo(Answer.NO_ANSWER);
    }

    @Test
    void an_answer_that_is_cut_or_forged_is_none() throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));
        var question = waiting();
        Files.writeString(session.resolve("questions").resolve(question.id() + ".reply"), "{\"reply\":\"agr");

        assertThat(asked.get()).isEqualTo(Answer.NO_ANSWER);
    }

    @Test
    void a_folder_that_cannot_be_written_is_denial() throws IOException {
        Files.write(session.resolve("questions"), new byte[0]);

        assertThat(ask(desk(new Somewhere()), PATIENT)).isEqualTo(Answer.NO_ANSWER);
    }

    @Test
    void a_log_that_takes_nothing_is_denial() throws IOException {
        log.close();

        assertThat(ask(desk(new Somewhere()), PATIENT)).isEqualTo(Answer.NO_ANSWER);
    }

    @Test
    @SuppressWarnings("Interruption") // what a supervisor does that ends
    void who_is_interrupted_has_no_answer_and_leaves_no_question() throws IOException, InterruptedException {
        var desk = desk(new Somewhere());
        var answers = new ArrayList<Answer>();
        var thread = Thread.ofPlatform().start(() -> {
            try {
                answers.add(ask(desk, PATIENT));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        waiting();
        thread.interrupt();
        thread.join();

        assertThat(answers).containsExactly(Answer.NO_ANSWER);
        assertThat(pending().waiting()).isEmpty();
    }

    @Test
    void the_end_of_the_run_ends_what_waits_and_what_comes()
            throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));
        waiting();
        desk.end();

        assertThat(asked.get()).isEqualTo(Answer.NO_ANSWER);
        assertThat(ask(desk, PATIENT)).isEqualTo(Answer.NO_ANSWER);
        assertThat(recorded()).contains("\"how\":\"end\"");
    }

    @Test
    void what_cannot_be_read_hides_no_question() throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var asked = later(() -> ask(desk, PATIENT));
        var question = waiting();
        Files.writeString(session.resolve("questions/no id.ask"), "{}");
        Files.writeString(session.resolve("questions/abcdefghij-77.ask"), "{\"id\":");
        Files.createDirectories(folders.sessions().resolve("stranger"));

        assertThat(pending().waiting()).containsExactly(question);
        pending().reply(question, Reply.Word.REFUSED, new Scope.Once(), "command");
        assertThat(asked.get()).isEqualTo(Answer.REFUSED);
    }

    @Test
    void a_question_of_a_run_that_is_over_cannot_be_answered() throws IOException {
        var question = new Question(
                journal.nextId(),
                "cage",
                "proc.exec",
                "proc.exec git push",
                List.of(),
                "0".repeat(64),
                List.of("r"),
                Instant.EPOCH,
                Instant.EPOCH);
        life.close();

        assertThatThrownBy(() -> pending().reply(question, Reply.Word.AGREED, new Scope.Once(), "command"))
                .hasMessageContaining("its run is over");
        assertThat(pending().find(new DecisionId("abcdefghij-99"))).isEmpty();
    }

    @Test
    void B248_what_a_cage_wrote_is_shown_escaped_and_cut()
            throws IOException, InterruptedException, ExecutionException {
        var desk = desk(new Somewhere());
        var action = new Action.HttpRequest("POST", new HostName("xn--e1awd7f.test"), 443, "/\u202eapproved");
        var lines = List.of("x: \u001b[2J\r\napproved \u202e", "y".repeat(10_000));
        var asked = later(() -> desk.ask(
                journal.nextId(),
                action,
                PATIENT,
                new Exhibit.Shown(Exhibit.of(action).digest(), lines)));
        var question = waiting();
        pending().reply(question, Reply.Word.REFUSED, new Scope.Once(), "command");

        assertThat(asked.get()).isEqualTo(Answer.REFUSED);
        assertThat(question.what()).contains("xn--e1awd7f.test").doesNotContain("\u202e");
        assertThat(String.join("", question.lines())).doesNotContain("\u001b", "\r", "\n", "\u202e");
        assertThat(question.lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThan(2_100));
        assertThat(question.lines().getLast()).endsWith("(8000 characters more)");
    }

    @Test
    void scopes_are_read_as_they_are_written() {
        for (Scope scope : List.of(new Scope.Once(), new Scope.ThisRun(), new Scope.For(Duration.ofMillis(1)))) {
            assertThat(Scope.parse(scope.word())).isEqualTo(scope);
        }
        assertThatThrownBy(() -> Scope.parse("25h")).hasMessageContaining("at most 24h");
        assertThatThrownBy(() -> Scope.parse("always")).hasMessageContaining("always");
    }

    @Test
    void a_reply_that_is_none_is_refused() {
        for (String text : List.of("", "[]", "{}", "{\"reply\":\"yes\"}", "\u0000")) {
            assertThatThrownBy(() -> Reply.parse(text.getBytes(UTF_8))).isInstanceOf(IOException.class);
        }
    }
}
