package dev.cagewright.supervisor.ticket;

import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Optional;

/// Makes the links by which one question can be answered at an [AnswerDoor]. Whoever has a link can answer.
public final class Links {
    private final String base;
    private final TicketKey key;

    Links(String base, TicketKey key) {
        this.base = base;
        this.key = key;
    }

    /// Those of a door that is open now and that others than its own terminal know of.
    ///
    /// @throws IOException if there is one whose address or key cannot be read
    public static Optional<Links> published(StateFolders folders) throws IOException {
        var base = Publication.current(folders);
        return base.isEmpty() ? Optional.empty() : Optional.of(new Links(base.get(), TicketKey.of(folders)));
    }

    /// Leads to a page that shows the question and lets it be agreed to, once.
    public String approving(Question question) {
        return base + AnswerClerk.PATH + Ticket.text(question, Reply.Word.AGREED, key);
    }

    /// Leads to a page that shows the question and lets it be refused.
    public String denying(Question question) {
        return base + AnswerClerk.PATH + Ticket.text(question, Reply.Word.REFUSED, key);
    }
}
