package dev.cagewright.mcp.judge;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;

/// What asking for a URL or a host would be.
final class HostReadings {
    private static final int LONGEST = 8_192;

    private static final Map<String, Integer> PORTS = Map.of(
            "http", 80, "https", 443, "ws", 80, "wss", 443, "ssh", 22, "git", 9418, "ftp", 21, "ftps", 990, "sftp", 22);

    private HostReadings() {}

    /// @throws OddArgumentException if it has no host that everybody reads alike
    static Action of(ArgumentPlaces.Place place) throws OddArgumentException {
        var text = place.text();
        if (text.length() > LONGEST || text.startsWith("-")) {
            throw new OddArgumentException(place.pointer(), "is no URL and no host");
        }
        try {
            return text.contains("://") ? url(place, new URI(text)) : host(place, new URI("tcp://" + text));
        } catch (URISyntaxException | IllegalArgumentException _) {
            throw new OddArgumentException(
                    place.pointer(),
                    "is no URL and no host that everybody reads alike, such as https://host.test/path");
        }
    }

    private static Action url(ArgumentPlaces.Place place, URI url) throws OddArgumentException {
        var scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        var host = hostOf(place, url);
        int port = url.getPort() > 0 ? url.getPort() : PORTS.getOrDefault(scheme, -1);
        if (port < 0) {
            throw new OddArgumentException(place.pointer(), "is a URL of a scheme without a port of its own");
        }
        boolean isWeb = scheme.startsWith("http") || scheme.startsWith("ws");
        var path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return isWeb ? new Action.HttpRequest("GET", host, port, path) : new Action.NetConnect(host, port);
    }

    private static Action host(ArgumentPlaces.Place place, URI url) throws OddArgumentException {
        boolean isMore = (url.getRawPath() != null && !url.getRawPath().isEmpty())
                || url.getRawQuery() != null
                || url.getRawFragment() != null;
        if (isMore) {
            throw new OddArgumentException(place.pointer(), "is neither a whole URL nor a host alone");
        }
        return new Action.NetConnect(hostOf(place, url), url.getPort() > 0 ? url.getPort() : 443);
    }

    private static HostName hostOf(ArgumentPlaces.Place place, URI url) throws OddArgumentException {
        if (url.getHost() == null || url.getRawUserInfo() != null) {
            throw new OddArgumentException(place.pointer(), "has no host, or a user beside it");
        }
        var host = url.getHost();
        return new HostName(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
    }
}
