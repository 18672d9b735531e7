package dev.cagewright.cli.approval;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.approval.AnsweredException;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;

/// One answer to one question, from another terminal than the run's.
record Answering(Console console, StateFolders folders) {
    /// Answers the question `id`, and says what came of it.
    ///
    /// @param answer what the person says
    int answer(String id, AnswerWord answer) throws IOException {
        var decision = new DecisionId(id);
        var pending = new PendingQuestions(folders);
        var question = pending.find(decision);
        if (question.isEmpty()) {
            console.say(Visible.text(absent(decision, pending)));
            return ExitCode.CHECK_FAILED.code();
        }
        return answered(pending, question.get(), answer);
    }

    private static String absent(DecisionId id, PendingQuestions pending) throws IOException {
        return pending.replyTo(id)
                .map(reply -> id + " was answered before: " + reply.word().text() + " by " + reply.who()
                        + " (expected: one that waits, as cagewright approvals lists them)")
                .orElse(id + " waits for no answer (expected: one that cagewright approvals lists)");
    }

    private int answered(PendingQuestions pending, Question question, AnswerWord answer) throws IOException {
        try {
            pending.reply(question, answer.word(), answer.scope(), "command");
        } catch (AnsweredException e) {
            console.say(Visible.text(String.valueOf(e.getMessage())));
            return ExitCode.CHECK_FAILED.code();
        }
        console.say(Visible.text(answer.word().text() + " (" + answer.scope().word() + "): " + question.what()));
        return ExitCode.OK.code();
    }
}
