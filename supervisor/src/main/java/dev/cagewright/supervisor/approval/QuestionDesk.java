package dev.cagewright.supervisor.approval;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Approvals;
import dev.cagewright.policy.gate.Exhibit;
import dev.cagewright.supervisor.journal.ActionText;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Asks the person of one session and waits for the answer. A question that cannot be put, remembered or answered in
/// time
/// is denied. Safe for all threads; each waits for its own answer.
public final class QuestionDesk implements Approvals {
    /// The most that wait at once; one more is denied.
    static final int MOST_WAITING = 64;

    /// An answer is looked for this often where the kernel gives no notice of it.
    private static final long LOOK = 500;

    private static final String INTERRUPTED = "interrupted";

    private final Place place;
    private final AuditJournal journal;
    private final List<Asker> askers;
    private final Consents consents = new Consents(System::nanoTime);
    private final Semaphore free = new Semaphore(MOST_WAITING);
    private final Set<Question> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean isOver;

    /// Whose questions they are.
    ///
    /// @param session the session's own folder
    /// @param cage the cage's name
    public record Place(Path session, String cage) {}

    /// @param askers the ways to a person; where none reaches anybody nobody is asked
    public QuestionDesk(Place place, AuditJournal journal, List<Asker> askers) {
        this.place = place;
        this.journal = journal;
        this.askers = List.copyOf(askers);
    }

    @Override
    public Answer ask(DecisionId id, Action action, Decision.Ask ask, Exhibit.Shown shown) {
        try {
            if (consents.cover(ask.because())) {
                note(id, "approval.standing", Json.object().put("rules", names(ask)));
                return Answer.AGREED;
            }
            if (askers.stream().noneMatch(Asker::reaches)) {
                note(id, "approval.unasked", Json.object().put("why", "nobody can be asked"));
                return Answer.NO_ANSWER;
            }
            var question = question(id, action, ask, shown);
            return admitted(question, ask.patience())
                    .map(reply -> taken(ask.because(), question, reply))
                    .orElse(Answer.NO_ANSWER);
        } catch (IOException _) {
            return Answer.NO_ANSWER;
        }
    }

    /// Something else than an action of the cage that a person decides.
    ///
    /// @param name what kind of thing it is, e.g. `grant`
    /// @param what it is in one line, safe on a terminal
    /// @param lines what else of it counts; not yet made safe
    /// @param digest SHA-256 over all of it
    /// @param asks who wants it answered, for people
    public record Matter(String name, String what, List<String> lines, ByteString digest, String asks) {
        public Matter {
            lines = List.copyOf(lines);
        }
    }

    /// Can anybody be asked?
    public boolean reaches() {
        return !isOver && askers.stream().anyMatch(Asker::reaches);
    }

    /// Asks about `matter` and waits for the answer, at most for `patience`.
    ///
    /// @return empty if it could not be asked
    /// @throws IOException if the question or its answer could not be kept; then nobody agreed
    public Optional<Reply> ask(DecisionId id, Matter matter, Duration patience) throws IOException {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        var question = new Question(
                id,
                place.cage(),
                matter.name(),
                Bounded.line(matter.what()),
                Bounded.lines(matter.lines()),
                HexFormat.of().formatHex(matter.digest().toByteArray()),
                List.of(matter.asks()),
                now,
                now.plus(patience));
        return admitted(question, patience).filter(reply -> reply.digest().equals(question.digest()));
    }

    private Optional<Reply> admitted(Question question, Duration patience) throws IOException {
        if (!free.tryAcquire()) {
            note(question.id(), "approval.unasked", Json.object().put("why", MOST_WAITING + " wait already"));
            return Optional.empty();
        }
        try {
            var reply = settled(question, patience);
            note(question.id(), "approval.answered", answered(reply));
            if (reply.how().equals(INTERRUPTED)) {
                Thread.currentThread().interrupt();
            }
            return Optional.of(reply);
        } finally {
            free.release();
        }
    }

    private static JsonObject.Builder answered(Reply reply) {
        var json = Json.object();
        reply.toJson().members().forEach(json::put);
        return json;
    }

    /// An agreement holds only for the object that is being asked about.
    private Answer taken(List<RuleId> rules, Question question, Reply reply) {
        return switch (reply.word()) {
            case AGREED -> {
                if (!reply.digest().equals(question.digest())) {
                    yield Answer.NO_ANSWER;
                }
                consents.keep(rules, reply.scope());
                yield Answer.AGREED;
            }
            case REFUSED -> Answer.REFUSED;
            case EXPIRED -> Answer.NO_ANSWER;
        };
    }

