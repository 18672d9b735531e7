package dev.cagewright.bench;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.PendingQuestions;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.QuestionDesk;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What an approval costs besides the person: an action that needs one passes the gate, the question is put and on
/// record, somebody who does not think finds it and agrees by the way of `cagewright approve`, and the warrant is
/// there.
/// Four lines of the log, each on the disk before the next step; the log lies where `java.io.tmpdir` says.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 5)
@Fork(1)
public class ApprovalBench {
    private static final SessionId SESSION = new SessionId("abcdefghij");
    private static final Action PAY = new Action.HttpRequest("POST", new HostName("api.example.com"), 443, "/pay");

    private Path folder;
    private SessionLife life;
    private AuditLog log;
    private Gate gate;

    /// Agrees as soon as it is told, on a thread of its own, by what the command does.
    private record Quick(PendingQuestions pending) implements Asker {
        @Override
        public boolean reaches() {
            return true;
        }

        @Override
        public Asked ask(Question question, Answers answers) {
            Thread.ofVirtual().start(() -> {
                try {
                    var found = pending.find(question.id()).orElseThrow();
                    pending.reply(
                            found, Reply.Word.AGREED, new dev.cagewright.supervisor.approval.Scope.Once(), "command");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            return () -> {};
        }
    }

    @Setup(Level.Trial)
    public void open() throws IOException {
        folder = Files.createTempDirectory("approval-bench");
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var session = folders.session(SESSION);
        life = SessionLife.begin(session);
        log = AuditLog.open(folders.auditLog(), InstantSource.system());
        var journal = new AuditJournal(log, SESSION.value(), "bench", (_, _) -> JsonObject.EMPTY);
        var place = new QuestionDesk.Place(session, "bench");
        var desk = new QuestionDesk(place, journal, List.of(new Quick(new PendingQuestions(folders))));
        var ask = new Decision.Ask(List.of(new RuleId("approval.require_for[0]")), Duration.ofMinutes(1));
        gate = new Gate(List.of(_ -> ask), desk, journal);
    }

    @Benchmark
    public Warrant roundTrip() throws DeniedException {
        return gate.pass(PAY);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        log.close();
        life.close();
        try (var all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
