package dev.cagewright.mcp.relay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The resources of one server that clients follow, by its own addresses. Several clients may follow one, and the
/// server
/// tells of it until the last of them leaves it. Safe for all threads.
final class Following {
    /// More are followed as long as the server runs, and no longer.
    private static final int MOST = 4_096;

    private final Map<String, Integer> followers = new LinkedHashMap<>();

    /// A client follows it.
    synchronized void add(String uri) {
        if (followers.containsKey(uri) || followers.size() < MOST) {
            followers.merge(uri, 1, Integer::sum);
        }
    }

    /// A client leaves it.
    ///
    /// @return whether nobody follows it any more
    synchronized boolean remove(String uri) {
        return followers.computeIfPresent(uri, (_, count) -> count == 1 ? null : count - 1) == null;
    }

    /// All of them.
    synchronized List<String> all() {
        return List.copyOf(followers.keySet());
    }
}
