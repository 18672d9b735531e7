package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.match.HostPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which secret may go where, compiled.
final class SecretRules {
    private static final Decision UNKNOWN =
            new Decision.Deny(Rules.DEFAULT, DenyCode.NO_RULE, "no entry of credentials has this name");
    private static final Decision SILENT = new Decision.Allow(Rules.SILENT);

    /// One entry with its answers.
    ///
    /// @param hosts where it goes
    /// @param judged those, and where its tokens come from
    private record Binding(List<HostPattern> hosts, List<HostPattern> judged, Decision allow, Decision elsewhere) {}

    private final Map<String, List<Binding>> byName;
    private final Decision unknown;

    private SecretRules(Map<String, List<Binding>> byName, Decision unknown) {
        this.byName = byName;
        this.unknown = unknown;
    }

    static SecretRules of(Optional<List<Credential>> credentials, Terms terms, Entries entries) {
        var byName = new HashMap<String, List<Binding>>();
        var list = credentials.orElse(List.of());
        for (int i = 0; i < list.size(); i++) {
            var credential = list.get(i);
            var rule = Rules.at("credentials", i);
            var hosts = entries.named(rule.value() + ".use_with", credential.useWith());
            byName.computeIfAbsent(credential.name(), _ -> new ArrayList<>())
                    .add(new Binding(
                            hosts,
                            withLogin(hosts, credential, rule.value(), entries),
                            new Decision.Allow(rule),
                            new Decision.Deny(rule, DenyCode.FORBIDDEN, rule + " binds the secret to other hosts")));
        }
        boolean abstains = credentials.isEmpty() && terms.silence() == Terms.Silence.ABSTAINS;
        return new SecretRules(byName, abstains ? SILENT : UNKNOWN);
    }

    private static List<HostPattern> withLogin(
            List<HostPattern> hosts, Credential credential, String rule, Entries entries) {
        if (credential.sign().isPresent()) {
            return List.of(HostPattern.parse(rule, Credential.Signing.PLACE));
        }
        if (credential.login().isEmpty()) {
            return hosts;
        }
        var all = new ArrayList<>(hosts);
        all.addAll(entries.named(
                rule + ".login.host", List.of(credential.login().get().host())));
        return all;
    }

    /// Where the secret may go by this document; nowhere if it is not in it.
    List<HostPattern> hosts(String secret) {
        return byName.getOrDefault(secret, List.of()).stream()
                .flatMap(binding -> binding.hosts().stream())
                .distinct()
                .toList();
    }

    Decision use(String secret, HostName host) {
        var forbidden = ForbiddenHosts.denialOrNull(host);
        if (forbidden != null) {
            return forbidden;
        }
        var bindings = byName.get(secret);
        if (bindings == null) {
            return unknown;
        }
        for (int i = 0; i < bindings.size(); i++) {
            var hosts = bindings.get(i).judged();
            for (int k = 0; k < hosts.size(); k++) {
                if (hosts.get(k).matches(host)) {
                    return bindings.get(i).allow();
                }
            }
        }
        return bindings.getFirst().elsewhere();
    }
}
