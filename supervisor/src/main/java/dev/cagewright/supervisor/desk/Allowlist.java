package dev.cagewright.supervisor.desk;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.budget.Spent;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.grant.GrantDesk;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// What a cage may reach, as it is told: hosts, what was granted, what is left of budgets, what a person has to agree
/// to, and which secrets are lent, never a value. It is a description; what counts is what the gateway decides.
public final class Allowlist {
    private static final List<Integer> USUAL_PORTS = List.of(443, 80);

    private final Subject subject;
    private final GrantDesk grants;
    private final SessionDesk.Asking asking;

    Allowlist(Subject subject, GrantDesk grants, SessionDesk.Asking asking) {
        this.subject = subject;
        this.grants = grants;
        this.asking = asking;
    }

    /// Whose allowlist it is.
    ///
    /// @param policy as the run began with it
    /// @param gate decides now
    /// @param budgets what is used of each
    public record Subject(EffectivePolicy policy, Gate gate, RunSecrets secrets, Supplier<List<Spent>> budgets) {}

    JsonObject toJson() {
        var layers =
                subject.policy().layers().stream().filter(Allowlist::listsHosts).toList();
        var json = Json.object()
                .put("rule", rule(layers.size()))
                .put("hosts", layers.isEmpty() ? List.of() : hosts(layers.getLast()));
        if (layers.size() > 1) {
            json.put(
                    "bounds",
                    layers.subList(0, layers.size() - 1).stream()
                            .map(this::bound)
                            .toList());
        }
        return json.put("registries", registries())
                .put("granted", granted())
                .put("granted_when_asked", grantable())
                .put("needs_approval", approvals())
                .put("budgets", budgets())
                .put("secrets", secrets())
                .put(
                        "asking",
                        asking == SessionDesk.Asking.POSSIBLE ? "POST /v1/allowlist/requests" : "not in this run")
                .build();
    }

    private String rule(int layers) {
        boolean isObserved = subject.policy().layers().stream()
                .flatMap(layer -> layer.document().net().stream())
                .anyMatch(net -> net.reach() == NetSection.Reach.OBSERVE);
        var rest =
                isObserved ? "what is not listed may be let through and is recorded" : "what is not listed is denied";
        return layers > 1 ? rest + "; what is listed has to lie within each entry of bounds, too" : rest;
    }

    private static boolean listsHosts(Layer layer) {
        return layer.document().net().flatMap(NetSection::hosts).isPresent();
    }

    private JsonObject bound(Layer layer) {
        return Json.object()
                .put("layer", layer.rank().name().toLowerCase(Locale.ROOT))
                .put("hosts", hosts(layer))
                .build();
    }

    private List<JsonObject> hosts(Layer layer) {
        var rules = layer.document().net().flatMap(NetSection::hosts).orElse(List.of());
        var all = new ArrayList<JsonObject>();
        for (int i = 0; i < rules.size(); i++) {
            host("net.hosts[" + i + "]", rules.get(i)).ifPresent(all::add);
        }
        return all;
    }

    /// Empty for a host that is denied whatever the rule says.
    private Optional<JsonObject> host(String id, HostRule rule) {
        var host = switch (rule.target()) {
            case HostRule.Target.Host(String pattern) -> pattern;
            case HostRule.Target.Alias(String name) ->
                subject.policy().upstream(new HostName(name + ".internal")).value();
        };
        var ports = rule.ports().orElse(USUAL_PORTS).stream()
                .filter(port -> isOpen(host, port))
                .toList();
        if (ports.isEmpty()) {
            return Optional.empty();
        }
        var json = Json.object().put("host", host).put("ports", ports);
        if (rule.protocol() == HostRule.Protocol.TCP) {
            json.put("protocol", "tcp");
        } else if (rule.inspection() == HostRule.Inspection.PASSED_THROUGH) {
            json.put("protocol", "tls");
        } else {
            json.put("methods", rule.methods().orElse(List.of("*")))
                    .put("paths", rule.paths().orElse(List.of("/**")));
        }
        return Optional.of(json.put("rule", id).build());
    }

    private boolean isOpen(String host, int port) {
        var pattern = HostPattern.parse("host", host);
        return pattern.kind() == HostPattern.Kind.BELOW
                || !(subject.gate().judge(new Action.NetConnect(pattern.suffix(), port)) instanceof Decision.Deny);
    }

    private List<JsonObject> registries() {
        return subject.policy().registryHosts().stream()
                .map(host -> Json.object()
                        .put("host", host.name())
                        .put("port", host.port())
                        .build())
                .toList();
    }

    private List<JsonObject> granted() {
        return grants.live().stream()
                .map(grant -> {
                    var json = Json.object().put("id", grant.id().value());
                    GrantJson.opening(json, grant.opening());
                    GrantJson.until(json, grant.until());
                    return json.build();
                })
                .toList();
    }

    /// What the policy gives by itself; each layer that has such a list has to have it.
    private List<JsonObject> grantable() {
        return subject.policy().layers().stream()
                .flatMap(layer -> layer.document().net().stream())
                .flatMap(net -> net.mayGrant().orElse(List.of()).stream())
                .map(Allowlist::grantable)
                .toList();
    }

    private static JsonObject grantable(NetSection.MayGrant bound) {
        return Json.object()
                .put("hosts", bound.hosts())
                .put("ports", bound.ports().orElse(USUAL_PORTS))
                .put("methods", bound.methods().orElse(List.of("*")))
                .put("paths", bound.paths().orElse(List.of("/**")))
                .put("for", bound.time().map(TimeSpan::toString).orElse("1h"))
                .build();
    }

    private List<JsonObject> approvals() {
        return subject.policy().layers().stream()
                .flatMap(layer -> layer.document().approval().stream())
                .flatMap(approval -> approval.requireFor().stream())
                .map(Allowlist::approval)
                .toList();
    }

    private static JsonObject approval(ApprovalSection.Condition condition) {
        var json = Json.object().put("action", condition.action());
        condition.methods().ifPresent(all -> json.put("methods", all));
        condition.hosts().ifPresent(all -> json.put("hosts", all));
        condition.paths().ifPresent(all -> json.put("paths", all));
        condition.names().ifPresent(all -> json.put("names", all));
        return json.build();
    }

    private List<JsonObject> budgets() {
        return subject.budgets().get().stream()
                .map(spent -> Json.object()
                        .put("rule", spent.rule())
                        .put("used", spent.used())
                        .put("left", Math.max(0, spent.rate().amount() - spent.used()))
                        .put("of", spent.rate().amount())
                        .put("per", spent.rate().per().word())
                        .build())
                .toList();
    }

    private List<JsonObject> secrets() {
        var usable = subject.secrets().usable();
        return subject.secrets().credentials().stream()
                .map(one -> Json.object()
                        .put("name", one.name())
                        .put("variable", one.env().orElse(""))
                        .put("use_with", one.useWith())
                        .put(
                                "in",
                                one.places().stream()
                                        .map(Credential.Place::word)
                                        .toList())
                        .put("usable", usable.contains(one.name()))
                        .build())
                .toList();
    }
}
