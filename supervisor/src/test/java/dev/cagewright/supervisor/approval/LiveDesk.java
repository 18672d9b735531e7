package dev.cagewright.supervisor.approval;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Approvals.Answer;
import dev.cagewright.policy.gate.Exhibit;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/// A session that lives in a folder of a test's, and its desk.
public final class LiveDesk implements AutoCloseable {
    private static final SessionId SESSION = new SessionId("abcdefghij");

    private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final StateFolders folders;
    private final SessionLife life;
    private final AuditLog log;
    private final AuditJournal journal;
    private final QuestionDesk desk;

    public LiveDesk(Path temp, Asker... askers) throws IOException {
        folders = new StateFolders(temp.resolve("config"), temp.resolve("state"));
        var session = folders.session(SESSION);
        life = SessionLife.begin(session);
        log = AuditLog.open(folders.auditLog(), InstantSource.system());
        journal = new AuditJournal(log, SESSION.value(), "cage <b>", (_, _) -> JsonObject.EMPTY);
        var all = new ArrayList<>(List.of(askers));
        all.add(new Somewhere(questions));
        desk = new QuestionDesk(new QuestionDesk.Place(session, "cage <b>"), journal, all);
    }

    /// A person whom nothing but the folder tells.
    private record Somewhere(BlockingQueue<Question> questions) implements Asker {
        @Override
        public boolean reaches() {
            return true;
        }

        @Override
        public Asked ask(Question question, Answers answers) {
            questions.add(question);
            return () -> {};
        }
    }

    public StateFolders folders() {
        return folders;
    }

    /// Asks, and waits on a thread of its own.
    public Future<Answer> ask(Action action, Duration patience) {
        var rules = new Decision.Ask(List.of(new RuleId("approval.require_for[0]")), patience);
        var exhibit = Exhibit.of(action);
        return threads.submit(
                () -> desk.ask(journal.nextId(), action, rules, new Exhibit.Shown(exhibit.digest(), exhibit.lines())));
    }

    /// The next one that was asked; its patience may be over.
    public Question asked() throws InterruptedException {
        return questions.take();
    }

    /// The one that waits.
    public Question waiting() throws IOException {
        while (true) {
            var waiting = new PendingQuestions(folders).waiting();
            if (!waiting.isEmpty()) {
                return waiting.getFirst();
            }
            Thread.onSpinWait();
        }
    }

    /// Waits until the log has this.
    public String recorded(String part) throws IOException {
        while (true) {
            var text = Files.readString(folders.auditLog());
            if (text.contains(part)) {
                return text;
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException {
        desk.end();
        threads.close();
        life.close();
        log.close();
    }
}
