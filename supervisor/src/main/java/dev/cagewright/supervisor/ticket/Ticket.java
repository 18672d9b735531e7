package dev.cagewright.supervisor.ticket;

import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Reply;
import java.time.Instant;
import java.util.Optional;

/// One answer to one question, to be given at most once: `t1.ID.ANSWER.EXPIRY.TAG`. The tag covers the digest of the
/// object, too, so that a ticket answers no other one.
///
/// @param word agreed, which is for one time, or refused
/// @param expires seconds of Unix time
/// @param tag as it was given; of no worth until it is held against a question
record Ticket(DecisionId id, Reply.Word word, long expires, String tag) {
    private static final int LONGEST = 200;

    /// A ticket for `question`, which ends with the question's patience.
    static String text(Question question, Reply.Word word, TicketKey key) {
        long expires = question.until().getEpochSecond();
        return "t1." + question.id() + "." + word.text() + "." + expires + "."
                + key.tag(signed(question, word, expires));
    }

    private static String signed(Question question, Reply.Word word, long expires) {
        return "cagewright-ticket 1\n" + question.id() + "\n" + word.text() + "\n" + expires + "\n" + question.digest()
                + "\n";
    }

    /// Empty if it is not spelt like one.
    static Optional<Ticket> read(String text) {
        var parts = text.split("\\.", -1);
        if (text.length() > LONGEST
                || parts.length != 5
                || !parts[0].equals("t1")
                || !parts[3].matches("[1-9][0-9]{0,11}")) {
            return Optional.empty();
        }
        try {
            return word(parts[2])
                    .map(word -> new Ticket(new DecisionId(parts[1]), word, Long.parseLong(parts[3]), parts[4]));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<Reply.Word> word(String text) {
        return switch (text) {
            case "agreed" -> Optional.of(Reply.Word.AGREED);
            case "refused" -> Optional.of(Reply.Word.REFUSED);
            default -> Optional.empty();
        };
    }

    /// Was it made for this very question, and is it not over?
    boolean holds(Question question, TicketKey key, Instant now) {
        return key.isTagOf(signed(question, word, expires), tag)
                && question.id().equals(id)
                && now.getEpochSecond() < expires;
    }
}
