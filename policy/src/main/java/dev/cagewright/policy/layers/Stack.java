package dev.cagewright.policy.layers;

import dev.cagewright.policy.argv.ExecAllowlist;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.mcp.McpSection;
import dev.cagewright.policy.mcp.RequestTerms;
import dev.cagewright.policy.mcp.ResultTerms;
import dev.cagewright.policy.quantity.TimeSpan;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Layers in the order of their rank, and how one value is made of the values of all.
record Stack(List<Layer> layers) {
    Stack {
        layers = layers.stream().sorted(Comparator.comparing(Layer::rank)).toList();
    }

    /// The value that `choice` prefers, of the layers that have one; of equal ones the higher layer's.
    <T> Optional<Sourced<T>> chosen(
            String pointer, Function<PolicyDocument, Optional<T>> value, BinaryOperator<T> choice) {
        return sourced(pointer, value).reduce((one, other) -> {
            var better = choice.apply(one.value(), other.value());
            return better.equals(one.value()) ? one : other;
        });
    }

    private <T> Stream<Sourced<T>> sourced(String pointer, Function<PolicyDocument, Optional<T>> value) {
        return layers.stream()
                .flatMap(layer -> value.apply(layer.document()).stream().map(some -> Sourced.of(layer, pointer, some)));
    }

    /// The value of the lowest layer that has one.
    <T> Optional<Sourced<T>> lowest(String pointer, Function<PolicyDocument, Optional<T>> value) {
        return sourced(pointer, value).reduce((_, lower) -> lower);
    }

    /// The value of the highest layer that has one.
    private <T> Optional<Sourced<T>> highest(String pointer, Function<PolicyDocument, Optional<T>> value) {
        return sourced(pointer, value).findFirst();
    }

    Optional<Sourced<List<String>>> setupCommand() {
        return lowest(
                "/phases/setup/command",
                document -> document.phases().map(phases -> phases.setup().command()));
    }

    /// The registries that some layer names.
    Set<String> registries() {
        return layers.stream()
                .flatMap(layer -> layer.document().net().flatMap(NetSection::registries).stream())
                .flatMap(List::stream)
                .collect(Collectors.toSet());
    }

    Optional<Sourced<Upstream.Proxy>> upstreamProxy() {
        return highest(
                "/net/upstream_proxy",
                document -> document.net().flatMap(net -> net.upstream().proxy()));
    }

    Optional<Sourced<String>> upstreamRoots() {
        return highest(
                "/net/upstream_ca",
                document -> document.net().flatMap(net -> net.upstream().ca()));
    }

    Sourced<Isolation> isolation() {
        return chosen("/min_isolation", PolicyDocument::minIsolation, BinaryOperator.maxBy(Comparator.naturalOrder()))
                .orElse(Sourced.byDefault(Isolation.NAMESPACES));
    }

    Sourced<Mode> mode() {
        return chosen("/mode", PolicyDocument::mode, BinaryOperator.maxBy(Comparator.naturalOrder()))
                .orElse(Sourced.byDefault(Mode.ENFORCE));
    }

    Optional<Sourced<TimeSpan>> patience() {
        return smallest("/approval/timeout", document -> document.approval().flatMap(ApprovalSection::timeout));
    }

    <T extends Comparable<T>> Optional<Sourced<T>> smallest(
            String pointer, Function<PolicyDocument, Optional<T>> value) {
        return chosen(pointer, value, BinaryOperator.minBy(Comparator.naturalOrder()));
    }

    <T extends Comparable<T>> Optional<Sourced<T>> limit(String name, Function<Resources, Optional<T>> value) {
        return smallest("/resources/" + name, document -> document.resources().flatMap(value));
    }

