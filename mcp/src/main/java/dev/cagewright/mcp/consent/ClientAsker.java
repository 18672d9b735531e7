package dev.cagewright.mcp.consent;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The person behind a client that can ask one (`elicitation`). What they agree to is the object that was shown, one
/// time. The model gets neither the question nor a way to answer it, as far as the client keeps to the protocol. Safe
/// for all threads.
public final class ClientAsker implements Asker {
    private static final String WAY = "elicitation";
    private static final String APPROVE = "approve";

    /// Of the call whose thread passes a gate.
    private static final ThreadLocal<Caller> ASKING = new ThreadLocal<>();

    /// `approve` has no default: whoever accepts without a word has not agreed.
    private static final JsonObject SCHEMA = Json.object()
            .put("type", "object")
            .put(
                    "properties",
                    Map.of(
                            APPROVE,
                            Map.of(
                                    "type",
                                    "boolean",
                                    "title",
                                    "Allow this, one time",
                                    "description",
                                    "true lets exactly what is shown happen once; false denies it")))
            .put("required", List.of(APPROVE))
            .build();

    /// Of calls in which something else than their own thread may come to a question, the newest last.
    private final Deque<Caller> beside = new ArrayDeque<>();

    /// Nobody to ask, as long as no call is under way.
    public ClientAsker() {}

    /// What comes to be asked on this thread is asked of `caller`, until this is closed on the same thread.
    public Listening with(Caller caller) {
        ASKING.set(caller);
        return ASKING::remove;
    }

    /// A call begins whose program, or whose request, others decide about.
    public Listening beside(Caller caller) {
        synchronized (beside) {
            beside.addLast(caller);
        }
        return () -> {
            synchronized (beside) {
                beside.remove(caller);
            }
        };
    }

    /// A client can be asked until it is closed.
    @FunctionalInterface
    public interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    @Override
    public boolean reaches() {
        return client().isPresent();
    }

    private Optional<Caller> client() {
        var own = Optional.ofNullable(ASKING.get());
        if (own.isPresent()) {
            return own.filter(ClientAsker::canAsk);
        }
        synchronized (beside) {
            return beside.reversed().stream().filter(ClientAsker::canAsk).findFirst();
        }
    }

    private static boolean canAsk(Caller caller) {
        return !caller.isCancelled()
                && caller.capabilities().member("elicitation").isPresent();
    }

    @Override
    @SuppressWarnings("Interruption") // the thread is the question's own, and the question is settled
    public Asked ask(Question question, Answers answers) {
        var client = client();
        if (client.isEmpty()) {
            return () -> {};
        }
        var thread = Thread.ofVirtual().name("elicitation").start(() -> put(client.get(), question, answers));
        return thread::interrupt;
    }

    private static void put(Caller client, Question question, Answers answers) {
        try {
            answers.told(WAY);
            var answer = client.elicit(words(question), SCHEMA);
            if (answer.isPresent()) {
                answers.reply(word(answer.get()), new Scope.Once(), WAY);
            }
        } catch (IOException _) {
            return; // somebody else was quicker, or the session is over
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it is settled
        }
    }

    /// Only an explicit yes is one.
    private static Reply.Word word(JsonObject answer) {
        boolean isAgreed = answer.text("action").filter("accept"::equals).isPresent()
                && answer.member("content").orElse(JsonObject.EMPTY) instanceof JsonObject content
                && content.member(APPROVE).filter(new JsonBoolean(true)::equals).isPresent();
        return isAgreed ? Reply.Word.AGREED : Reply.Word.REFUSED;
    }

    private static String words(Question question) {
        var text = new StringBuilder("Cagewright asks: may cage ")
                .append(question.cage())
                .append(" do this, one time?\n\n")
                .append(question.what());
        question.lines().forEach(line -> text.append("\n  ").append(line));
        return text.append("\n\nrule ")
                .append(String.join(", ", question.rules()))
                .append("; decision ")
                .append(question.id())
                .append("; sha256 ")
                .append(question.digest())
                .append("; until ")
                .append(question.until())
                .toString();
    }
}
