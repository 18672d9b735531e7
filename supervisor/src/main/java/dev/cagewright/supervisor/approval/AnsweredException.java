package dev.cagewright.supervisor.approval;

import java.io.IOException;

/// A question was answered before: the first answer stands.
public final class AnsweredException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Reply first;

    AnsweredException(Question question, Reply first) {
        super(
                first.word() == Reply.Word.EXPIRED
                        ? question.id() + " waited until " + question.until()
                                + " and was denied then (expected: an answer in time; the program has to ask again)"
                        : question.id() + " was answered before: "
                                + first.word().text() + " by " + first.who()
                                + " (expected: one answer; the first one stands)");
        this.first = first;
    }

    /// The answer that stands.
    public Reply first() {
        return first;
    }
}
