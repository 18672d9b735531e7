package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.approval.QuestionDesk;
import dev.cagewright.supervisor.approval.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Puts requests for grants to a person, each on a thread of its own. Safe for all threads.
final class PersonDesk {
    /// The most that wait at once; one more is denied.
    static final int MOST = 8;

    private static final long PATIENCE = 2;

    private final QuestionDesk questions;
    private final Semaphore free = new Semaphore(MOST);

    PersonDesk(QuestionDesk questions) {
        this.questions = questions;
    }

    /// Hears what came of a question.
    @FunctionalInterface
    interface Hearing {
        /// It is settled.
        ///
        /// @param reply empty if nobody could be asked
        void answered(Optional<Reply> reply);
    }

    /// Can anybody be asked?
    boolean reaches() {
        return questions.reaches();
    }

    /// Asks; returns at once, and `hearing` is told on a thread that may wait.
    ///
    /// @return false if too many wait, and nobody is asked
    boolean ask(DecisionId id, GrantRequest request, Duration patience, Hearing hearing) {
        if (!free.tryAcquire()) {
            return false;
        }
        Thread.startVirtualThread(() -> {
            try {
                hearing.answered(answer(id, request, patience));
            } finally {
                free.release();
            }
        });
        return true;
    }

    private Optional<Reply> answer(DecisionId id, GrantRequest request, Duration patience) {
        try {
            return questions.ask(id, matter(request), patience);
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static QuestionDesk.Matter matter(GrantRequest request) {
        var time = new TimeSpan(Duration.ofMillis(request.time().toMillis()));
        var lines = List.of(
                "for " + time + "; approve --for gives another time",
                "no secret goes with it",
                "the program's own words: " + request.why());
        var what = "grant " + GrantJournal.safe(request.opening().toString());
        return new QuestionDesk.Matter("grant", what, lines, digest(what, lines), "a program's request");
    }

    private static ByteString digest(String what, List<String> lines) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update((what + "\0" + String.join("\0", lines)).getBytes(StandardCharsets.UTF_8));
            return ByteString.copyOf(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256: absent (expected: in every JDK)", e);
        }
    }

    /// Waits a moment for those who still wait for an answer that nobody can give any more.
    void settle() {
        try {
            if (free.tryAcquire(MOST, PATIENCE, TimeUnit.SECONDS)) {
                free.release(MOST);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
