package dev.cagewright.supervisor.notice;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.ticket.Links;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Tells the person's [Webhook] of each question, on threads of its own: nobody waits for it, and that it could not be
/// told is on record. Tries three times, and not after the question is settled. Safe for all threads.
public final class WebhookAsker implements Asker {
    private static final String WAY = "webhook";

    /// Before each attempt.
    private static final List<Duration> PAUSES = List.of(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(8));

    private final StateFolders folders;

    public WebhookAsker(StateFolders folders) {
        this.folders = folders;
    }

    /// One that cannot be read reaches nobody.
    @Override
    public boolean reaches() {
        try {
            return Webhook.load(folders).isPresent();
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public Asked ask(Question question, Answers answers) throws IOException {
        var webhook = Webhook.load(folders);
        if (webhook.isEmpty()) {
            return () -> {};
        }
        var settled = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> tell(webhook.get(), question, answers, settled));
        return settled::countDown;
    }

    private void tell(Webhook webhook, Question question, Answers answers, CountDownLatch settled) {
        var why = "the question was settled";
        try {
            var message = message(question);
            for (Duration pause : PAUSES) {
                if (settled.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                    break;
                }
                try {
                    webhook.send(question.id().value(), message);
                    answers.told(WAY);
                    return;
                } catch (IOException e) {
                    why = String.valueOf(e.getMessage());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            why = "interrupted";
        }
        answers.untold(WAY, why);
    }

    /// Nothing of what the cage wants to send or to run is in it; the links lead to where it is shown.
    private JsonObject message(Question question) {
        var data = Json.object()
                .put("id", question.id().value())
                .put("cage", question.cage())
                .put("action", question.action())
                .put("summary", Summary.of(question))
                .put("rules", question.rules())
                .put("digest", question.digest())
                .put("until", question.until().toString());
        links().ifPresent(links -> data.put(
                "links",
                Json.object()
                        .put("approve", links.approving(question))
                        .put("deny", links.denying(question))
                        .build()));
        return Json.object()
                .put("type", "approval.asked")
                .put("timestamp", question.asked().toString())
                .put("data", data.build())
                .build();
    }

    private Optional<Links> links() {
        try {
            return Links.published(folders);
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
