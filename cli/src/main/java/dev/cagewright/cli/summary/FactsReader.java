package dev.cagewright.cli.summary;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.cli.net.BudgetRows;
import dev.cagewright.cli.net.Crossing;
import dev.cagewright.cli.net.Crossings;
import dev.cagewright.cli.net.NetSummary;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.receipt.ReceiptSyntaxException;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.state.SessionRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gathers what the log, the receipt and the session's folder say of a run. One reading; for one thread.
final class FactsReader {
    private static final int MOST_GROUPS = 10_000;
    private static final String OTHERS = "(others)";
    private static final String LOOK_UP = "dns.lookup";

    private final SessionRecord session;
    private final Path folder;
    private final NetSummary net = new NetSummary();
    private final BudgetRows budgets = new BudgetRows();
    private final Map<String, DeniedGroup> requests = new LinkedHashMap<>();
    private final Map<String, DeniedGroup> lookUps = new LinkedHashMap<>();
    private int asked;
    private int agreed;
    private int refused;
    private int unanswered;
    private int unasked;
    private int standing;

    private FactsReader(SessionRecord session, Path folder) {
        this.session = session;
        this.folder = folder;
    }

    /// @param folder the session's
    /// @param expected of the refusals
    /// @throws IOException if the log or something kept of the session cannot be read
    static RunFacts read(SessionRecord session, Path folder, Expected expected) throws IOException {
        return new FactsReader(session, folder).facts(expected);
    }

    private RunFacts facts(Expected expected) throws IOException {
        var crossings = new Crossings(this::crossed);
        new EventReader(Path.of(session.auditLog())).oldestFirst(EventQuery.ALL.notBefore(session.start()), stored -> {
            if (stored instanceof StoredLine.Whole(LogLine line)
                    && line.event().origin().session().equals(session.id().value())) {
                crossings.take(line);
                budgets.take(line);
                take(line.event());
            }
        });
        crossings.end();
        var file = ReceiptFile.in(folder);
        var receipt = Files.isRegularFile(file) ? Optional.of(receipt(file)) : Optional.<Receipt>empty();
        return new RunFacts(
                session,
                net.traffic().stream().filter(host -> host.requests() > 0).toList(),
                denied(),
                expected,
                files(receipt),
                new RunFacts.Approvals(asked, agreed, refused, unanswered, unasked, standing),
                budgets,
                receipt.map(one -> one.decisions().secrets()).orElse(List.of()),
                receipt.map(_ -> file));
    }

    private static Receipt receipt(Path file) throws IOException {
        try {
            return SignedReceipt.parse(ReceiptFile.read(file)).receipt();
        } catch (ReceiptSyntaxException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /// Of a copy the receipt says it; of the workspace itself it was looked at when the run had ended.
    private Optional<FilesChanged> files(Optional<Receipt> receipt) throws IOException {
        var stated = receipt.map(Receipt::changes).filter(changes -> changes.isStated());
        if (stated.isEmpty()) {
            return FilesChanged.read(folder);
        }
        var names = stated.get().files().stream()
                .limit(FilesChanged.SHOWN)
                .map(change -> ChangedName.of(change.path()))
                .toList();
        return Optional.of(new FilesChanged(
                FilesChanged.Where.COPY,
                stated.get().count(),
                names,
                stated.get().missed().isEmpty()));
    }

    private void crossed(Crossing crossing) {
        net.add(crossing);
        if (crossing.isRefused()) {
            var groups = crossing.kind().equals(LOOK_UP) ? lookUps : requests;
            add(groups, new DeniedGroup(crossing.host(), 1, crossing.why().orElse(""), crossing.id()));
        }
    }

    /// What is no crossing: programs, tools, controls.
    private void take(Event event) {
        if (event.kind() == Event.Kind.NOTE) {
            note(event);
        } else if (event.kind() == Event.Kind.INTENT
                && event.ruling().decision().equals("deny")
                && !Crossings.KINDS.contains(event.actionName())) {
            var why = event.detail().text("why").orElse("");
            add(
                    requests,
                    new DeniedGroup(
                            DeniedAction.of(event.action()),
                            1,
                            why,
                            event.origin().id()));
        }
    }

    private void note(Event event) {
        switch (event.actionName()) {
            case "approval.asked" -> asked++;
            case "approval.unasked" -> unasked++;
            case "approval.standing" -> standing++;
            case "approval.answered" -> {
                switch (event.detail().text("reply").orElse("")) {
                    case "agreed" -> agreed++;
                    case "refused" -> refused++;
                    default -> unanswered++;
                }
            }
            default -> {}
        }
    }

    private static void add(Map<String, DeniedGroup> groups, DeniedGroup one) {
        boolean isKnown = groups.containsKey(one.what()) || groups.size() < MOST_GROUPS;
        var what = isKnown ? one.what() : OTHERS;
        groups.merge(what, new DeniedGroup(what, one.times(), one.why(), one.id()), DeniedGroup::and);
    }

    /// A name that is only looked up counts too; one that is asked for afterwards counts once.
    private List<DeniedGroup> denied() {
        var all = new LinkedHashMap<>(lookUps);
        all.putAll(requests);
        if (!lookUps.isEmpty()) {
            all.remove(SyntheticAddresses.SINKHOLE.toString()); // where they led; each is told by its name
        }
        var sorted = new ArrayList<>(all.values());
        sorted.sort(Comparator.comparingLong(DeniedGroup::times).reversed().thenComparing(DeniedGroup::what));
        return sorted;
    }
}
