package dev.cagewright.supervisor.approval;

import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.OwnerFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The questions of one session, as files that their owner alone can read: `ID.ask` while it waits, and `ID.reply`,
/// which link(2) makes once. Safe for all threads and processes.
final class QuestionFolder {
    private static final String ASK = ".ask";
    private static final String REPLY = ".reply";

    private final Path folder;

    private QuestionFolder(Path folder) {
        this.folder = folder;
    }

    /// Creates it, 0700, where it is not there.
    ///
    /// @param session the session's own folder
    static QuestionFolder create(Path session) throws IOException {
        var folder = at(session);
        OwnerFolder.make(folder);
        return new QuestionFolder(folder);
    }

    /// As it is; asking what is in one that is not there finds nothing.
    static QuestionFolder of(Path session) {
        return new QuestionFolder(at(session));
    }

    private static Path at(Path session) {
        return session.resolve("questions");
    }

    Path path() {
        return folder;
    }

    /// Puts a question for others to see.
    void put(Question question) throws IOException {
        OwnerFile.write(file(question.id(), ASK), question.toJson().bytes());
    }

    /// Takes a question away; its reply stays, so that a late one can be told apart.
    void withdraw(DecisionId id) throws IOException {
        Files.deleteIfExists(file(id, ASK));
    }

    /// The question that waits under `id`.
    ///
    /// @throws IOException if there is one that cannot be read
    Optional<Question> find(DecisionId id) throws IOException {
        try {
            return Optional.of(Question.parse(OwnerFile.read(file(id, ASK), Question.MOST)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /// What came back so far.
    ///
    /// @throws IOException if it cannot be read; then nobody agreed
    Optional<Reply> replyTo(DecisionId id) throws IOException {
        try {
            return Optional.of(Reply.parse(OwnerFile.read(file(id, REPLY), Reply.MOST)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /// Answers, if nobody has.
    ///
    /// @throws AnsweredException if somebody has
    void reply(Question question, Reply reply) throws IOException {
        var file = file(question.id(), REPLY);
        var whole = Files.createTempFile(
                folder,
                "reply-",
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(whole, reply.toJson().bytes());
            Files.createLink(file, whole);
        } catch (FileAlreadyExistsException e) {
            var answered =
                    new AnsweredException(question, replyTo(question.id()).orElse(reply));
            answered.initCause(e);
            throw answered;
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    /// The questions that wait, oldest first; what cannot be read is left out.
    List<Question> waiting() throws IOException {
        var found = new ArrayList<Question>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ASK)) {
            files.forEach(file -> unanswered(file).ifPresent(found::add));
        } catch (NoSuchFileException _) {
            return List.of();
        }
        found.sort(Comparator.comparing(Question::asked));
        return found;
    }

    private Optional<Question> unanswered(Path file) {
        var name = file.getFileName().toString();
        try {
            var id = new DecisionId(name.substring(0, name.length() - ASK.length()));
            return replyTo(id).isEmpty() ? find(id) : Optional.empty();
        } catch (IOException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private Path file(DecisionId id, String ending) {
        return folder.resolve(id.value() + ending);
    }
}
