package dev.cagewright.supervisor.receipt.check;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LineDigest;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.supervisor.journal.JournalTrace;
import dev.cagewright.supervisor.receipt.Argv;
import dev.cagewright.supervisor.receipt.Decisions;
import dev.cagewright.supervisor.receipt.LogRange;
import dev.cagewright.supervisor.receipt.ProgramsStated;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.RunEnd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Do a receipt and the lines of its session say the same? Every difference is one sentence. Looks at the lines
/// alone: whether they are a log's is for the chain, a checkpoint or a proof to say.
public final class LogAgreement {
    private static final String PROGRAM = "proc.exec";
    private static final String USE = "secret.use";

    private final Receipt receipt;
    private final List<LogLine> lines;
    private final List<String> complaints = new ArrayList<>();

    /// Of programs, by the decision that allowed them.
    private final Map<String, JsonObject> outcomes = new HashMap<>();

    private LogAgreement(Receipt receipt, List<LogLine> lines) {
        this.receipt = receipt;
        this.lines = lines;
        for (LogLine line : lines) {
            var event = line.event();
            if (event.kind() == Event.Kind.OUTCOME && event.actionName().equals(PROGRAM)) {
                outcomes.putIfAbsent(event.origin().id(), event.detail());
            }
        }
    }

    /// What differs; empty when nothing does.
    ///
    /// @param session all lines of the receipt's session in the log's order; those behind its range do not count
    public static List<String> complaints(Receipt receipt, List<LogLine> session) {
        var range = receipt.log();
        var within = session.stream()
                .filter(line -> line.seq() >= range.first() && line.seq() <= range.last())
                .toList();
        return new LogAgreement(receipt, within).all();
    }

    /// Does the log name this receipt, behind the lines that it is about?
    ///
    /// @param sha256 of the receipt's file
    public static boolean names(List<LogLine> session, String sha256) {
        return session.stream()
                .map(LogLine::event)
                .filter(event -> event.kind() == Event.Kind.NOTE)
                .filter(event -> event.actionName().equals(Receipt.NOTE))
                .anyMatch(event -> event.detail().text("sha256").orElse("").equals(sha256));
    }

    private List<String> all() {
        range();
        if (complaints.isEmpty()) {
            decisions();
            programs();
        }
        return complaints;
    }

    private void range() {
        var log = receipt.log();
        var digest = new LineDigest();
        for (LogLine line : lines) {
            if (!line.event().origin().session().equals(receipt.run().session())) {
                complain("line " + line.seq() + " is another session's");
            }
            if (!digest.hash(line.prev(), line.bytes()).equals(line.hash())) {
                complain("line " + line.seq() + " does not have its own hash");
            }
        }
        differ("lines", Long.toString(log.lines()), Long.toString(lines.size()));
        if (lines.isEmpty() || !complaints.isEmpty()) {
            return;
        }
        differ(
                "first line",
                Long.toString(log.first()),
                Long.toString(lines.getFirst().seq()));
        differ(
                "last line",
                Long.toString(log.last()),
                Long.toString(lines.getLast().seq()));
        differ("hash of the last line", log.head(), lines.getLast().hash());
        var hashes =
                lines.stream().limit(JournalTrace.MOST_LINES).map(LogLine::hash).toList();
        differ("digest of the lines", log.sha256(), LogRange.digest(hashes));
    }

    private void decisions() {
        var stated = receipt.decisions();
        var denied = intents("deny");
        differ(
                "allowed",
                Long.toString(stated.allowed()),
                Long.toString(intents("allow").size()));
        differ("denied", Long.toString(stated.denied()), Long.toString(denied.size()));
        var ids = stated.denials().stream().map(Decisions.Denial::id).sorted().toList();
        var logged = denied.stream().map(event -> event.origin().id()).toList();
        if (!logged.containsAll(ids)) {
            complain("the receipt names a denial that the log does not have");
        }
        secrets(stated.secrets());
    }

    private void secrets(List<Decisions.Lent> stated) {
        var logged = new TreeMap<String, Long>();
        intents("allow").stream()
                .map(Event::action)
                .filter(action -> action.text("name").orElse("").equals(USE))
                .forEach(use -> logged.merge(use.text("secret").orElse(""), 1L, Long::sum));
        for (var lent : stated) {
            var uses = logged.remove(lent.name());
            differ("uses of " + lent.name(), Long.toString(lent.uses()), Long.toString(uses == null ? 0 : uses));
        }
        if (!logged.isEmpty() && !stated.isEmpty()) {
            complain("the log has uses of a secret that the receipt does not name");
        }
    }

    private List<Event> intents(String decision) {
        return lines.stream()
                .map(LogLine::event)
                .filter(event -> event.kind() == Event.Kind.INTENT)
                .filter(event -> event.ruling().decision().equals(decision))
                .toList();
    }

