package dev.cagewright.supervisor.approval;

import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The questions of all sessions of one person that live, and the way to answer them from another terminal. Safe for
/// all
/// threads.
public final class PendingQuestions {
    private final StateFolders folders;

    public PendingQuestions(StateFolders folders) {
        this.folders = folders;
    }

    /// The questions that wait, oldest first; those of a session that cannot be read are left out.
    ///
    /// @throws IOException if the sessions cannot be listed
    public List<Question> waiting() throws IOException {
        var all = new ArrayList<Question>();
        try (var sessions = Files.newDirectoryStream(folders.sessions(), Files::isDirectory)) {
            for (Path session : sessions) {
                all.addAll(waiting(session));
            }
        }
        all.sort(Comparator.comparing(Question::asked));
        return all;
    }

    private static List<Question> waiting(Path session) {
        try {
            return SessionLife.isAlive(session) ? QuestionFolder.of(session).waiting() : List.of();
        } catch (IOException _) {
            return List.of();
        }
    }

    /// The question that `id` is, answered or not.
    ///
    /// @throws IOException if there is one that cannot be read
    public Optional<Question> find(DecisionId id) throws IOException {
        return QuestionFolder.of(folder(id)).find(id);
    }

    /// What `id` was answered with, where it was asked at all.
    public Optional<Reply> replyTo(DecisionId id) throws IOException {
        return QuestionFolder.of(folder(id)).replyTo(id);
    }

    /// Answers for a person.
    ///
    /// @param question as it was shown to them
    /// @param how the way it came
    /// @throws AnsweredException if it was answered before, or waited too long
    /// @throws IOException if nobody waits for it, or it cannot be written
    public void reply(Question question, Reply.Word word, Scope scope, String how) throws IOException {
        var session = folder(question.id());
        if (!SessionLife.isAlive(session)) {
            throw new IOException(question.id() + ": its run is over (expected: a run that waits)");
        }
        QuestionFolder.of(session).reply(question, new Reply(word, question.digest(), scope, how, Account.name()));
    }

    private Path folder(DecisionId id) throws IOException {
        return folders.sessions().resolve(new SessionId(id.session()).value());
    }
}
