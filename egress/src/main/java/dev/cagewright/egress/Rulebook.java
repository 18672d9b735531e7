package dev.cagewright.egress;

import dev.cagewright.egress.tls.Trust.Roots;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.gate.DeniedException;
import java.util.List;
import java.util.Optional;

/// What the policy in force says about where things go. Does not block.
public interface Rulebook {
    /// The rules of all layers about a host and port; whoever acts keeps to each of them. Empty when none
    /// names it.
    List<HostRule> rules(HostName host, int port);

    /// The host that is dialled for `host`.
    HostName upstream(HostName host);

    /// The proxy that connections to origins are asked of.
    default Optional<Upstream.Proxy> proxy() {
        return Optional.empty();
    }

    /// The certificates that vouch for a host and port; those of files as they were when the run began.
    Roots roots(HostName host, int port);

    /// The lines of a policy that would allow what was refused, or why there are none.
    List<String> remedy(DeniedException denied);
}
