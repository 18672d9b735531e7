package dev.cagewright.policy.engine;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The rule about a host of a package registry. What a tool fetches with, and no more: `npm audit` and `npm publish`
/// need a rule of their own. Where its name leads to no public address, whoever begins a run opens the rule to the
/// addresses that it leads to then.
final class RegistryRule {
    static final Set<String> METHODS = Set.of("GET", "HEAD");

    private RegistryRule() {}

    static HostRule of(Registry.Host host) {
        return new HostRule(
                new HostRule.Target.Host(host.name()),
                Optional.of(METHODS.stream().sorted().toList()),
                Optional.empty(),
                Optional.of(List.of(host.port())),
                HostRule.Protocol.HTTP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }
}
