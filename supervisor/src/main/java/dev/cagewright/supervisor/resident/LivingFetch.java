package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.fetch.FetchOrder;
import dev.cagewright.supervisor.fetch.FetchWish;
import dev.cagewright.supervisor.fetch.HostFetch;
import dev.cagewright.supervisor.net.HostDoor;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.StandingCage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// One request of the host's own under a named cage's terms, by a door into the cage's network. Whoever asked for it
/// may go away, then its door is closed. Safe for all threads.
final class LivingFetch {
    private final FetchWish wish;
    private final FetchOrder order;
    private final Cage cage;
    private Optional<HostDoor> door = Optional.empty();
    private boolean isOver;

    LivingFetch(FetchWish wish, Cage cage) {
        this.wish = wish;
        this.order = wish.order();
        this.cage = cage;
    }

    /// Whose terms it is under.
    record Cage(Session session, StandingCage standing, RunSecrets secrets, PolicyInForce policy) {}

    /// Makes it.
    ///
    /// @throws RefusedException if it is denied before anything is opened, or there is no way out
    HostFetch.Ended make(Optional<byte[]> body, OutputStream out) throws IOException {
        var request = order.request(fields(), body);
        try {
            return new HostFetch(cage.session(), wish.limits(), this::open).fetch(order.action(), request, out);
        } catch (DeniedException denied) {
            throw RefusedException.denied(cage.policy().report(denied));
        } catch (ConfinementException e) {
            throw new RefusedException(e.getMessage() + " (remedy: " + e.remedy() + ")", Ends.FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private List<HostRequest.Header> fields() {
        if (wish.credential().isEmpty()) {
            return List.of();
        }
        if (order.scheme() == HostRequest.Scheme.HTTP) {
            throw new IllegalArgumentException("credential: no secret goes without TLS (expected: https)");
        }
        var credential = wish.credential().get();
        return List.of(FetchOrder.credential(credential.field(), decoy(credential.name())));
    }

    private String decoy(String name) {
        return Optional.ofNullable(cage.secrets().decoys().get(name))
                .orElseThrow(() -> new IllegalArgumentException("credential: the cage is lent no secret of this name"
                        + " (expected: one of secrets in its cage.yaml, and a credential of its policy)"));
    }

    private synchronized HostDoor open(LocalDoor at, BiConsumer<DecisionId, Action> hearer)
            throws ConfinementException {
        if (isOver) {
            throw new ConfinementException("net", "fetch", "nobody waits for it any more", "ask again");
        }
        var opened = cage.standing().doorHere(at, hearer);
        door = Optional.of(opened);
        return opened;
    }

    /// Nobody waits for it any more, or its cage goes down.
    void leave() {
        Thread.ofVirtual().name("fetch-left").start(() -> end().ifPresent(HostDoor::close));
    }

    private synchronized Optional<HostDoor> end() {
        isOver = true;
        return door;
    }

    /// How it ended, for whoever asked for it.
    JsonObject told(HostFetch.Ended ended) throws RefusedException {
        if (ended.refusal().isPresent()) {
            var refusal = ended.refusal().get();
            if (refusal.isDenial()) {
                throw RefusedException.denied(refusal.report(order.action()));
            }
            throw new RefusedException(refusal.kind() + ": " + refusal.detail(), Ends.FAILED);
        }
        var answer = ended.answer();
        var json = Json.object()
                .put("code", 0)
                .put("told", List.of())
                .put("status", answer.status())
                .put("bytes", answer.bytes());
        ended.decision().ifPresent(id -> json.put("id", id.value()));
        answer.contentType().ifPresent(type -> json.put("content_type", type));
        answer.cut().ifPresent(why -> json.put("cut", why));
        return json.build();
    }
}
