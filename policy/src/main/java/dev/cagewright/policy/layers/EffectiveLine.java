package dev.cagewright.policy.layers;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.Origin;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.engine.Registry;
import dev.cagewright.policy.mcp.McpSection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/// One thing that is in force, for people.
///
/// @param field e.g. `resources.memory`, `net.hosts[1]`
/// @param value e.g. `2GiB`, `api.github.com`
/// @param rank absent for the product's defaults
public record EffectiveLine(String field, String value, Optional<Layer.Rank> rank, Optional<Origin> origin) {

    static List<EffectiveLine> of(Stack stack, EffectiveFiles files, Map<String, Registry> registries) {
        var lines = new ArrayList<EffectiveLine>();
        lines.add(line("min_isolation", stack.isolation(), isolation -> isolation.word()));
        lines.add(line("mode", stack.mode(), mode -> mode.word()));
        addLimits(lines, stack);
        for (int i = 0; i < files.mounts().size(); i++) {
            lines.add(line("fs.mounts", files.mounts().get(i), EffectiveLine::mount));
        }
        for (Layer layer : stack.layers()) {
            addHidden(lines, layer);
            addNetwork(lines, layer, "net", layer.document().net().orElse(NetSection.CLOSED), registries);
            addGrantable(lines, layer);
            addPublished(lines, layer);
            addPrograms(lines, layer, stack);
            addCredentials(lines, layer);
            addTools(lines, layer);
        }
        stack.setupCommand()
                .ifPresent(
                        command -> lines.add(line("phases.setup.command", command, words -> String.join(" ", words))));
        for (Layer layer : stack.layers()) {
            layer.document()
                    .phases()
                    .flatMap(phases -> phases.setup().net())
                    .ifPresent(net -> addNetwork(lines, layer, "phases.setup.net", net, registries));
        }
        stack.upstreamProxy().ifPresent(proxy -> lines.add(line("net.upstream_proxy", proxy, Object::toString)));
        stack.upstreamRoots().ifPresent(file -> lines.add(line("net.upstream_ca", file, text -> text)));
        addInspection(lines, stack);
        stack.patience().ifPresent(patience -> lines.add(line("approval.timeout", patience, Object::toString)));
        return List.copyOf(lines);
    }

    private static void addTools(List<EffectiveLine> lines, Layer layer) {
        var section = layer.document().mcp().orElse(McpSection.SILENT);
        var tools = section.tools().orElse(List.of());
        for (int i = 0; i < tools.size(); i++) {
            lines.add(line(layer, "mcp.tools[" + i + "]", tools.get(i).toString()));
        }
        if (section.tools().filter(List::isEmpty).isPresent()) {
            lines.add(line(layer, "mcp.tools", "nothing"));
        }
        var results = section.results();
        results.max().ifPresent(max -> lines.add(line(layer, "mcp.results.max", max.toString())));
        results.hidden().ifPresent(word -> lines.add(line(layer, "mcp.results.hidden", word.word())));
        results.credentials().ifPresent(word -> lines.add(line(layer, "mcp.results.credentials", word.word())));
        var requests = section.requests();
        requests.sampling().ifPresent(word -> lines.add(line(layer, "mcp.requests.sampling", word.word())));
        requests.elicitation().ifPresent(word -> lines.add(line(layer, "mcp.requests.elicitation", word.word())));
        requests.roots().ifPresent(word -> lines.add(line(layer, "mcp.requests.roots", word.word())));
    }

    private static void addCredentials(List<EffectiveLine> lines, Layer layer) {
        var credentials = layer.document().credentials().orElse(List.of());
        for (int i = 0; i < credentials.size(); i++) {
            lines.add(line(layer, "credentials[" + i + "]", credentials.get(i).toString()));
        }
    }

    private static <T> EffectiveLine line(String field, Sourced<T> sourced, Function<T, String> text) {
        return new EffectiveLine(field, text.apply(sourced.value()), sourced.rank(), sourced.origin());
    }

    private static EffectiveLine line(Layer layer, String field, String value) {
        var origin = layer.document().origins().at("/" + field.replace("]", "").replaceAll("[.\\[]", "/"));
        return new EffectiveLine(field, value, Optional.of(layer.rank()), origin);
    }

    private static String mount(Mount mount) {
        return mount.path() + " " + mount.mode().word() + " " + mount.source();
    }

    private static void addLimits(List<EffectiveLine> lines, Stack stack) {
        addLimit(lines, stack, "cpus", Resources::cpus);
        addLimit(lines, stack, "memory", Resources::memory);
        addLimit(lines, stack, "processes", Resources::processes);
        addLimit(lines, stack, "timeout", Resources::timeout);
        addLimit(lines, stack, "output", Resources::output);
        addLimit(lines, stack, "disk", Resources::disk);
        addLimit(lines, stack, "files", Resources::files);
    }

    private static <T extends Comparable<T>> void addLimit(
            List<EffectiveLine> lines, Stack stack, String name, Function<Resources, Optional<T>> value) {
        stack.limit(name, value).ifPresent(limit -> lines.add(line("resources." + name, limit, Object::toString)));
    }

