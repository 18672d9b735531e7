package dev.cagewright.egress.http;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.IpText;
import java.util.Locale;

/// Whom a request is for: the host and port of `Host`, `:authority`, a CONNECT target or an absolute URL (RFC 3986
/// section 3.2, RFC 9110 section 4.2), as one value for the rules, the secrets, the dialling and the log.
///
/// The grammar is narrower than the RFC's: no user information, no percent signs, no empty port, no spelling of an
/// address that programs read differently. What does not fit is refused, never repaired.
///
/// @param host a DNS name, or an address in its one spelling: a mapped IPv4 address is the IPv4 address
/// @param port 1 to 65535
public record Authority(HostName host, int port) {
    /// The longest name, brackets or not, and a port.
    private static final int MAX_CHARS = 253 + 1 + 1 + 5;

    private static final String PORT = "a port from 1 to 65535 in decimal";

    public Authority {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }

    /// Reads `host` or `host:port`.
    ///
    /// @param defaultPort the scheme's, e.g. 443
    /// @throws BadAuthorityException if it is anything else
    public static Authority parse(String text, int defaultPort) throws BadAuthorityException {
        int end = hostEnd(text);
        var host = host(text, end);
        return new Authority(host, end == text.length() ? defaultPort : port(text, end + 1));
    }

    /// Reads `host:port`, the form of a CONNECT target (RFC 9112 section 3.2.3).
    ///
    /// @throws BadAuthorityException if it is anything else
    public static Authority parseWithPort(String text) throws BadAuthorityException {
        int end = hostEnd(text);
        var host = host(text, end);
        if (end == text.length()) {
            throw refusal(text, "host:port");
        }
        return new Authority(host, port(text, end + 1));
    }

    /// Where the host ends: at the text's end, or at the colon of a port.
    private static int hostEnd(String text) throws BadAuthorityException {
        if (text.length() > MAX_CHARS) {
            throw refusal(text, "at most " + MAX_CHARS + " characters");
        }
        int end = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
        if (end < 0) {
            return text.length();
        }
        if (end != text.length() && text.charAt(end) != ':') {
            throw refusal(text, "nothing but a port behind the bracket");
        }
        return end;
    }

    private static HostName host(String text, int end) throws BadAuthorityException {
        var host = text.substring(0, end);
        if (host.startsWith("[")) {
            return IpAddress.parse(host.substring(1, end - 1))
                    .filter(_ -> host.indexOf(':') >= 0)
                    .map(address -> new HostName(address.toString()))
                    .orElseThrow(() -> refusal(text, "an IPv6 address in brackets, without a zone"));
        }
        if (looksNumeric(host)) {
            return IpAddress.parse(host)
                    .map(address -> new HostName(address.toString()))
                    .orElseThrow(() -> refusal(text, "an IPv4 address as four decimal numbers without leading zeros"));
        }
        try {
            return name(host);
        } catch (IllegalArgumentException _) {
            throw refusal(text, "a DNS name of letters, digits, '-' and '_', or an IP address");
        }
    }

    /// Also with a final dot, and in capitals.
    private static boolean looksNumeric(String host) {
        var lower = host.toLowerCase(Locale.ROOT);
        return IpText.looksNumeric(lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower);
    }

    private static HostName name(String host) {
        if (!host.chars().allMatch(c -> c < 128)) {
            throw new IllegalArgumentException("host: not ASCII (expected: ASCII)");
        }
        return new HostName(host);
    }

    private static int port(String text, int from) throws BadAuthorityException {
        int port = 0;
        for (int i = from; i < text.length() && port <= 65_535; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9' || (port == 0 && c == '0')) {
                throw refusal(text, PORT);
            }
            port = 10 * port + (c - '0');
        }
        if (port < 1 || port > 65_535) {
            throw refusal(text, PORT);
        }
        return port;
    }

    private static BadAuthorityException refusal(String text, String expected) {
        var shown = text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) : text;
        return new BadAuthorityException("host: " + ByteString.of(shown) + " (expected: " + expected + ")");
    }

    /// The host as it stands in a URL: an IPv6 address in brackets.
    public String hostText() {
        return host.value().indexOf(':') >= 0 ? "[" + host.value() + "]" : host.value();
    }

    /// What `Host` or `:authority` says for a scheme whose own port is `defaultPort`.
    public String text(int defaultPort) {
        return port == defaultPort ? hostText() : hostText() + ":" + port;
    }

    /// `host:port`, IPv6 in brackets.
    @Override
    public String toString() {
        return hostText() + ":" + port;
    }
}