    Resources resources() {
        return new Resources(
                limit("cpus", Resources::cpus).map(Sourced::value),
                limit("memory", Resources::memory).map(Sourced::value),
                limit("processes", Resources::processes).map(Sourced::value),
                limit("timeout", Resources::timeout).map(Sourced::value),
                limit("output", Resources::output).map(Sourced::value),
                limit("disk", Resources::disk).map(Sourced::value),
                limit("files", Resources::files).map(Sourced::value));
    }

    /// Of everything that layers have to say about inspection, the strictest.
    InspectSection inspect() {
        return layers.stream()
                .flatMap(layer -> layer.document().inspect().stream())
                .reduce(InspectSection::and)
                .orElse(InspectSection.SILENT);
    }

    /// Of everything that layers have to say about results, the strictest.
    ResultTerms results() {
        return layers.stream()
                .flatMap(layer -> layer.document().mcp().stream())
                .map(McpSection::results)
                .reduce(ResultTerms::and)
                .orElse(McpSection.SILENT.results());
    }

    /// What servers may ask for, where one layer allows it and no other denies it.
    RequestTerms requests() {
        return layers.stream()
                .flatMap(layer -> layer.document().mcp().stream())
                .map(McpSection::requests)
                .reduce(RequestTerms::and)
                .orElse(McpSection.SILENT.requests());
    }

    Sourced<InspectSection.Reaction> reaction(InspectSection.Key key) {
        return this.<InspectSection.Reaction>chosen(
                        "/inspect/" + key.name(),
                        document -> document.inspect().flatMap(key.said()),
                        BinaryOperator.maxBy(Comparator.naturalOrder()))
                .orElse(Sourced.byDefault(key.silent()));
    }

    /// The programs on every list there is; absent when there is no list.
    Optional<List<String>> programs() {
        var lists = layers.stream()
                .flatMap(layer -> layer.document().exec().flatMap(ExecSection::allowlist).stream())
                .toList();
        if (lists.isEmpty()) {
            return Optional.empty();
        }
        var all = lists.stream().map(ExecAllowlist::new).toList();
        var kept = new LinkedHashSet<String>();
        for (List<String> list : lists.reversed()) {
            list.stream()
                    .filter(name -> all.stream().allMatch(other -> other.allows(name)))
                    .forEach(kept::add);
        }
        return Optional.of(List.copyOf(kept));
    }

    /// The variables that every layer with a list lets the caller set.
    List<String> callerVariables() {
        return shared(layers.stream()
                .flatMap(layer -> layer.document().exec().flatMap(ExecSection::env).stream())
                .toList());
    }

    /// The elements of the last list that all others have too; none when there is no list.
    static <T> List<T> shared(List<List<T>> lists) {
        return lists.isEmpty()
                ? List.of()
                : lists.getLast().stream()
                        .filter(element -> lists.stream().allMatch(list -> list.contains(element)))
                        .toList();
    }

    /// The credentials of the lowest layer that has any, as far as every other layer with credentials has the same
    /// name; with the parts of a request that all of them permit. Where they may go, the judge says.
    List<Credential> credentials() {
        var lists = layers.stream()
                .flatMap(layer -> layer.document().credentials().stream())
                .toList();
        return lists.isEmpty()
                ? List.of()
                : lists.getLast().stream()
                        .filter(credential -> lists.stream()
                                .allMatch(list -> !named(list, credential).isEmpty()))
                        .map(credential -> narrowed(credential, lists))
                        .toList();
    }

    private static List<Credential> named(List<Credential> list, Credential wanted) {
        return list.stream().filter(other -> other.name().equals(wanted.name())).toList();
    }

    private static Credential narrowed(Credential credential, List<List<Credential>> lists) {
        var places = credential.places().stream()
                .filter(place -> lists.stream()
                        .allMatch(list -> named(list, credential).stream()
                                .anyMatch(other -> other.places().contains(place))))
                .toList();
        return new Credential(
                credential.name(),
                credential.env(),
                credential.useWith(),
                Optional.of(places),
                credential.prepare(),
                credential.login(),
                credential.sign());
    }
}
