package dev.cagewright.egress.resolve;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads resolv.conf(5) and hosts(5).
final class HostFiles {
    private static final int PORT = 53;

    /// `MAXNS`, resolv.h.
    private static final int MAX_SERVERS = 3;

    private static final String BLANKS = "[ \\t]+";

    private HostFiles() {}

    /// The name servers; the local one if none is named. Search lists do not count: a name is whole.
    static List<InetSocketAddress> nameServers(List<String> lines) {
        var servers = new ArrayList<InetSocketAddress>();
        for (String line : lines) {
            var words = line.split(BLANKS, -1);
            if (words.length >= 2 && words[0].equals("nameserver") && servers.size() < MAX_SERVERS) {
                literal(words[1]).ifPresent(address -> servers.add(new InetSocketAddress(address, PORT)));
            }
        }
        return servers.isEmpty() ? List.of(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), PORT)) : servers;
    }

    /// With a zone if it has one.
    private static Optional<InetAddress> literal(String text) {
        try {
            return Optional.of(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The names with their addresses, in the order of the lines.
    static Map<HostName, List<IpAddress>> hosts(List<String> lines) {
        var hosts = new HashMap<HostName, List<IpAddress>>();
        for (String line : lines) {
            int comment = line.indexOf('#');
            var words =
                    (comment < 0 ? line : line.substring(0, comment)).strip().split(BLANKS, -1);
            var address = IpAddress.parse(words[0]);
            for (int i = 1; i < words.length && address.isPresent(); i++) {
                var found = address.get();
                name(words[i])
                        .ifPresent(name -> hosts.computeIfAbsent(name, _ -> new ArrayList<>())
                                .add(found));
            }
        }
        return hosts;
    }

    private static Optional<HostName> name(String text) {
        try {
            return Optional.of(new HostName(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }
}