    private Reply settled(Question question, Duration patience) throws IOException {
        var folder = QuestionFolder.create(place.session());
        try (var watch = folder.path().getFileSystem().newWatchService()) {
            folder.path().register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            note(
                    question.id(),
                    "approval.asked",
                    Json.object()
                            .put("rules", question.rules())
                            .put("digest", question.digest())
                            .put("until", question.until().toString()));
            var asked = new ArrayList<Asker.Asked>();
            try {
                folder.put(question);
                waiting.add(question);
                if (isOver) {
                    expire(folder, question, "end");
                }
                asked.addAll(put(question, new Taking(question, folder, journal)));
                return awaited(folder, question, patience, watch);
            } catch (InterruptedException _) {
                // what is still to be written would close its file under a thread that is interrupted
                return expire(folder, question, INTERRUPTED);
            } finally {
                waiting.remove(question);
                asked.forEach(Asker.Asked::close);
                folder.withdraw(question.id());
            }
        }
    }

    private List<Asker.Asked> put(Question question, Asker.Answers answers) {
        var asked = new ArrayList<Asker.Asked>();
        askers.forEach(asker -> put(asker, question, answers).ifPresent(asked::add));
        return asked;
    }

    /// Takes what comes back of one question, by whatever way.
    private record Taking(Question question, QuestionFolder folder, AuditJournal journal) implements Asker.Answers {
        @Override
        public void reply(Reply.Word word, Scope scope, String how) throws IOException {
            folder.reply(question, new Reply(word, question.digest(), scope, how, Account.name()));
        }

        @Override
        public void told(String way) {
            note("approval.told", Json.object().put("way", way));
        }

        @Override
        public void untold(String way, String why) {
            note("approval.untold", Json.object().put("way", way).put("why", why));
        }

        /// The session may be over; what waits for nobody any more needs no record.
        private void note(String name, JsonObject.Builder detail) {
            try {
                journal.note(question.id(), name, detail.build());
            } catch (IOException _) {
                return;
            }
        }
    }

    /// A way that fails leaves the others.
    private static Optional<Asker.Asked> put(Asker asker, Question question, Asker.Answers answers) {
        try {
            return Optional.of(asker.ask(question, answers));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Reply awaited(QuestionFolder folder, Question question, Duration patience, WatchService watch)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        Optional<Reply> reply = folder.replyTo(question.id());
        while (reply.isEmpty()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return expire(folder, question, "timeout");
            }
            awaitNews(watch, Math.min(left, LOOK));
            reply = folder.replyTo(question.id());
        }
        return reply.get();
    }

    private static void awaitNews(WatchService watch, long millis) throws InterruptedException {
        var key = watch.poll(millis, TimeUnit.MILLISECONDS);
        if (key != null) {
            key.pollEvents();
            key.reset();
        }
    }

    /// Who was faster than the end of patience has answered.
    private static Reply expire(QuestionFolder folder, Question question, String how) throws IOException {
        var silence = new Reply(Reply.Word.EXPIRED, question.digest(), new Scope.Once(), how, Account.name());
        try {
            folder.reply(question, silence);
            return silence;
        } catch (AnsweredException e) {
            return e.first();
        }
    }

    /// Nothing of the run needs an answer any more: what waits is denied, and so is what comes.
    public void end() {
        isOver = true;
        waiting.forEach(question -> {
            try {
                expire(QuestionFolder.of(place.session()), question, "end");
            } catch (IOException _) {
                return; // it ends with its patience
            }
        });
    }

    private void note(DecisionId id, String name, JsonObject.Builder detail) throws IOException {
        journal.note(id, name, detail.build());
    }

    private static List<String> names(Decision.Ask ask) {
        return ask.because().stream().map(RuleId::value).toList();
    }

    private Question question(DecisionId id, Action action, Decision.Ask ask, Exhibit.Shown shown) {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        return new Question(
                id,
                place.cage(),
                action.name(),
                Bounded.line(ActionText.of(action)),
                Bounded.lines(shown.lines()),
                HexFormat.of().formatHex(shown.digest().toByteArray()),
                names(ask),
                now,
                now.plus(ask.patience()));
    }
}
