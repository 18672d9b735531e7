package dev.cagewright.mcp.remote;

import dev.cagewright.egress.here.HostRequest.Scheme;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.supervisor.fetch.FetchOrder;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/// Where a server is.
///
/// @param text as somebody gave it
/// @param target the path, and what follows `?`
public record RemoteAddress(String text, Scheme scheme, FetchOrder.Authority at, String target) {
    private static final int LONGEST = 4_096;
    private static final String EXPECTED =
            " (expected: https://HOST/PATH, visible ASCII, no user and no fragment; http:// only to this machine:"
                    + " localhost, 127.0.0.1 or [::1])";

    /// Reads one. What goes without TLS stays on this machine: anybody on the way could speak for the server.
    ///
    /// @throws IllegalArgumentException if it is none
    public static RemoteAddress parse(String text) {
        if (text.length() > LONGEST || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("url:" + EXPECTED);
        }
        try {
            var url = new URI(text);
            boolean isPlain = "http".equalsIgnoreCase(url.getScheme());
            if ((!isPlain && !"https".equalsIgnoreCase(url.getScheme()))
                    || url.getHost() == null
                    || url.getRawUserInfo() != null
                    || url.getRawFragment() != null
                    || (isPlain && !url.getHost().matches("(?i)localhost|127(\\.[0-9]{1,3}){3}|\\[::1]"))) {
                throw new IllegalArgumentException("url: " + text + EXPECTED);
            }
            var host = url.getHost().replaceAll("^\\[|]$", "");
            int port = url.getPort() >= 0 ? url.getPort() : isPlain ? 80 : 443;
            var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
            return new RemoteAddress(
                    text,
                    isPlain ? Scheme.HTTP : Scheme.HTTPS,
                    new FetchOrder.Authority(new HostName(host), port),
                    url.getRawQuery() == null ? path : path + "?" + url.getRawQuery());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("url: " + text + EXPECTED, e);
        }
    }

    FetchOrder order(String method) {
        return new FetchOrder(scheme, method, at, target, List.of());
    }
}
