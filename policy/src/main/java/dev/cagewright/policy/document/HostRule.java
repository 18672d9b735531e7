package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One entry of `net.hosts`. Absent lists say nothing narrower than the host; empty lists grant nothing.
///
/// @param target the host, or hosts, it is about
/// @param methods HTTP methods, matched without case
/// @param paths path patterns: `*` within a segment, `**` for whole segments
/// @param ports absent means 443 and 80; required for `tcp`
/// @param addresses the only addresses that may be dialled for it; absent means any public one
/// @param upstreamCa a PEM file of the host whose certificates alone may vouch for it; absent means the usual roots
public record HostRule(
        Target target,
        Optional<List<String>> methods,
        Optional<List<String>> paths,
        Optional<List<Integer>> ports,
        Protocol protocol,
        Optional<List<String>> addresses,
        Inspection inspection,
        Optional<String> upstreamCa,
        Budget budget) {

    /// Who is meant.
    public sealed interface Target {
        /// `host:` an exact name, an IP address, or `*.example.com`: any name below, never the suffix itself.
        record Host(String pattern) implements Target {}

        /// `alias:` a name from `net.aliases` or a built-in one.
        record Alias(String name) implements Target {}
    }

    public enum Protocol {
        HTTP,
        TCP;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Protocol parse(String field, String text) {
            return switch (text) {
                case "http" -> HTTP;
                case "tcp" -> TCP;
                default -> throw Field.refusal(field, text, "http or tcp");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Whether TLS is opened.
    public enum Inspection {
        OPENED,
        /// `inspect: false`: the server name is checked, the bytes pass unopened.
        PASSED_THROUGH
    }

    public HostRule {
        methods = methods.map(List::copyOf);
        paths = paths.map(List::copyOf);
        ports = ports.map(List::copyOf);
        addresses = addresses.map(List::copyOf);
    }

    /// The same for `only` these addresses.
    public HostRule at(List<String> only) {
        return new HostRule(target, methods, paths, ports, protocol, Optional.of(only), inspection, upstreamCa, budget);
    }

    /// Everything of one host, with nothing narrower said.
    public static HostRule ofHost(String pattern) {
        return new HostRule(
                new Target.Host(pattern),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Protocol.HTTP,
                Optional.empty(),
                Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }
}
