package dev.cagewright.supervisor.observed;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.egress.address.AddressRules;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.SessionRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The requests of one session that were let through by `net.mode: observe` alone, by host and port. Immutable.
public final class ObservedNetwork {
    /// More different paths of one host than this become the folders that they are in.
    static final int MOST_PATHS = 12;

    /// More hosts than this are counted only.
    static final int MOST_HOSTS = 256;

    private record Place(String host, int port) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byHost = host.compareTo(other.host);
            return byHost == 0 ? Integer.compare(port, other.port) : byHost;
        }
    }

    private static final class Seen {
        private final TreeSet<String> methods = new TreeSet<>();
        private final TreeSet<String> paths = new TreeSet<>();
    }

    private final List<HostRule> rules;
    private final int leftOut;

    private ObservedNetwork(List<HostRule> rules, int leftOut) {
        this.rules = List.copyOf(rules);
        this.leftOut = leftOut;
    }

    /// Reads the log of `session`.
    ///
    /// @throws IOException if the log cannot be read
    public static ObservedNetwork of(SessionRecord session) throws IOException {
        var places = new TreeMap<Place, Seen>();
        var leftOut = new TreeSet<Place>();
        var query = EventQuery.ALL
                .ofSession(session.id().value())
                .ofAction("http.request")
                .ofDecision("allow");
        new EventReader(Path.of(session.auditLog())).newestFirst(query, stored -> {
            if (stored instanceof StoredLine.Whole(LogLine line)) {
                add(line, places, leftOut);
            }
        });
        var rules = new ArrayList<HostRule>();
        places.forEach((place, seen) -> rules.add(rule(place, seen)));
        return new ObservedNetwork(rules, leftOut.size());
    }

    private static void add(LogLine line, Map<Place, Seen> places, Set<Place> leftOut) {
        var event = line.event();
        boolean isObserved =
                event.detail().member(PolicyInForce.OBSERVED).orElse(null) instanceof JsonBoolean(boolean is) && is;
        var action = event.action();
        var host = action.text("host");
        var port = port(action);
        var method = action.text("method");
        var path = action.text("path");
        if (!isObserved
                || host.filter(ObservedNetwork::isReserved).isPresent()
                || host.isEmpty()
                || port.isEmpty()
                || method.isEmpty()
                || path.isEmpty()) {
            return;
        }
        var place = new Place(host.get(), port.get());
        if (!places.containsKey(place) && places.size() >= MOST_HOSTS) {
            leftOut.add(place);
            return;
        }
        var seen = places.computeIfAbsent(place, _ -> new Seen());
        seen.methods.add(method.get());
        seen.paths.add(path.get());
    }

    /// An address that was refused, and that a rule would open.
    private static boolean isReserved(String host) {
        return IpAddress.parse(host).flatMap(AddressRules.PUBLIC::refusal).isPresent();
    }

    private static Optional<Integer> port(JsonObject action) {
        return action.member("port").orElse(null) instanceof JsonNumber(String digits) && digits.matches("[0-9]{1,5}")
                ? Optional.of(Integer.valueOf(digits))
                : Optional.empty();
    }

    private static HostRule rule(Place place, Seen seen) {
        boolean isWeb = place.port() == 443 || place.port() == 80;
        return new HostRule(
                new HostRule.Target.Host(place.host()),
                Optional.of(List.copyOf(seen.methods)),
                Optional.of(patterns(seen.paths)),
                isWeb ? Optional.empty() : Optional.of(List.of(place.port())),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    /// The paths themselves; where they are many, the folders that they are in, and everything where those are many,
    /// too.
    private static List<String> patterns(Set<String> paths) {
        var exact = paths.stream().map(PathPattern::meaningOnly).toList();
        if (exact.size() <= MOST_PATHS) {
            return exact;
        }
        var folders = exact.stream()
                .map(path -> path.substring(0, path.lastIndexOf('/')) + "/**")
                .distinct()
                .toList();
        return folders.size() <= MOST_PATHS ? folders : List.of("/**");
    }

    /// A rule for each host and port, sorted. A policy with them allows what was seen.
    public List<HostRule> rules() {
        return rules;
    }

    /// How many more hosts and ports there were.
    public int leftOut() {
        return leftOut;
    }
}
