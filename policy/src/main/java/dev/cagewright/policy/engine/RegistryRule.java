package dev.cagewright.policy.engine;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.match.IpText;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The rule about a host of a package registry. What a tool fetches with, and no more: `npm audit` and `npm publish`
/// need a rule of their own.
final class RegistryRule {
    static final Set<String> METHODS = Set.of("GET", "HEAD");

    /// Every address but the host's own, unspecified and multicast ones: a company's registry mostly has a private
    /// address, and it is the machine's own configuration that sends its tools there.
    private static final List<String> NOT_THIS_MACHINE = List.of(
            "1.0.0.0/8",
            "2.0.0.0/7",
            "4.0.0.0/6",
            "8.0.0.0/5",
            "16.0.0.0/4",
            "32.0.0.0/3",
            "64.0.0.0/3",
            "96.0.0.0/4",
            "112.0.0.0/5",
            "120.0.0.0/6",
            "124.0.0.0/7",
            "126.0.0.0/8",
            "128.0.0.0/2",
            "192.0.0.0/3",
            "64:ff9b::/96",
            "2000::/3",
            "fc00::/7");

    private RegistryRule() {}

    static HostRule of(Registry.Host host) {
        boolean isItself =
                host.name().equals("localhost") || host.name().indexOf(':') >= 0 || IpText.looksNumeric(host.name());
        return new HostRule(
                new HostRule.Target.Host(host.name()),
                Optional.of(METHODS.stream().sorted().toList()),
                Optional.empty(),
                Optional.of(List.of(host.port())),
                HostRule.Protocol.HTTP,
                isItself ? Optional.empty() : Optional.of(NOT_THIS_MACHINE),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }
}
