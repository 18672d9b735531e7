package dev.cagewright.cli.summary;

import dev.cagewright.audit.read.EventView;
import dev.cagewright.cli.net.Amount;
import dev.cagewright.cli.net.HostTraffic;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Console.Palette;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.receipt.Decisions;
import dev.cagewright.supervisor.state.SessionRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// A run's facts for people: at most [#MOST_LINES] lines, aligned, nothing in them that moves a cursor.
final class SummaryText {
    /// A head and these fit a screen of 24 lines with a prompt.
    static final int MOST_LINES = 20;

    private static final int LABEL = 10;
    private static final int NAME = 28;
    private static final int HOSTS = 4;
    private static final int DENIALS = 4;
    private static final int BUDGETS = 2;

    private final RunFacts facts;
    private final Palette palette;
    private final List<String> lines = new ArrayList<>();

    private SummaryText(RunFacts facts, Palette palette) {
        this.facts = facts;
        this.palette = palette;
    }

    /// How the run ended and how long it took.
    ///
    /// @param now for one that has not ended
    static String head(SessionRecord session, Instant now) {
        var command = String.join(" ", session.command());
        var words = EventView.shorten(command.substring(nameFrom(session)), NAME);
        var what = plain(words.isEmpty() ? session.cage() : session.cage() + ", " + words);
        return session.end()
                        .map(end -> what + ": " + end.state() + " " + end.exit() + " after "
                                + Span.of(Duration.between(session.start(), end.at())))
                        .orElseGet(() -> what + ": no end on record, begun "
                                + Span.of(Duration.between(session.start(), now)) + " ago")
                + ", " + session.id();
    }

    /// Where the program's own name begins.
    private static int nameFrom(SessionRecord session) {
        return session.command().isEmpty() ? 0 : session.command().getFirst().lastIndexOf('/') + 1;
    }

    /// The lines below the head.
    static List<String> of(RunFacts facts, Palette palette) {
        var text = new SummaryText(facts, palette);
        text.reached();
        text.denied();
        text.expected();
        facts.files().ifPresent(text::files);
        text.approvals();
        text.secrets();
        text.budgets();
        facts.receipt().ifPresent(text::receipt);
        return List.copyOf(text.lines);
    }

    private void reached() {
        var hosts = facts.reached();
        var rows = new ArrayList<String>();
        for (HostTraffic host : some(hosts, HOSTS)) {
            rows.add(String.format(
                    Locale.ROOT,
                    "%s %5d %s %s",
                    padded(host.host()),
                    host.requests(),
                    host.requests() == 1 ? "request " : "requests",
                    amounts(host)));
        }
        more(rows, hosts.size() - HOSTS, "cagewright net " + facts.session().id() + " --summary");
        put("reached", rows, UnaryOperator.identity());
    }

    private static String amounts(HostTraffic host) {
        return host.unanswered() == host.requests()
                ? "          none answered"
                : String.format(
                        Locale.ROOT, "%8s out %8s in", Amount.of(host.sentBytes()), Amount.of(host.receivedBytes()));
    }

    private void denied() {
        var groups = facts.surprises();
        var rows = new ArrayList<String>();
        for (DeniedGroup group : some(groups, DENIALS)) {
            rows.add(String.format(
                    Locale.ROOT,
                    "%s %4dx  %s",
                    padded(group.what()),
                    group.times(),
                    group.id().isEmpty() ? shortened(group.why(), 28) : "cagewright why " + group.id()));
        }
        if (!rows.isEmpty()) {
            more(
                    rows,
                    groups.size() - DENIALS,
                    "cagewright net " + facts.session().id() + " --denied");
            rows.add("to allow: cagewright policy suggest " + facts.session().id());
        }
        put("denied", rows, palette::bad);
    }

