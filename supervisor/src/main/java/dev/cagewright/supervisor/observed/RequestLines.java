package dev.cagewright.supervisor.observed;

import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.engine.Remedy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Requests and connections as entries of `net.hosts` that allow them and little else: paths that were asked with the
/// same methods share an entry, so that no method comes to a path which it was not asked with. One thread.
final class RequestLines {
    /// More hosts than this are counted only.
    static final int MOST_PLACES = 256;

    private record Place(List<String> section, HostName host, int port) {}

    private static final class Asked {
        private final TreeSet<String> methods = new TreeSet<>();
        private Suggestion.Because because = Suggestion.Because.NOTHING;
    }

    private final Map<Place, Map<String, Asked>> requests = new LinkedHashMap<>();
    private final Map<Place, Suggestion.Because> connections = new LinkedHashMap<>();
    private final Set<Place> leftOut = new HashSet<>();

    /// Can a rule open it? An address of special purpose stays closed, whatever a policy's `net.hosts` says.
    static boolean isOpenable(HostName host) {
        return IpAddress.parse(host.value())
                .flatMap(AddressRules.PUBLIC::refusal)
                .isEmpty();
    }

    /// @param section the keys above the entry, as lines
    void add(List<String> section, Action.HttpRequest request, DecisionId id) {
        var place = new Place(section, request.host(), request.port());
        if (hasRoom(place)) {
            var asked = requests.computeIfAbsent(place, _ -> new TreeMap<>())
                    .computeIfAbsent(request.path(), _ -> new Asked());
            asked.methods.add(request.method());
            asked.because = asked.because.and(id);
        }
    }

    void add(List<String> section, Action.NetConnect connection, DecisionId id) {
        var place = new Place(section, connection.host(), connection.port());
        if (hasRoom(place)) {
            connections.merge(place, Suggestion.Because.NOTHING.and(id), Suggestion.Because::and);
        }
    }

    private boolean hasRoom(Place place) {
        boolean isKnown = requests.containsKey(place) || connections.containsKey(place);
        if (!isKnown && requests.size() + connections.size() >= MOST_PLACES) {
            leftOut.add(place);
            return false;
        }
        return true;
    }

    /// How many more hosts and ports there were.
    int leftOut() {
        return leftOut.size();
    }

    List<Suggestion.Line> lines() {
        var lines = new ArrayList<Suggestion.Line>();
        requests.forEach((place, paths) -> byMethods(paths)
                .forEach((methods, asked) -> lines.add(new Suggestion.Line(
                        place.section(),
                        item(rule(place, methods, PathGroups.of(asked.keySet()))),
                        asked.values().stream()
                                .map(each -> each.because)
                                .reduce(Suggestion.Because.NOTHING, Suggestion.Because::and)))));
        connections.forEach(
                (place, because) -> lines.add(new Suggestion.Line(place.section(), item(connection(place)), because)));
        return lines;
    }

    private static Map<List<String>, Map<String, Asked>> byMethods(Map<String, Asked> paths) {
        var groups = new LinkedHashMap<List<String>, Map<String, Asked>>();
        paths.forEach((path, asked) -> groups.computeIfAbsent(List.copyOf(asked.methods), _ -> new TreeMap<>())
                .put(path, asked));
        return groups;
    }

    private static HostRule rule(Place place, List<String> methods, List<String> patterns) {
        boolean isWeb = place.port() == 443 || place.port() == 80;
        return new HostRule(
                new HostRule.Target.Host(place.host().value()),
                Optional.of(methods),
                Optional.of(patterns),
                isWeb ? Optional.empty() : Optional.of(List.of(place.port())),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    private static HostRule connection(Place place) {
        return new HostRule(
                new HostRule.Target.Host(place.host().value()),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(place.port())),
                HostRule.Protocol.TCP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    private static String item(HostRule rule) {
        return new Remedy.AddHost(rule).yaml().lines().toList().getLast();
    }
}
