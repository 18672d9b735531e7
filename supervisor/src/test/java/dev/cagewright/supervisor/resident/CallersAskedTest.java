package dev.cagewright.supervisor.resident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.resident.caller.Callers.Presence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Programs of a named cage that a person has to approve first.
class CallersAskedTest extends HostedCages {
    private static final String ASKING = """
            approval:
              timeout: 2m
              require_for:
                - proc.exec: {names: [id]}
            """;

    @BeforeEach
    void make() throws IOException, PolicySyntaxException {
        make("three", POLICY.formatted("three") + ASKING);
        up("three");
    }

    private static ExecOrder attended(Presence presence, String... words) throws IOException {
        return new ExecOrder(
                "three",
                Arrays.stream(words).map(ByteString::of).toList(),
                CallerEnvironment.read(),
                Optional.empty(),
                presence);
    }

    private void answer(Question question, Reply.Word word) {
        try {
            new PendingQuestions(folders).reply(question, word, new Scope.Once(), "test");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private int code(ExecOrder order, List<Question> asked, Reply.Word word) throws IOException {
        try (var program = client.exec(order, Streams.Pipes.discarding())) {
            program.whenAsked(question -> {
                asked.add(question);
                answer(question, word);
            });
            return program.started() instanceof RemoteProgram.Started.Never(Ends never)
                    ? never.code()
                    : program.await().code();
        }
    }

    @Test
    void whoever_waits_hears_the_question_and_their_answer_starts_the_program() throws IOException {
        var asked = new ArrayList<Question>();

        assertThat(code(attended(Presence.PERSON, "id"), asked, Reply.Word.AGREED))
                .isZero();

        assertThat(asked).singleElement().satisfies(question -> {
            assertThat(question.what()).isEqualTo("proc.exec id");
            assertThat(question.cage()).isEqualTo("three");
        });
    }

    @Test
    void an_answer_of_no_denies_it_and_a_program_that_needs_no_approval_is_not_asked_about() throws IOException {
        var asked = new ArrayList<Question>();

        assertThatThrownBy(() -> code(attended(Presence.PERSON, "id"), asked, Reply.Word.REFUSED))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.denial().orElseThrow().code())
                                .isEqualTo("NOT_APPROVED"));
        assertThat(asked).hasSize(1);

        assertThat(code(attended(Presence.PERSON, "ls"), asked, Reply.Word.REFUSED))
                .isZero();
        assertThat(asked).hasSize(1);
    }

    @Test
    void where_there_is_no_person_and_none_elsewhere_nobody_is_asked() {
        var asked = new ArrayList<Question>();

        assertThatThrownBy(() -> code(attended(Presence.PROGRAM, "id"), asked, Reply.Word.AGREED))
                .isInstanceOf(RefusedException.class);
        assertThat(asked).isEmpty();
    }
}