    /// The set-up, where there is one, and then the run; each is an intent and, unless it was denied, an outcome.
    private void programs() {
        var run = receipt.run();
        var intents = new ArrayDeque<>(intents());
        run.setup().ifPresent(setup -> program("set-up: ", setup.argv(), setup.end(), intents));
        if (receipt.end().cause().equals(RunEnd.SETUP_FAILED)) {
            if (run.setup().isEmpty() || !intents.isEmpty()) {
                complain("the receipt says that the run did not begin, and the log tells otherwise");
            }
            return;
        }
        if (run.programs().isPresent()) {
            cage(run.programs().get(), intents);
        } else {
            program("", run.argv(), receipt.end(), intents);
        }
    }

    /// A named cage: each program is an intent and an outcome, and the log says how the cage ended.
    private void cage(ProgramsStated stated, Deque<Event> intents) {
        intents.removeIf(intent -> !intent.ruling().decision().equals("allow"));
        differ("programs", Long.toString(stated.count()), Long.toString(intents.size()));
        var begun = new HashMap<String, Event>();
        intents.forEach(intent -> begun.put(intent.origin().id(), intent));
        for (var program : stated.first()) {
            var which = program.id() + ": ";
            var intent = begun.get(program.id());
            if (intent == null) {
                complain(which + "the log has no intent to run it");
            } else {
                argv(which, program.argv(), intent);
                ended(which, program);
            }
        }
        if (receipt.end().ran()) {
            differ("end", receipt.end().cause(), state());
        }
    }

    private void ended(String which, ProgramsStated.Program program) {
        var outcome = outcome(program.id());
        if (program.cause().equals(ProgramsStated.UNKNOWN)) {
            outcome.ifPresent(_ -> complain(which + "the receipt knows no end, but the log has an outcome"));
        } else if (outcome.isEmpty()) {
            complain(which + "the log has no outcome");
        } else if (outcome.get().member("exit").isPresent()) {
            differ(which + "exit", Long.toString(program.status()), text(outcome.get(), "exit"));
            differ(which + "cause", program.cause(), text(outcome.get(), "cause"));
        }
    }

    /// How the cage went down, as the log has it.
    private String state() {
        return lines.stream()
                .map(LogLine::event)
                .filter(event ->
                        event.kind() == Event.Kind.NOTE && event.actionName().equals(ProgramsStated.DOWN))
                .reduce((_, last) -> last)
                .flatMap(event -> event.detail().text("state"))
                .orElse("");
    }

    private List<Event> intents() {
        return lines.stream()
                .map(LogLine::event)
                .filter(event ->
                        event.kind() == Event.Kind.INTENT && event.actionName().equals(PROGRAM))
                .toList();
    }

    private void program(String which, Argv argv, RunEnd end, Deque<Event> intents) {
        var intent = intents.poll();
        if (intent == null) {
            if (!lines.isEmpty()) {
                complain(which + "the log has no intent to run a program");
            }
            return;
        }
        argv(which, argv, intent);
        end(which, end, intent.origin().id());
    }

    private void argv(String which, Argv argv, Event intent) {
        if (!argv.words().isEmpty()) {
            var logged = intent.action().member("argv").orElse(JsonObject.EMPTY);
            if (!logged.equals(new JsonArray(argv.words()))) {
                complain(which + "arguments: the receipt and the log tell different ones");
            }
        }
    }

    private Optional<JsonObject> outcome(String decision) {
        return Optional.ofNullable(outcomes.get(decision));
    }

    private void end(String which, RunEnd end, String decision) {
        var outcome = outcome(decision);
        if (end.cause().equals("denied")) {
            outcome.ifPresent(_ -> complain(which + "the receipt says denied, but the log has an outcome"));
        } else if (outcome.isEmpty()) {
            complain(which + "the log has no outcome");
        } else {
            outcome(end, outcome.get());
        }
    }

    private void outcome(RunEnd end, JsonObject logged) {
        differ("ran", Boolean.toString(end.ran()), text(logged, "ran"));
        differ("why", end.why(), text(logged, "why"));
        if (logged.member("exit").isPresent()) {
            differ("exit", Long.toString(end.status()), text(logged, "exit"));
            differ("cause", end.cause(), text(logged, "cause"));
        }
    }

    private static String text(JsonObject logged, String name) {
        return switch (logged.member(name).orElse(JsonObject.EMPTY)) {
            case JsonString(String text) -> text;
            case JsonNumber(String text) -> text;
            case JsonBoolean(boolean truth) -> Boolean.toString(truth);
            default -> "";
        };
    }

    private void differ(String what, String stated, String logged) {
        if (!stated.equals(logged)) {
            complain(what + ": the receipt says " + shown(stated) + ", the log " + shown(logged));
        }
    }

    private static String shown(String value) {
        return value.isEmpty() ? "nothing" : value;
    }

    private void complain(String sentence) {
        complaints.add(sentence);
    }
}
