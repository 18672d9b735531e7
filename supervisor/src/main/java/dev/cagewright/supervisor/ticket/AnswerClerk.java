package dev.cagewright.supervisor.ticket;

import dev.cagewright.supervisor.approval.AnsweredException;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.hatch.Clerk;
import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.HatchRequest;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/// Answers whoever follows a link: GET shows and changes nothing, POST answers, once. Safe for all threads.
final class AnswerClerk implements Clerk {
    static final String PATH = "/a/";

    private static final String FORM = "application/x-www-form-urlencoded";

    private final PendingQuestions pending;
    private final TicketKey key;
    private final Surroundings surroundings;
    private final InstantSource clock;

    AnswerClerk(PendingQuestions pending, TicketKey key, Surroundings surroundings, InstantSource clock) {
        this.pending = pending;
        this.key = key;
        this.surroundings = surroundings;
        this.clock = clock;
    }

    @Override
    public HatchAnswer answer(HatchRequest request) {
        var objection = surroundings.objection(request);
        if (objection.isPresent()) {
            return objection.get();
        }
        if (!request.target().startsWith(PATH)) {
            return AnswerPage.saying(404, "There is nothing here.");
        }
        try {
            var ticket = Ticket.read(request.target().substring(PATH.length()));
            var question = ticket.isEmpty()
                    ? Optional.<Question>empty()
                    : pending.find(ticket.get().id());
            if (question.isEmpty() || !ticket.get().holds(question.get(), key, clock.instant())) {
                return AnswerPage.saying(
                        410, "This link leads to no question that waits: it is over, settled, or was never made.");
            }
            return answer(request, ticket.get(), question.get());
        } catch (IOException _) {
            return AnswerPage.saying(500, "The question cannot be read, so it is not answered.");
        }
    }

    private HatchAnswer answer(HatchRequest request, Ticket ticket, Question question) throws IOException {
        return switch (request.method()) {
            case "GET" -> AnswerPage.of(question, ticket.word());
            case "POST" -> posted(request, ticket, question);
            default -> HatchAnswer.problem(405, "request:method", "(expected: GET or POST)");
        };
    }

    /// Whoever posts has seen what they answer: the page holds its digest.
    private HatchAnswer posted(HatchRequest request, Ticket ticket, Question question) throws IOException {
        if (!request.field("content-type").orElse("").equals(FORM)) {
            return HatchAnswer.problem(415, "request:type", "(expected: " + FORM + ")");
        }
        if (!request.body().utf8().orElse("").equals("digest=" + question.digest())) {
            return AnswerPage.saying(409, "This is not the object that waits. Follow the link again.");
        }
        try {
            pending.reply(question, ticket.word(), new Scope.Once(), "link");
        } catch (AnsweredException e) {
            return AnswerPage.saying(409, String.valueOf(e.getMessage()));
        }
        return AnswerPage.saying(200, ticket.word().text() + ": " + question.what());
    }
}
