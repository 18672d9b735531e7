package dev.cagewright.policy.layers;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Upstream;
import java.util.List;
import java.util.Optional;

/// What all layers together say about how a host is reached once a request to it is allowed. Nothing is looked up.
///
/// @param host the name that is resolved and dialled, behind aliases
/// @param rules of the layers that name it, the highest first
/// @param ca the PEM file that alone may vouch for it
/// @param proxy asked for connections to web hosts
public record Destination(
        HostName host,
        int port,
        List<EffectivePolicy.LayeredRule> rules,
        Optional<String> ca,
        Optional<Upstream.Proxy> proxy) {
    public Destination {
        rules = List.copyOf(rules);
    }

    /// Opened unless every layer passes it through; bytes of `protocol: tcp` are passed through always.
    public HostRule.Inspection inspection() {
        boolean isClosed = !rules.isEmpty()
                && rules.stream()
                        .allMatch(each -> each.rule().inspection() == HostRule.Inspection.PASSED_THROUGH
                                || each.rule().protocol() == HostRule.Protocol.TCP);
        return isClosed ? HostRule.Inspection.PASSED_THROUGH : HostRule.Inspection.OPENED;
    }

    /// Each layer's list of addresses, of which an address must be on every one; none means public addresses.
    public List<List<String>> addresses() {
        return rules.stream().flatMap(each -> each.rule().addresses().stream()).toList();
    }
}
