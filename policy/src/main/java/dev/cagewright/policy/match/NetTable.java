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
/// Exact names are looked up whole and first, because they are the most specific; wildcards are a tree of labels from
/// the right. Each has a tree of paths.
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

    /// Exact names in an open-addressed table, at most half full.
    private static final class HostTable {
        private final @Nullable String[] names;
        private final @Nullable Place[] places;

        HostTable(Map<String, Place> all) {
            int capacity = Integer.highestOneBit(Math.max(2, all.size() * 2)) << 1;
            names = new String[capacity];
            places = new Place[capacity];
            all.forEach((name, place) -> {
                int slot = slot(name);
                while (names[slot] != null) {
                    slot = (slot + 1) & (names.length - 1);
                }
                names[slot] = name;
                places[slot] = place;
            });
        }

        private int slot(String name) {
            int hash = name.hashCode() * 0x9E3779B9;
            return (hash ^ (hash >>> 15)) & (names.length - 1);
        }

        @Nullable
        Place find(String name) {
            int slot = slot(name);
            for (var known = names[slot]; known != null; known = names[slot]) {
                if (known.equals(name)) {
                    return places[slot];
                }
                slot = (slot + 1) & (names.length - 1);
            }
            return null;
        }
    }

    private final EdgeTable labels;
    private final HostTable exact;
    private final @Nullable Place[] below;
    private final PathTrees paths;
    private final Methods methods;

    private NetTable(EdgeTable labels, HostTable exact, @Nullable Place[] below, Builder built) {
        this.labels = labels;
        this.exact = exact;
        this.below = below;
        this.paths = built.paths.build();
        this.methods = built.methods;
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
        var place = exact.find(host.value());
        int found = place == null ? NONE : paths.find(place.pathRoot, path, bit, port);
        return found == NONE ? findBelow(host.value(), port, bit, path) : found;
    }

    private int findBelow(String name, int port, long method, String path) {
        var any = below[ROOT];
        int found = any == null ? NONE : paths.find(any.pathRoot, path, method, port);
        int node = ROOT;
        int end = name.length();
        while (node != EdgeTable.NONE && end > 0) {
            int start = name.lastIndexOf('.', end - 1) + 1;
            node = start == 0 ? EdgeTable.NONE : labels.child(node, name, start, end);
            var place = node == EdgeTable.NONE ? null : below[node];
            int index = place == null ? NONE : paths.find(place.pathRoot, path, method, port);
            found = index == NONE ? found : index;
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
        var place = exact.find(host.value());
        int found = place == null ? NONE : choice.at(place, port);
        return found == NONE ? findBelow(host.value(), port, choice) : found;
    }

    private int findBelow(String name, int port, Choice choice) {
        var any = below[ROOT];
        int found = any == null ? NONE : choice.at(any, port);
        int node = ROOT;
        int end = name.length();
        while (node != EdgeTable.NONE && end > 0) {
            int start = name.lastIndexOf('.', end - 1) + 1;
            node = start == 0 ? EdgeTable.NONE : labels.child(node, name, start, end);
            var place = node == EdgeTable.NONE ? null : below[node];
            int index = place == null ? NONE : choice.at(place, port);
            found = index == NONE ? found : index;
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
        private final Map<String, Place> exact = new HashMap<>();
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
                            () -> add(placeBelow(ROOT), entry, grant));
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
            if (host.kind() == HostPattern.Kind.EXACT) {
                return exact.computeIfAbsent(host.suffix().value(), _ -> new Place(paths.newRoot()));
            }
            int node = ROOT;
            var names = new ArrayList<>(List.of(host.suffix().value().split("\\.", -1)));
            for (String label : names.reversed()) {
                node = labels.childOrNew(node, label);
            }
            return placeBelow(node);
        }

        private Place placeBelow(int node) {
            return below.computeIfAbsent(node, _ -> new Place(paths.newRoot()));
        }

        private static Grant[] with(Grant[] grants, Grant grant) {
            var longer = Arrays.copyOf(grants, grants.length + 1);
            longer[grants.length] = grant;
            return longer;
        }

        NetTable build() {
            var places = new Place[labels.nodes()];
            below.forEach((node, place) -> places[node] = place);
            return new NetTable(labels.build(), new HostTable(exact), places, this);
        }
    }
}
