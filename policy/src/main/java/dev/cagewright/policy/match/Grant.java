package dev.cagewright.policy.match;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/// What one entry lets through at a place of a table: a bit for each method, and some ports or all.
final class Grant {
    private static final int[] EVERY_PORT = {};

    private final int index;
    private final long methods;
    private final int[] ports;

    private Grant(int index, long methods, int[] ports) {
        this.index = index;
        this.methods = methods;
        this.ports = ports;
    }

    /// @param index the entry's number, from 0
    static Grant of(int index, long methods, Optional<Set<Integer>> ports) {
        return new Grant(
                index,
                methods,
                ports.map(some -> some.stream()
                                .mapToInt(Integer::intValue)
                                .sorted()
                                .toArray())
                        .orElse(EVERY_PORT));
    }

    int index() {
        return index;
    }

    boolean allows(long method, int port) {
        return (methods & method) != 0 && allowsPort(port);
    }

    /// An empty array of its own, not [#EVERY_PORT], is no port at all.
    @SuppressWarnings("ReferenceEquality")
    boolean allowsPort(int port) {
        return ports == EVERY_PORT || Arrays.binarySearch(ports, port) >= 0;
    }
}
