package dev.cagewright.policy.grant;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.IpText;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.policy.quantity.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/// The requests that a grant is about: one host by its exact name, some ports, methods and paths. None of the lists is
/// empty, and each has at most [#MOST] entries.
///
/// @param host a name, never an address, a pattern or a name of this machine
/// @param ports of TCP
/// @param methods of HTTP, in upper case
/// @param paths patterns as in policies
public record Opening(HostName host, Set<Integer> ports, Set<String> methods, List<PathPattern> paths) {
    /// The most entries of a list.
    public static final int MOST = 16;

    /// The ports of a request that names none.
    public static final List<Integer> USUAL_PORTS = List.of(80, 443);

    /// The methods of a request that names none: those that only read.
    public static final List<String> USUAL_METHODS = List.of("GET", "HEAD");

    /// The paths of a request that names none: every one.
    public static final List<String> USUAL_PATHS = List.of("/**");

    private static final int LONGEST_PATH = 1024;

    public Opening {
        ports = Set.copyOf(ports);
        methods = Set.copyOf(methods);
        paths = List.copyOf(paths);
        requireSize("ports", ports.size());
        requireSize("methods", methods.size());
        requireSize("paths", paths.size());
        requireName(host);
    }

    /// Reads what somebody asks for.
    ///
    /// @throws IllegalArgumentException naming what is wrong and what is accepted
    public static Opening parse(String host, List<Integer> ports, List<String> methods, List<String> paths) {
        requireSize("ports", ports.size());
        requireSize("methods", methods.size());
        requireSize("paths", paths.size());
        var names = new TreeSet<String>();
        methods.forEach(method -> names.add(method(method)));
        var patterns = new ArrayList<PathPattern>();
        paths.forEach(path -> patterns.add(path(path)));
        ports.forEach(Opening::requirePort);
        return new Opening(
                host(host),
                Set.copyOf(ports),
                names,
                patterns.stream().distinct().toList());
    }

    private static HostName host(String text) {
        if (text.startsWith("*")) {
            throw refusedHost(text);
        }
        try {
            return new HostName(text);
        } catch (IllegalArgumentException _) {
            throw refusedHost(text);
        }
    }

    private static void requireName(HostName host) {
        var name = host.value();
        boolean isAddress = name.indexOf(':') >= 0 || IpText.looksNumeric(name);
        boolean isOfHere = name.equals("localhost")
                || name.endsWith(".localhost")
                || name.equals("internal")
                || name.endsWith(".internal");
        if (isAddress || isOfHere) {
            throw refusedHost(name);
        }
    }

    private static IllegalArgumentException refusedHost(String text) {
        return Field.refusal(
                "host",
                cut(text),
                "one exact host name such as api.example.com; no pattern, no address, no name of this machine");
    }

    private static String method(String text) {
        if (!text.matches("[A-Za-z][A-Za-z-]{0,31}")) {
            throw Field.refusal("methods", cut(text), "an HTTP method such as GET");
        }
        return text.toUpperCase(Locale.ROOT);
    }

    private static PathPattern path(String text) {
        if (text.length() > LONGEST_PATH) {
            throw Field.refusal("paths", cut(text), "at most " + LONGEST_PATH + " characters");
        }
        return PathPattern.parse("paths", text);
    }

    private static void requirePort(int port) {
        if (port < 1 || port > 65_535) {
            throw Field.refusal("ports", String.valueOf(port), "1 to 65535");
        }
    }

    private static void requireSize(String field, int size) {
        if (size < 1 || size > MOST) {
            throw new IllegalArgumentException(
                    field + ": " + size + " entries (expected: 1 to " + MOST + "; left out means the usual ones)");
        }
    }

    private static String cut(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }

    /// Is `action` one of these requests, or what has to come before one?
    public boolean covers(Action action) {
        return switch (action) {
            case Action.HttpRequest(String method, HostName to, int port, String path) ->
                host.equals(to)
                        && ports.contains(port)
                        && methods.contains(method)
                        && paths.stream().anyMatch(pattern -> pattern.matches(path));
            case Action.NetConnect(HostName to, int port) -> host.equals(to) && ports.contains(port);
            case Action.DnsLookup(HostName name) -> host.equals(name);
            case Action.ProcExec _,
                    Action.FsRead _,
                    Action.FsWrite _,
                    Action.SecretUse _,
                    Action.McpCall _,
                    Action.RunControl _,
                    Action.NetPublish _ -> false;
        };
    }

    /// E.g. `GET, HEAD api.example.com:443 /v1/**`.
    @Override
    public String toString() {
        return String.join(", ", new TreeSet<>(methods)) + " " + host + ":"
                + String.join(
                        ",", new TreeSet<>(ports).stream().map(String::valueOf).toList())
                + " "
                + String.join(", ", paths.stream().map(PathPattern::toString).toList());
    }
}
