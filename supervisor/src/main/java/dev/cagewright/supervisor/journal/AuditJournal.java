package dev.cagewright.supervisor.journal;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.Appended;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Journal;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// One session's journal in an audit log that the session owns. Safe for all threads.
public final class AuditJournal implements Journal {
    private final AuditLog log;
    private final String session;
    private final Origin origin;
    private final Reasons reasons;
    private final AtomicLong decisions;
    private final Tracing tracing;

    /// What is worth knowing about a verdict beyond itself: where its rule stands, what would change it.
    @FunctionalInterface
    public interface Reasons {
        JsonObject of(Action action, Decision.Verdict verdict);
    }

    /// @param session the session's id, which names its decisions too
    /// @param cage the cage's name
    public AuditJournal(AuditLog log, String session, String cage, Reasons reasons) {
        this(log, session, Origin.of(session, ByteString.of(cage).printable()), reasons);
    }

    private AuditJournal(AuditLog log, String session, Origin origin, Reasons reasons) {
        this.log = log;
        this.session = session;
        this.origin = origin;
        this.reasons = reasons;
        this.decisions = new AtomicLong();
        this.tracing = new Tracing();
    }

    private AuditJournal(AuditJournal other, Reasons reasons) {
        this.log = other.log;
        this.session = other.session;
        this.origin = other.origin;
        this.reasons = reasons;
        this.decisions = other.decisions;
        this.tracing = other.tracing;
    }

    /// The same journal for decisions that have other reasons.
    public AuditJournal giving(Reasons others) {
        return new AuditJournal(this, others);
    }

    /// The journal of a session that has a past in the log: numbers go on after `decided`.
    public static AuditJournal continuing(AuditLog log, Past past, Reasons reasons) {
        var journal = new AuditJournal(log, past.session, past.cage, reasons);
        journal.decisions.set(past.decided);
        return journal;
    }

    /// What came before.
    ///
    /// @param decided the number of the session's newest decision
    public record Past(String session, String cage, long decided) {}

    /// The session whose journal it is.
    public String session() {
        return session;
    }

    /// What is worth knowing about a verdict beyond itself.
    public JsonObject reasons(Action action, Decision.Verdict verdict) {
        return reasons.of(action, verdict);
    }

    @Override
    public DecisionId nextId() {
        return DecisionId.of(session, decisions.incrementAndGet());
    }

    @Override
    public long intent(DecisionId id, Action action, Decision.Verdict verdict) throws IOException {
        long seq = append(intended(id, action, verdict));
        tracing.decided(id, action, verdict);
        return seq;
    }

    @Override
    public void intent(DecisionId id, Action action, Decision.Verdict verdict, Recorded recorded) {
        append(intended(id, action, verdict), new Recorded() {
            @Override
            public void durable(long sequence) {
                tracing.decided(id, action, verdict);
                recorded.durable(sequence);
            }

            @Override
            public void failed(IOException why) {
                recorded.failed(why);
            }
        });
    }

    private Event intended(DecisionId id, Action action, Decision.Verdict verdict) {
        return Event.intent(origin.decision(id.value()), ActionJson.of(action), ruling(verdict))
                .detailed(reasons.of(action, verdict));
    }

    /// Appends how an allowed act ended; durable when it returns.
    ///
    /// @throws IOException if it may not survive a crash; the act has happened all the same
    public void outcome(DecisionId id, Action action, JsonObject detail) throws IOException {
        append(ended(id, action, detail));
    }

    /// The same without waiting, with the next line that somebody waits for; `recorded` hears of it.
    public void outcome(DecisionId id, Action action, JsonObject detail, Recorded recorded) {
        try {
            log.appendSoon(ended(id, action, detail), new Traced(recorded));
        } catch (IOException e) {
            recorded.failed(e);
        }
    }

    private Event ended(DecisionId id, Action action, JsonObject detail) {
        return Event.outcome(
                origin.decision(id.value()),
                Json.object().put("name", action.name()).build(),
                detail);
    }

    /// Appends something worth knowing that is not a decision.
    ///
    /// @throws IOException if it may not survive a crash
    public void note(String name, JsonObject detail) throws IOException {
        append(Event.note(origin, Json.object().put("name", name).build(), detail));
    }

    /// Appends something worth knowing about a decision.
    ///
    /// @throws IOException if it may not survive a crash
    public void note(DecisionId id, String name, JsonObject detail) throws IOException {
        append(Event.note(
                origin.decision(id.value()), Json.object().put("name", name).build(), detail));
    }

    /// These secrets are lent from here on, by name; each use is counted.
    public void lends(Collection<String> secrets) {
        tracing.lends(secrets);
    }

    /// How many actions were denied so far; a mere look-up does not count.
    public long denied() {
        return tracing.denied();
    }

    /// What was appended so far.
    public JournalTrace trace() {
        return tracing.trace();
    }

    private void append(Event event, Recorded recorded) {
        try {
            log.append(event, new Traced(recorded));
        } catch (IOException e) {
            recorded.failed(e);
        }
    }

    /// What is told, told on.
    private final class Traced implements AuditLog.Told {
        private final Recorded recorded;

        Traced(Recorded recorded) {
            this.recorded = recorded;
        }

        @Override
        public void appended(Appended line) {
            tracing.appended(line);
            recorded.durable(line.seq());
        }

        @Override
        public void failed(IOException why) {
            recorded.failed(why);
        }
    }

    private long append(Event event) throws IOException {
        var line = log.append(event);
        tracing.appended(line);
        return line.seq();
    }

    private static Event.Ruling ruling(Decision.Verdict verdict) {
        return switch (verdict) {
            case Decision.Allow allow -> new Event.Ruling(Event.Ruling.ALLOW, names(allow.because()));
            case Decision.Deny deny -> new Event.Ruling("deny", names(deny.because()));
        };
    }

    private static List<String> names(List<RuleId> rules) {
        return rules.stream().map(RuleId::value).toList();
    }
}
