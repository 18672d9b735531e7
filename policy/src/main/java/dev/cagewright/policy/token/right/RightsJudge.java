package dev.cagewright.policy.token.right;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.match.NetEntry;
import dev.cagewright.policy.match.NetTable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// What the rights of one link say to an action. Immutable, safe for all threads. Requests are looked up in the tables
/// that policies use.
public final class RightsJudge {
    private final Rights rights;
    private final Set<String> actions;
    private final NetTable requests;

    public RightsJudge(Rights rights) {
        this.rights = rights;
        this.actions = Set.copyOf(((Reach.Only<String>) rights.actions()).entries());
        this.requests = NetTable.of(List.of(new NetEntry(
                filter(rights.hosts()),
                filter(rights.methods()).map(HashSet::new),
                filter(rights.paths()),
                Optional.empty())));
    }

    /// An absent filter of a table lets everything through.
    private static <T> Optional<List<T>> filter(Reach<T> reach) {
        return switch (reach) {
            case Reach.All<T> _ -> Optional.empty();
            case Reach.Only<T>(var entries) -> Optional.of(entries);
        };
    }

    /// The axis on which this link does not grant `action`; empty when it does.
    public Optional<Axis> missing(Action action) {
        if (!grantsKind(action)) {
            return Optional.of(Axis.ACTIONS);
        }
        return switch (action) {
            case Action.HttpRequest request -> ofRequest(request);
            case Action.NetConnect(HostName host, int _) -> ofHost(host);
            case Action.DnsLookup(HostName host) -> ofHost(host);
            case Action.SecretUse(String secret, HostName host) ->
                rights.secrets().admits(secret::equals) ? ofHost(host) : Optional.of(Axis.SECRETS);
            case Action.FsRead(GuestPath path) -> ofMount(mount -> mount.reads(path));
            case Action.FsWrite(GuestPath path) -> ofMount(mount -> mount.writes(path));
            case Action.McpCall(String server, String tool) ->
                rights.tools().admits(right -> right.matches(server, tool))
                        ? Optional.empty()
                        : Optional.of(Axis.TOOLS);
            case Action.ProcExec _, Action.RunControl _, Action.NetPublish _ -> Optional.empty();
        };
    }

    /// A name may be looked up when something may go there, as in a policy.
    private boolean grantsKind(Action action) {
        return actions.contains(action.name())
                || (action instanceof Action.DnsLookup
                        && (actions.contains("http.request") || actions.contains("net.connect")));
    }

    private Optional<Axis> ofRequest(Action.HttpRequest request) {
        if (requests.findRequest(request.host(), request.port(), request.method(), request.path()) != NetTable.NONE) {
            return Optional.empty();
        }
        if (!rights.hosts().admits(pattern -> pattern.matches(request.host()))) {
            return Optional.of(Axis.HOSTS);
        }
        return Optional.of(rights.methods().admits(request.method()::equals) ? Axis.PATHS : Axis.METHODS);
    }

    private Optional<Axis> ofHost(HostName host) {
        return rights.hosts().admits((HostPattern pattern) -> pattern.matches(host))
                ? Optional.empty()
                : Optional.of(Axis.HOSTS);
    }

    private Optional<Axis> ofMount(Predicate<MountRight> isGranted) {
        return rights.mounts().admits(isGranted) ? Optional.empty() : Optional.of(Axis.MOUNTS);
    }
}
