package dev.cagewright.policy.match;

import dev.cagewright.policy.action.HostName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the entry that lets a request, a connection or a look-up through. Of several, the one whose host pattern is
/// the most specific wins, then the one that comes first. Immutable, safe for all threads, does not allocate when
/// asked.
///
/// Hosts are a tree of labels from the right; each exact name and each wildcard has a tree of paths.
public final class NetTable {
    /// No entry.
    public static final int NONE = -1;

    private static final int ROOT = 0;

    /// The entries of one host pattern.
    private static final class Place {
        final int pathRoot;
        Grant[] all = {};
        Grant[] usable = {};

        Place(int pathRoot) {
            this.pathRoot = pathRoot;
        }
    }

    private final EdgeTable labels;
    private final @Nullable Place[] exact;
    private final @Nullable Place[] below;
    private final PathTrees paths;
    private final Methods methods;

    private NetTable(EdgeTable labels, @Nullable Place[][] places, PathTrees paths, Methods methods) {
        this.labels = labels;
        this.exact = places[0];
        this.below = places[1];
        this.paths = paths;
        this.methods = methods;
    }

    /// The table of `entries`, which are known by their numbers from then on.
    ///
    /// @throws IllegalArgumentException if they name more than 63 different methods
    public static NetTable of(List<NetEntry> entries) {
        var builder = new Builder();
        for (int i = 0; i < entries.size(); i++) {
            builder.add(i, entries.get(i));
        }
        return builder.build();
    }

    /// The entry that lets an HTTP request through, or [#NONE].
    ///
    /// @param method in upper case
    /// @param path in the spelling of [dev.cagewright.policy.action.RequestPath]
    public int findRequest(HostName host, int port, String method, String path) {
        long bit = methods.get(method);
        var name = host.value();
        int found = below[ROOT] == null ? NONE : paths.find(below[ROOT].pathRoot, path, bit, port);
        int node = ROOT;
        int end = name.length();
        while (node != EdgeTable.NONE && end > 0) {
            int start = name.lastIndexOf('.', end - 1) + 1;
            node = labels.child(node, name, start, end);
            if (node != EdgeTable.NONE) {
                var place = start > 0 ? below[node] : exact[node];
                int index = place == null ? NONE : paths.find(place.pathRoot, path, bit, port);
                found = index == NONE ? found : index;
            }
            end = start - 1;
        }
        return found;
    }

    /// The entry that lets a connection to this host and port through, or [#NONE].
    public int findConnection(HostName host, int port) {
        return find(host, port, NetTable::withPort);
    }

    /// The first entry that lets anything at all through to this host, or [#NONE].
    public int findUsable(HostName host) {
        return find(host, 0, (place, _) -> place.usable.length == 0 ? NONE : place.usable[0].index());
    }

    /// The first entry about this host, whatever else it says, or [#NONE]: the rule that a refused request came
    /// nearest to.
    public int findHost(HostName host) {
        return find(host, 0, (place, _) -> place.all[0].index());
    }

    /// What counts at one place.
    @FunctionalInterface
    private interface Choice {
        int at(Place place, int port);
    }

    private int find(HostName host, int port, Choice choice) {
        var any = below[ROOT];
        int found = any == null ? NONE : choice.at(any, port);
        int node = ROOT;
        var name = host.value();
        int end = name.length();
        while (node != EdgeTable.NONE && end > 0) {
            int start = name.lastIndexOf('.', end - 1) + 1;
            node = labels.child(node, name, start, end);
            if (node != EdgeTable.NONE) {
                var place = start > 0 ? below[node] : exact[node];
                int index = place == null ? NONE : choice.at(place, port);
                found = index == NONE ? found : index;
            }
            end = start - 1;
        }
        return found;
    }

    private static int withPort(Place place, int port) {
        for (Grant grant : place.usable) {
            if (grant.allowsPort(port)) {
                return grant.index();
            }
        }
        return NONE;
    }

    private static final class Builder {
        private final EdgeTable.Builder labels = new EdgeTable.Builder();
        private final PathTrees.Builder paths = new PathTrees.Builder();
        private final Methods methods = new Methods();
        private final Map<Integer, Place> exact = new HashMap<>();
        private final Map<Integer, Place> below = new HashMap<>();

        Builder() {
            labels.newNode();
        }

        void add(int index, NetEntry entry) {
            long mask = entry.methods().map(this::mask).orElse(Methods.ALL);
            var grant = Grant.of(index, mask, entry.ports());
            entry.hosts()
                    .ifPresentOrElse(
                            hosts -> hosts.forEach(host -> add(place(host), entry, grant)),
                            () -> add(placeOf(below, ROOT), entry, grant));
        }

        private void add(Place place, NetEntry entry, Grant grant) {
            place.all = with(place.all, grant);
            if (!entry.isVain()) {
                place.usable = with(place.usable, grant);
            }
            entry.paths()
                    .ifPresentOrElse(
                            patterns -> patterns.forEach(pattern -> paths.add(place.pathRoot, pattern, grant)),
                            () -> paths.addAll(place.pathRoot, grant));
        }

        private long mask(Set<String> names) {
            long mask = 0;
            for (String name : names) {
                mask |= methods.nameAndGet(name);
            }
            return mask;
        }

        private Place place(HostPattern host) {
            int node = ROOT;
            var names = new ArrayList<>(List.of(host.suffix().value().split("\\.", -1)));
            for (String label : names.reversed()) {
                node = labels.childOrNew(node, label);
            }
            return placeOf(host.kind() == HostPattern.Kind.EXACT ? exact : below, node);
        }

        private Place placeOf(Map<Integer, Place> places, int node) {
            return places.computeIfAbsent(node, _ -> new Place(paths.newRoot()));
        }

        private static Grant[] with(Grant[] grants, Grant grant) {
            var longer = Arrays.copyOf(grants, grants.length + 1);
            longer[grants.length] = grant;
            return longer;
        }

        NetTable build() {
            var places = new Place[2][labels.nodes()];
            exact.forEach((node, place) -> places[0][node] = place);
            below.forEach((node, place) -> places[1][node] = place);
            return new NetTable(labels.build(), places, paths.build(), methods);
        }
    }
}
