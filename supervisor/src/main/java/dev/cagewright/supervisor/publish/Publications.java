package dev.cagewright.supervisor.publish;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.publish.PublishedDoor;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.quantity.PublishedPort;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The ports of one cage that 127.0.0.1 answers for, each by a decision of the gate, while the cage lives. Closing them
/// puts on record what came of each. One thread.
public final class Publications implements AutoCloseable {
    private final AuditJournal journal;
    private final List<Open> open = new ArrayList<>();

    private record Open(Warrant warrant, PublishedPort wish, PublishedDoor door) {}

    private Publications(AuditJournal journal) {
        this.journal = journal;
    }

    /// Opens every wish.
    ///
    /// @throws ConfinementException if a port of the host is taken, a rule denies one, or the cage has no network;
    ///     none is open then
    public static Publications open(Cage cage, List<PublishedPort> wishes, Gate gate, AuditJournal journal)
            throws ConfinementException {
        var all = new Publications(journal);
        try {
            for (PublishedPort wish : wishes) {
                all.add(cage, wish, gate);
            }
            return all;
        } catch (ConfinementException | RuntimeException e) {
            all.close();
            throw e;
        }
    }

    private void add(Cage cage, PublishedPort wish, Gate gate) throws ConfinementException {
        if (!cage.hasOwnNetwork()) {
            throw new ConfinementException(
                    "publish",
                    wish.toString(),
                    "the program has no network of its own: its ports are the host's already",
                    "leave the port out, or run it in a cage");
        }
        var action = new Action.NetPublish(wish.cage());
        try {
            var warrant = gate.pass(action);
            warrant.spend();
            open.add(new Open(warrant, wish, door(cage, wish, warrant)));
        } catch (DeniedException e) {
            throw refusal(wish, String.valueOf(e.getMessage()), "have net.publish of the policies name it", e);
        }
    }

    private PublishedDoor door(Cage cage, PublishedPort wish, Warrant warrant) throws ConfinementException {
        try {
            return PublishedDoor.open(wish.host(), () -> connected(cage, wish.cage()));
        } catch (IOException e) {
            var why = String.valueOf(e.getMessage());
            record(warrant, wish, Json.object().put("failed", why).build());
            throw refusal(
                    wish,
                    why,
                    "take another port of this host, HOST:" + wish.cage() + ", or 0:" + wish.cage() + " for a free one",
                    e);
        }
    }

    private static int connected(Cage cage, int port) throws IOException {
        try {
            return cage.connect(port).detach();
        } catch (ConfinementException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static ConfinementException refusal(PublishedPort wish, String why, String remedy, Exception cause) {
        var refusal = new ConfinementException("publish", wish.toString(), why, remedy);
        refusal.initCause(cause);
        return refusal;
    }

    /// `notices` and one sentence for each port.
    public List<String> with(List<String> notices) {
        var all = new ArrayList<>(notices);
        all.addAll(told());
        return all;
    }

    private List<String> told() {
        return open.stream()
                .map(one -> "port " + one.wish().cage() + " of the cage is published at 127.0.0.1:"
                        + one.door().port() + ", " + one.warrant().id().value())
                .toList();
    }

    @Override
    public void close() {
        for (Open one : open) {
            int port = one.door().port();
            one.door().close();
            record(one.warrant(), one.wish(), json(port, one.door().count()));
        }
        open.clear();
    }

    /// A log that takes no outcome takes none of the run either, and that is told.
    private void record(Warrant warrant, PublishedPort wish, JsonObject detail) {
        try {
            journal.outcome(warrant.id(), new Action.NetPublish(wish.cage()), detail);
        } catch (IOException _) {
            return;
        }
    }

    private static JsonObject json(int port, PublishedDoor.Count count) {
        return Json.object()
                .put("address", "127.0.0.1:" + port)
                .put("accepted", count.accepted())
                .put("failed", count.failed())
                .put("received", count.received())
                .put("sent", count.sent())
                .build();
    }
}
