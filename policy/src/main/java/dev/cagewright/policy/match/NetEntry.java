package dev.cagewright.policy.match;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What one rule says about the network. An absent filter lets everything through, an empty one nothing.
///
/// @param hosts the hosts it is about
/// @param methods HTTP methods, in any case
/// @param ports TCP ports
public record NetEntry(
        Optional<List<HostPattern>> hosts,
        Optional<Set<String>> methods,
        Optional<List<PathPattern>> paths,
        Optional<Set<Integer>> ports) {
    public NetEntry {
        hosts = hosts.map(List::copyOf);
        methods = methods.map(Set::copyOf);
        paths = paths.map(List::copyOf);
        ports = ports.map(Set::copyOf);
    }

    /// Can anything at all go through?
    boolean isVain() {
        return methods.map(Set::isEmpty).orElse(false)
                || paths.map(List::isEmpty).orElse(false);
    }
}