    /// What the agent's scaffold knows that it asks for in vain.
    private void expected() {
        var hosts = facts.denied().stream()
                .flatMap(group ->
                        facts.expected().why(group.what()).stream().map(why -> group.what() + " (" + why + ")"))
                .collect(Collectors.joining(", "));
        if (!hosts.isEmpty()) {
            put(
                    "refused",
                    List.of(shortened("as the scaffold expects: " + hosts, Console.WIDTH - LABEL - 4)),
                    UnaryOperator.identity());
        }
    }

    private void files(FilesChanged files) {
        if (files.count() == 0) {
            put("files", List.of(files.complete() ? "none changed" : "none seen to change"), UnaryOperator.identity());
            return;
        }
        boolean isCopy = files.where() == FilesChanged.Where.COPY;
        var rows = new ArrayList<String>();
        rows.add((files.complete() ? "" : "at least ")
                + files.count()
                + (isCopy ? " changed in the copy" : " new or changed in the workspace"));
        long more = files.count() - files.first().size();
        rows.add(shortened(
                files.first().stream().map(SummaryText::plain).collect(Collectors.joining(", "))
                        + (more > 0 ? ", " + more + " more" : ""),
                Console.WIDTH - LABEL - 4));
        if (isCopy) {
            var id = facts.session().id();
            rows.add("cagewright changes " + id + "; cagewright apply " + id);
        }
        put("files", rows, UnaryOperator.identity());
    }

    private void approvals() {
        var all = facts.approvals();
        if (all.isNone()) {
            return;
        }
        var words = new ArrayList<String>();
        words.add(all.asked() + " asked");
        count(words, all.agreed(), " agreed to");
        count(words, all.refused(), " refused");
        count(words, all.unanswered(), " not answered");
        count(words, all.waiting(), " waiting");
        count(words, all.standing(), " agreed to before");
        count(words, all.unasked(), " with nobody to ask");
        put("approvals", List.of(String.join(", ", words)), UnaryOperator.identity());
    }

    private static void count(List<String> words, int count, String what) {
        if (count > 0) {
            words.add(count + what);
        }
    }

    private void secrets() {
        if (!facts.lent().isEmpty()) {
            var names = facts.lent().stream().map(SummaryText::lent).collect(Collectors.joining(", "));
            put("secrets", List.of(shortened(names, Console.WIDTH - LABEL - 4)), UnaryOperator.identity());
        }
    }

    private static String lent(Decisions.Lent one) {
        return plain(one.name())
                + switch ((int) Math.min(one.uses(), 2)) {
                    case 0 -> " not used";
                    case 1 -> " used once";
                    default -> " used " + one.uses() + " times";
                };
    }

    private void budgets() {
        var all = facts.budgets().sentences();
        var rows = new ArrayList<String>();
        some(all, BUDGETS).forEach(row -> rows.add(shortened(row, Console.WIDTH - LABEL - 4)));
        more(rows, all.size() - BUDGETS, "cagewright net " + facts.session().id() + " --summary");
        put("budget", rows, UnaryOperator.identity());
    }

    private void receipt(Path file) {
        put(
                "receipt",
                List.of(
                        plain(file.toString()),
                        "cagewright receipt verify " + facts.session().id()),
                UnaryOperator.identity());
    }

    private static <T> List<T> some(List<T> all, int most) {
        return all.subList(0, Math.min(all.size(), most));
    }

    private static void more(List<String> rows, int more, String where) {
        if (more > 0) {
            rows.add(more + " more: " + where);
        }
    }

    private void put(String label, List<String> rows, UnaryOperator<String> paint) {
        var head = paint.apply(label) + " ".repeat(LABEL - label.length());
        for (String row : rows) {
            lines.add("  " + head + row);
            head = " ".repeat(LABEL);
        }
    }

    private static String padded(String name) {
        var shown = shortened(ByteString.of(name).printable(), NAME);
        return shown + " ".repeat(Math.max(0, NAME - shown.codePointCount(0, shown.length())));
    }

    private static String shortened(String text, int columns) {
        return EventView.shorten(plain(text), columns);
    }

    private static String plain(String text) {
        return Visible.text(text);
    }
}
