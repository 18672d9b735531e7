package dev.cagewright.supervisor.imports;

import java.util.Locale;
import java.util.Optional;

/// An entry such as `*.example.com:8443` of a source's list of hosts.
///
/// @param host what stands before the port, in small letters
/// @param port if the entry names one
record Domain(String host, Optional<Integer> port) {
    private static final int MAX_PORT = 65_535;

    static Domain of(String text) {
        var lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[")) {
            int end = lower.indexOf(']');
            return end < 0
                    ? new Domain(lower, Optional.empty())
                    : new Domain(lower.substring(1, end), port(lower.substring(end + 1)));
        }
        int colon = lower.lastIndexOf(':');
        var port = colon < 0 ? Optional.<Integer>empty() : port(lower.substring(colon));
        return port.isPresent() && lower.indexOf(':') == colon
                ? new Domain(lower.substring(0, colon), port)
                : new Domain(lower, Optional.empty());
    }

    private static Optional<Integer> port(String text) {
        if (!text.matches(":[1-9][0-9]{0,4}")) {
            return Optional.empty();
        }
        int port = Integer.parseInt(text.substring(1));
        return port <= MAX_PORT ? Optional.of(port) : Optional.empty();
    }

    /// As something to forbid; `**.` and `*.` stand for what is below, which is forbidden with the name itself.
    HostRule.Denied denied(String key) {
        var name = host.equals("*") || host.equals("**") ? "*" : host.replaceFirst("^\\*{1,2}\\.", "");
        return new HostRule.Denied(key, name, port);
    }
}
