package dev.cagewright.supervisor.approval;

import java.io.IOException;

/// A way to put a question before a person, such as the terminal of the run. Safe for all threads.
public interface Asker {
    /// Can somebody be reached this way at all? Where nobody can by any, a question is not asked.
    boolean reaches();

    /// Puts the question; returns at once. Whoever asked closes what comes back when it is settled, this way or
    /// another.
    ///
    /// @param answers takes what the person says
    Asked ask(Question question, Answers answers) throws IOException;

    /// A question that was put.
    @FunctionalInterface
    interface Asked extends AutoCloseable {
        /// Takes the question back.
        @Override
        void close();
    }

    /// Takes answers; the first one stands.
    interface Answers {
        /// Answers the question.
        ///
        /// @throws AnsweredException if there is an answer already
        void reply(Reply.Word word, Scope scope, String how) throws IOException;

        /// Puts on record that the question reached somebody this way, as far as can be known.
        void told(String way);

        /// Puts on record that it could not be told this way.
        ///
        /// @param why one sentence, without anything secret
        void untold(String way, String why);
    }
}
