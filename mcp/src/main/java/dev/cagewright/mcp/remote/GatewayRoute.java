package dev.cagewright.mcp.remote;

import dev.cagewright.egress.here.HostAnswer;
import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.fetch.FetchOrder;
import dev.cagewright.supervisor.net.HostDoor;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.token.TokenWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The one way to a server: a door of the session's gateway that is open for as long as this is. Safe for all threads.
final class GatewayRoute implements AutoCloseable {
    private final Session session;
    private final PolicyInForce policy;
    private final Place place;
    private final Optional<Open> open;

    private record Place(Path folder, LocalDoor at) {}

    private record Open(HostDoor door, TokenWatch watch) {}

    private GatewayRoute(Session session, PolicyInForce policy, Place place, Optional<Open> open) {
        this.session = session;
        this.policy = policy;
        this.place = place;
        this.open = open;
    }

    /// Opens it, where the policy opens any network.
    ///
    /// @param secrets whose decoys requests may have
    /// @throws ConfinementException if there is to be a gateway, and it cannot be had
    static GatewayRoute open(Session session, PolicyInForce policy, RunSecrets secrets, FetchOrder.Authority to)
            throws ConfinementException, IOException {
        var folder = Files.createTempDirectory("cagewright-");
        try {
            var at = new LocalDoor(folder.resolve("door"), to.host(), to.port());
            var place = new Place(folder, at);
            if (session.authority().isEmpty()) {
                return new GatewayRoute(session, policy, place, Optional.empty());
            }
            HostDoor door = session.doorHere(at, secrets, (_, _) -> {});
            var watch = TokenWatch.begin(session.terms().token(), _ -> door.revise());
            return new GatewayRoute(session, policy, place, Optional.of(new Open(door, watch)));
        } catch (ConfinementException | RuntimeException e) {
            discard(folder);
            throw e;
        }
    }

    /// Would it be let through, as far as that can be told without asking?
    boolean allows(FetchOrder order) {
        return open.isPresent() && !(session.gate().judge(order.action()) instanceof Decision.Deny);
    }

    /// Makes one request, and waits until its answer is over.
    ///
    /// @throws RefusedException if the policy denies it; on record
    /// @throws IOException if there is no whole answer, or `taker` does not want it
    HostAnswer exchange(FetchOrder order, HostRequest request, HostClient.Limits limits, HostClient.Taker taker)
            throws RefusedException, IOException, InterruptedException {
        require(order.action());
        return new HostClient(place.at(), session.authority().orElseThrow(), limits).exchange(request, taker);
    }

    private void require(Action.HttpRequest action) throws RefusedException {
        try {
            if (open.isEmpty() || session.gate().judge(action) instanceof Decision.Deny) {
                session.gate().pass(action).spend();
            }
        } catch (DeniedException denied) {
            throw RefusedException.of(policy.report(denied));
        }
        if (open.isEmpty()) {
            throw new RefusedException("is not let be asked: the policy opens no network; name the host in net.hosts");
        }
    }

    @Override
    public void close() {
        open.ifPresent(opened -> {
            opened.watch().close();
            opened.door().close();
        });
        discard(place.folder());
    }

    private static void discard(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve("door"));
            Files.deleteIfExists(folder);
        } catch (IOException _) {
            return; // an empty folder for temporary files stays
        }
    }
}