    /// Only where some layer says something of it.
    private static void addInspection(List<EffectiveLine> lines, Stack stack) {
        for (var key : InspectSection.REACTIONS) {
            var reaction = stack.reaction(key);
            if (reaction.rank().isPresent()) {
                lines.add(line("inspect." + key.name(), reaction, InspectSection.Reaction::word));
            }
        }
        stack.chosen(
                        "/inspect/entropy",
                        document -> document.inspect().flatMap(InspectSection::entropy),
                        (one, other) -> one.then().compareTo(other.then()) >= 0 ? one : other)
                .ifPresent(entropy -> lines.add(line("inspect.entropy", entropy, Object::toString)));
        stack.chosen(
                        "/inspect/decoys",
                        document -> document.inspect().flatMap(InspectSection::decoys),
                        BinaryOperator.<InspectSection.Misuse>maxBy(Comparator.naturalOrder()))
                .ifPresent(misuse -> lines.add(line("inspect.decoys", misuse, InspectSection.Misuse::word)));
        stack.smallest("/inspect/body/max", document -> document.inspect().flatMap(InspectSection::bodyMax))
                .ifPresent(most -> lines.add(line("inspect.body.max", most, Object::toString)));
        for (Layer layer : stack.layers()) {
            var jars =
                    layer.document().inspect().flatMap(InspectSection::custom).orElse(List.of());
            for (int i = 0; i < jars.size(); i++) {
                lines.add(line(layer, "inspect.custom[" + i + "]", jars.get(i)));
            }
        }
    }

    private static void addHidden(List<EffectiveLine> lines, Layer layer) {
        layer.document().fs().ifPresent(fs -> {
            for (int i = 0; i < fs.hide().size(); i++) {
                lines.add(line(layer, "fs.hide[" + i + "]", fs.hide().get(i).value()));
            }
        });
    }

    private static void addNetwork(
            List<EffectiveLine> lines, Layer layer, String field, NetSection net, Map<String, Registry> registries) {
        addBudget(lines, layer, field + ".budget", net.budget());
        addHosts(lines, layer, field, net.hosts().orElse(List.of()));
        addRegistries(lines, layer, field, net.registries().orElse(List.of()), registries);
    }

    private static void addHosts(List<EffectiveLine> lines, Layer layer, String net, List<HostRule> hosts) {
        for (int i = 0; i < hosts.size(); i++) {
            var target = switch (hosts.get(i).target()) {
                case HostRule.Target.Host(String pattern) -> pattern;
                case HostRule.Target.Alias(String name) -> "alias " + name;
            };
            lines.add(line(layer, net + ".hosts[" + i + "]", target));
            var field = net + ".hosts[" + i + "].upstream_ca";
            hosts.get(i).upstreamCa().ifPresent(file -> lines.add(line(layer, field, file)));
            addBudget(
                    lines, layer, net + ".hosts[" + i + "].budget", hosts.get(i).budget());
        }
    }

    private static void addBudget(List<EffectiveLine> lines, Layer layer, String field, Budget budget) {
        if (!budget.isUnlimited()) {
            lines.add(line(layer, field, budget.toString()));
        }
    }

    private static void addRegistries(
            List<EffectiveLine> lines, Layer layer, String net, List<String> tools, Map<String, Registry> known) {
        for (int i = 0; i < tools.size(); i++) {
            var field = net + ".registries[" + i + "]";
            if (known.get(tools.get(i)) instanceof Registry.Known(var hosts, var _)) {
                for (var host : hosts) {
                    lines.add(line(layer, field, tools.get(i) + " " + host));
                }
            } else {
                lines.add(line(layer, field, tools.get(i)));
            }
        }
    }

    private static void addGrantable(List<EffectiveLine> lines, Layer layer) {
        var entries = layer.document().net().flatMap(NetSection::mayGrant);
        for (int i = 0; i < entries.map(List::size).orElse(0); i++) {
            lines.add(
                    line(layer, "net.may_grant[" + i + "]", entries.get().get(i).toString()));
        }
        if (entries.filter(List::isEmpty).isPresent()) {
            lines.add(line(layer, "net.may_grant", "nothing"));
        }
    }

    private static void addPublished(List<EffectiveLine> lines, Layer layer) {
        var ports = layer.document().net().flatMap(NetSection::publish);
        for (int i = 0; i < ports.map(List::size).orElse(0); i++) {
            lines.add(
                    line(layer, "net.publish[" + i + "]", "port " + ports.get().get(i)));
        }
        if (ports.filter(List::isEmpty).isPresent()) {
            lines.add(line(layer, "net.publish", "no port"));
        }
    }

    private static void addPrograms(List<EffectiveLine> lines, Layer layer, Stack stack) {
        var own = layer.document().exec().flatMap(ExecSection::allowlist).orElse(List.of());
        var inForce = stack.programs().orElse(List.of());
        for (int i = 0; i < own.size(); i++) {
            if (inForce.contains(own.get(i))) {
                lines.add(line(layer, "exec.allowlist[" + i + "]", own.get(i)));
            }
        }
    }
}
