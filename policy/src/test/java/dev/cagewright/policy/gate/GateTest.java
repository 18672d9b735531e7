package dev.cagewright.policy.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GateTest {
    private static final RuleId RULE = new RuleId("exec.allowlist");
    private static final RuleId OPERATOR = new RuleId("operator:forbid");
    private static final Action ECHO = new Action.ProcExec(
            List.of(ByteString.of("/bin/echo"), ByteString.of("hello")), new GuestPath("/workspace"));
    private static final Judge YES = _ -> new Decision.Allow(RULE);
    private static final Judge NO = _ -> new Decision.Deny(OPERATOR, DenyCode.FORBIDDEN, "the operator forbids it");
    private static final Judge ASK = _ -> new Decision.Ask(List.of(RULE), Duration.ofSeconds(5));

    private final Remembered journal = new Remembered();

    /// Keeps what it is told, in memory.
    private static final class Remembered implements Journal {
        private final List<Decision.Verdict> verdicts = new ArrayList<>();
        private long number;

        @Override
        public DecisionId nextId() {
            return DecisionId.of("test", ++number);
        }

        @Override
        public long intent(DecisionId id, Action action, Decision.Verdict verdict) {
            verdicts.add(verdict);
            return 40L + verdicts.size();
        }
    }

    /// A disk that takes nothing.
    private static final class FullDisk implements Journal {
        @Override
        public DecisionId nextId() {
            return DecisionId.of("test", 1);
        }

        @Override
        public long intent(DecisionId id, Action action, Decision.Verdict verdict) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    @Test
    void an_allowed_action_gets_a_warrant_that_names_its_intent() throws DeniedException {
        var warrant = new Gate(List.of(YES), Approvals.NOBODY, journal).pass(ECHO);

        assertThat(warrant.intentSequence()).isEqualTo(41);
        assertThat(warrant.id()).isEqualTo(new DecisionId("test-1"));
        assertThat(warrant.spend()).isSameAs(ECHO);
        assertThat(journal.verdicts).hasOnlyElementsOfType(Decision.Allow.class);
    }

    @Test
    void a_denied_action_is_remembered_and_refused() {
        var gate = new Gate(List.of(NO), Approvals.NOBODY, journal);

        assertThatThrownBy(() -> gate.pass(ECHO))
                .isInstanceOf(DeniedException.class)
                .hasMessage("FORBIDDEN: the operator forbids it (rule operator:forbid)");
        assertThat(journal.verdicts).hasOnlyElementsOfType(Decision.Deny.class);
    }

    @Test
    void one_refusing_judge_is_enough_wherever_it_stands() {
        assertThatThrownBy(() -> new Gate(List.of(YES, NO), Approvals.NOBODY, journal).pass(ECHO))
                .isInstanceOf(DeniedException.class);
        assertThatThrownBy(() -> new Gate(List.of(NO, YES), Approvals.NOBODY, journal).pass(ECHO))
                .isInstanceOf(DeniedException.class);
    }

    @Test
    void a_question_is_not_forgotten_because_a_later_judge_allows() {
        assertThat(new Gate(List.of(ASK, YES), Approvals.NOBODY, journal).judge(ECHO))
                .isInstanceOf(Decision.Ask.class);
        assertThat(new Gate(List.of(YES, ASK), Approvals.NOBODY, journal).judge(ECHO))
                .isInstanceOf(Decision.Ask.class);
    }

    @Test
    void what_two_judges_allow_is_allowed_for_both_reasons() {
        Judge second = _ -> new Decision.Allow(new RuleId("min_isolation"));

        assertThat(new Gate(List.of(YES, second), Approvals.NOBODY, journal)
                        .judge(ECHO)
                        .because())
                .containsExactly(RULE, new RuleId("min_isolation"));
    }

    @Test
    void an_intent_that_cannot_be_written_denies_an_allowed_action() {
        var gate = new Gate(List.of(YES), Approvals.NOBODY, new FullDisk());

        assertThatThrownBy(() -> gate.pass(ECHO))
                .isInstanceOf(DeniedException.class)
                .hasMessage("AUDIT_UNAVAILABLE: the audit log cannot be written: No space left on device"
                        + " (rule audit:unavailable)")
                .hasRootCauseMessage("No space left on device");
    }

    @Test
    void a_rule_that_fails_is_a_denial() {
        Judge broken = _ -> {
            throw new IllegalStateException("out of rules");
        };

        assertThatThrownBy(() -> new Gate(List.of(broken, YES), Approvals.NOBODY, journal).pass(ECHO))
                .isInstanceOfSatisfying(
                        DeniedException.class,
                        denied -> assertThat(denied.denial().code()).isEqualTo(DenyCode.RULE_FAILED));
    }

    @Test
    void silence_is_denial() {
        var gate = new Gate(List.of(ASK), Approvals.NOBODY, journal);

        assertThatThrownBy(() -> gate.pass(ECHO))
                .hasMessage("NOT_APPROVED: needs approval, and nobody agreed (rule exec.allowlist)");
    }

    @Test
    void a_person_who_agrees_lets_it_through_and_one_who_refuses_does_not() throws DeniedException {
        new Gate(List.of(ASK), (_, _, _, _) -> Approvals.Answer.AGREED, journal).pass(ECHO);

        assertThatThrownBy(() -> new Gate(List.of(ASK), (_, _, _, _) -> Approvals.Answer.REFUSED, journal).pass(ECHO))
                .hasMessage("NOT_APPROVED: the person asked said no (rule exec.allowlist)");
    }

    /// An object that changes each time it is looked at, or does not.
    private record Thing(AtomicInteger version, int step) implements Exhibit {
        @Override
        public ByteString digest() {
            return ActionDigest.begin(ECHO).number(version.getAndAdd(step)).end();
        }

        @Override
        public List<String> lines() {
            return List.of("body 12 bytes");
        }
    }

    @Test
    void B236_an_approval_covers_the_object_that_was_shown_and_no_other() throws DeniedException {
        var seen = new ArrayList<Exhibit.Shown>();
        Approvals agreeing = (_, _, _, shown) -> {
            seen.add(shown);
            return Approvals.Answer.AGREED;
        };
        var gate = new Gate(List.of(ASK), agreeing, journal);

        gate.pass(ECHO, Charge.NOTHING, new Thing(new AtomicInteger(), 0));
        assertThatThrownBy(() -> gate.pass(ECHO, Charge.NOTHING, new Thing(new AtomicInteger(), 1)))
                .hasMessage("NOT_APPROVED: it was changed after it had been shown for approval (rule exec.allowlist)");

        assertThat(seen).hasSize(2).allSatisfy(shown -> {
            assertThat(shown.digest().size()).isEqualTo(32);
            assertThat(shown.lines()).containsExactly("body 12 bytes");
        });
    }

    @Test
    void what_cannot_be_read_is_shown_to_nobody() {
        var unreadable = new Exhibit() {
            @Override
            public ByteString digest() throws IOException {
                throw new IOException("the file is gone");
            }

            @Override
            public List<String> lines() {
                return List.of();
            }
        };
        var gate = new Gate(
                List.of(ASK),
                (_, _, _, _) -> {
                    throw new IllegalStateException("asked all the same");
                },
                journal);

        assertThatThrownBy(() -> gate.pass(ECHO, Charge.NOTHING, unreadable))
                .hasMessageContaining("NOT_APPROVED: what needs approval could not be read: the file is gone");
    }

    @Test
    void two_objects_have_two_digests() {
        var cwd = new GuestPath("/workspace");
        assertThat(Stream.of(
                                exec(cwd, "a", "bc"),
                                exec(cwd, "ab", "c"),
                                exec(cwd, "a", "b", "c"),
                                exec(cwd, "a", "bc", ""),
                                exec(new GuestPath("/"), "a", "bc"))
                        .map(action -> ActionDigest.begin(action).end()))
                .doesNotHaveDuplicates();
    }

    private static Action exec(GuestPath cwd, String... words) {
        return new Action.ProcExec(Stream.of(words).map(ByteString::of).toList(), cwd);
    }

    @Test
    void a_warrant_is_spent_once() throws DeniedException {
        var warrant = new Gate(List.of(YES), Approvals.NOBODY, journal).pass(ECHO);
        warrant.spend();

        assertThatThrownBy(warrant::spend)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("warrant test-1 is already spent");
    }

    @Test
    void a_warrant_for_another_kind_of_action_opens_nothing_and_stays_whole() throws DeniedException {
        var warrant = new Gate(List.of(YES), Approvals.NOBODY, journal).pass(ECHO);

        assertThatThrownBy(() -> warrant.spend(Action.FsRead.class))
                .hasMessage("warrant test-1 is for proc.exec (expected: FsRead)");
        assertThat(warrant.spend(Action.ProcExec.class)).isSameAs(ECHO);
    }

    @Test
    void a_gate_without_judges_cannot_be_made() {
        assertThatThrownBy(() -> new Gate(List.of(), Approvals.NOBODY, journal))
                .hasMessage("judges: [] (expected: at least one)");
    }

    /// What a caller hears that does not wait.
    private static final class Heard implements Gate.Hearing {
        private final List<Warrant> warrants = new ArrayList<>();
        private final List<DeniedException> denials = new ArrayList<>();

        @Override
        public void passed(Warrant warrant) {
            warrants.add(warrant);
        }

        @Override
        public void denied(DeniedException denied) {
            denials.add(denied);
        }
    }

    @Test
    void who_does_not_wait_gets_the_same_warrant() {
        var heard = new Heard();

        assertThat(new Gate(List.of(YES), Approvals.NOBODY, journal).pass(ECHO, heard))
                .isTrue();

        assertThat(heard.denials).isEmpty();
        assertThat(heard.warrants).singleElement().satisfies(warrant -> {
            assertThat(warrant.intentSequence()).isEqualTo(41);
            assertThat(warrant.spend()).isSameAs(ECHO);
        });
        assertThat(journal.verdicts).hasOnlyElementsOfType(Decision.Allow.class);
    }

    @Test
    void who_does_not_wait_hears_a_denial_that_is_on_record() {
        var heard = new Heard();

        assertThat(new Gate(List.of(YES, NO), Approvals.NOBODY, journal).pass(ECHO, heard))
                .isTrue();

        assertThat(heard.warrants).isEmpty();
        assertThat(heard.denials)
                .singleElement()
                .satisfies(denied -> assertThat(denied.denial().detail()).isEqualTo("the operator forbids it"));
        assertThat(journal.verdicts).hasOnlyElementsOfType(Decision.Deny.class);
    }

    @Test
    void who_does_not_wait_is_denied_when_the_log_takes_nothing() {
        var heard = new Heard();

        assertThat(new Gate(List.of(YES), Approvals.NOBODY, new FullDisk()).pass(ECHO, heard))
                .isTrue();

        assertThat(heard.warrants).isEmpty();
        assertThat(heard.denials)
                .singleElement()
                .satisfies(denied -> assertThat(denied.denial().code()).isEqualTo(DenyCode.AUDIT_UNAVAILABLE));
    }

    @Test
    void a_question_is_not_for_who_does_not_wait() {
        var heard = new Heard();

        assertThat(new Gate(List.of(ASK), Approvals.NOBODY, journal).pass(ECHO, heard))
                .isFalse();

        assertThat(heard.warrants).isEmpty();
        assertThat(heard.denials).isEmpty();
        assertThat(journal.verdicts).isEmpty();
    }
}
