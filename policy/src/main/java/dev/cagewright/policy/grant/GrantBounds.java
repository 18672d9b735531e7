package dev.cagewright.policy.grant;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.match.PathPattern;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What one policy file says may be granted: `net.may_grant`. An empty list is no grant at all. Immutable and safe for
/// all threads.
public final class GrantBounds {
    private final List<Bound> bounds;

    /// One entry.
    ///
    /// @param rule its name, e.g. `net.may_grant[0]`
    /// @param methods in upper case; absent means all
    /// @param paths absent means all
    /// @param addresses the only ones that may be dialled; none means public ones
    /// @param longest that a grant lasts
    public record Bound(
            RuleId rule,
            List<HostPattern> hosts,
            Optional<Set<String>> methods,
            Optional<List<PathPattern>> paths,
            Set<Integer> ports,
            List<String> addresses,
            Duration longest) {
        public Bound {
            hosts = List.copyOf(hosts);
            methods = methods.map(Set::copyOf);
            paths = paths.map(List::copyOf);
            ports = Set.copyOf(ports);
            addresses = List.copyOf(addresses);
        }

        private boolean isAround(Opening opening) {
            return isFor(opening.host())
                    && ports.containsAll(opening.ports())
                    && methods.map(all -> all.containsAll(opening.methods())).orElse(true)
                    && opening.paths().stream().allMatch(this::isAround);
        }

        private boolean isAround(PathPattern path) {
            return paths.map(all -> all.stream().anyMatch(pattern -> pattern.covers(path)))
                    .orElse(true);
        }

        private boolean isFor(HostName host) {
            return hosts.stream().anyMatch(pattern -> pattern.matches(host));
        }

        private boolean allows(Action action) {
            return switch (action) {
                case Action.HttpRequest(String method, HostName host, int port, String path) ->
                    isFor(host)
                            && ports.contains(port)
                            && methods.map(all -> all.contains(method)).orElse(true)
                            && paths.map(all -> all.stream().anyMatch(pattern -> pattern.matches(path)))
                                    .orElse(true);
                case Action.NetConnect(HostName host, int port) -> isFor(host) && ports.contains(port);
                case Action.DnsLookup(HostName host) -> isFor(host);
                case Action.ProcExec _,
                        Action.FsRead _,
                        Action.FsWrite _,
                        Action.SecretUse _,
                        Action.McpCall _,
                        Action.RunControl _,
                        Action.NetPublish _ -> false;
            };
        }
    }

    public GrantBounds(List<Bound> bounds) {
        this.bounds = List.copyOf(bounds);
    }

    /// The first entry that everything of `opening` lies within; empty where that cannot be shown of any.
    public Optional<Bound> around(Opening opening) {
        return bounds.stream().filter(bound -> bound.isAround(opening)).findFirst();
    }

    /// Is `action` within an entry?
    public boolean allow(Action action) {
        return bounds.stream().anyMatch(bound -> bound.allows(action));
    }

    /// Is there anything that may be granted?
    public boolean isEmpty() {
        return bounds.isEmpty();
    }
}
