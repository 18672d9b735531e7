package dev.cagewright.policy.engine;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.policy.match.NetEntry;
import dev.cagewright.policy.match.PathPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/// What one policy's network rules let through and another's do not, taken apart into single patterns.
final class NetDiff {

    /// The smallest piece of a rule: an absent part is all of its kind.
    private record Piece(
            HostPattern host, Optional<String> method, Optional<PathPattern> path, int port, HostRule rule) {
        Piece at(HostPattern other) {
            return new Piece(other, method, path, port, rule);
        }

        /// E.g. `GET api.github.com:443 /repos/**`.
        @Override
        public String toString() {
            return (rule.protocol() == HostRule.Protocol.TCP ? "tcp" : method.orElse("any method")) + " " + host + ":"
                    + port
                    + path.map(pattern -> " " + pattern).orElse("")
                    + (rule.inspection() == HostRule.Inspection.PASSED_THROUGH ? " unopened" : "")
                    + rule.addresses()
                            .map(addresses -> " at " + String.join(", ", addresses))
                            .orElse("")
                    + rule.upstreamCa().map(file -> " vouched for by " + file).orElse("")
                    + (rule.budget().isUnlimited() ? "" : " with a budget of " + rule.budget());
        }
    }

    private NetDiff() {}

    static List<String> between(CompiledPolicy less, CompiledPolicy more) {
        var before = less.netEntries();
        var found = new ArrayList<String>();
        if (more.letsUnlistedThrough() && !less.letsUnlistedThrough()) {
            found.add("any host, observed");
        }
        if (!less.letsUnlistedThrough()) {
            for (NetRules.Entry entry : more.netEntries()) {
                pieces(entry).stream()
                        .filter(piece -> before.stream().noneMatch(other -> covers(other, piece)))
                        .map(Piece::toString)
                        .forEach(found::add);
            }
        }
        return found.stream().distinct().toList();
    }

    /// The entries that name a host which a wider entry names, too, and lets more through to: nothing that is let
    /// through somewhere is taken away by another entry, so they do not narrow it. Each one sentence.
    static List<String> overlaps(List<NetRules.Entry> entries) {
        var found = new ArrayList<String>();
        for (NetRules.Entry narrow : entries) {
            for (NetRules.Entry wide : entries) {
                for (HostPattern host : narrow.entry().hosts().orElse(List.of())) {
                    if (narrow.isWritten() && letsMoreThrough(wide, host, entries)) {
                        found.add(narrow.id() + ": " + wide.id() + " lets more through to " + host
                                + ", and this entry takes nothing of that away (entries only add; to narrow it, name the"
                                + " hosts that are wanted instead of the pattern)");
                    }
                }
            }
        }
        return found;
    }

    private static boolean letsMoreThrough(NetRules.Entry wide, HostPattern host, List<NetRules.Entry> entries) {
        var ofHost = entries.stream()
                .filter(one -> one.entry().hosts().orElse(List.of()).contains(host))
                .toList();
        return pieces(wide).stream()
                .filter(piece -> piece.host().covers(host) && !piece.host().equals(host))
                .map(piece -> piece.at(host))
                .anyMatch(piece -> ofHost.stream().noneMatch(one -> covers(one, piece)));
    }

    private static List<Piece> pieces(NetRules.Entry entry) {
        var rule = entry.entry();
        var pieces = new ArrayList<Piece>();
        for (HostPattern host : rule.hosts().orElse(List.of())) {
            for (Optional<String> method : methods(rule)) {
                for (Optional<PathPattern> path : orAny(rule.paths())) {
                    for (int port : new TreeSet<>(rule.ports().orElseThrow())) {
                        pieces.add(new Piece(host, method, path, port, entry.rule()));
                    }
                }
            }
        }
        return pieces;
    }

    private static List<Optional<String>> methods(NetEntry rule) {
        return orAny(rule.methods()
                .map(names -> names.stream()
                        .map(name -> name.toUpperCase(Locale.ROOT))
                        .sorted()
                        .toList()));
    }

    private static <T> List<Optional<T>> orAny(Optional<List<T>> list) {
        return list.map(some -> some.stream().map(Optional::of).toList()).orElse(List.of(Optional.empty()));
    }

    private static boolean covers(NetRules.Entry entry, Piece piece) {
        var rule = entry.entry();
        return coversTerms(entry.rule(), piece.rule())
                && rule.hosts().orElse(List.of()).stream().anyMatch(host -> host.covers(piece.host()))
                && rule.ports().orElseThrow().contains(piece.port())
                && coversMethod(rule, piece)
                && coversPath(rule, piece);
    }

    private static boolean coversMethod(NetEntry rule, Piece piece) {
        return rule.methods().isEmpty()
                || piece.method()
                        .map(method -> methods(rule).contains(Optional.of(method)))
                        .orElse(false);
    }

    private static boolean coversPath(NetEntry rule, Piece piece) {
        return rule.paths().isEmpty()
                || piece.path()
                        .map(path -> rule.paths().get().stream().anyMatch(pattern -> pattern.covers(path)))
                        .orElse(false);
    }

    /// Is everything else at least as wide?
    private static boolean coversTerms(HostRule rule, HostRule piece) {
        boolean isOpenedAlike = rule.inspection() == HostRule.Inspection.PASSED_THROUGH
                || piece.inspection() == HostRule.Inspection.OPENED;
        // Absent means public addresses, and a list may name others.
        boolean coversAddresses = rule.addresses()
                .map(all -> piece.addresses().map(all::containsAll).orElse(false))
                .orElse(piece.addresses().isEmpty());
        return rule.protocol() == piece.protocol()
                && isOpenedAlike
                && coversAddresses
                && rule.upstreamCa().equals(piece.upstreamCa())
                && coversRate(rule.budget().requests(), piece.budget().requests())
                && coversRate(rule.budget().sent(), piece.budget().sent())
                && coversRate(rule.budget().received(), piece.budget().received());
    }

    static boolean coversRate(Optional<Budget.Rate> rate, Optional<Budget.Rate> piece) {
        return rate.isEmpty()
                || piece.map(other -> other.per() == rate.get().per()
                                && other.amount() <= rate.get().amount())
                        .orElse(false);
    }
}
