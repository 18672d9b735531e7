package dev.cagewright.policy.document;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.quantity.Field;
import java.util.Optional;
import java.util.regex.Pattern;

/// How the gateway itself gets out: `net.upstream_proxy` and `net.upstream_ca`.
///
/// @param proxy the proxy that every connection to a web host is asked of; absent means that hosts are dialled
/// @param ca a PEM file of the host whose certificates are trusted beside the host's own roots
public record Upstream(Optional<Proxy> proxy, Optional<String> ca) {
    /// Every host is dialled and vouched for by the host's own roots.
    public static final Upstream DIRECT = new Upstream(Optional.empty(), Optional.empty());

    /// An HTTP proxy, spoken to in the clear and asked with `CONNECT`. It has no password: a policy is no place for
    /// one.
    public record Proxy(HostName host, int port) {
        private static final Pattern URL =
                Pattern.compile("http://(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+):([0-9]{1,5})/?");

        /// Reads `http://HOST:PORT`.
        ///
        /// @throws IllegalArgumentException naming `field` and the form
        public static Proxy parse(String field, String text) {
            var url = URL.matcher(text);
            int port = url.matches() ? Integer.parseInt(url.group(2)) : 0;
            if (port < 1 || port > 65_535) {
                throw Field.refusal(field, text, "http://HOST:PORT, without a user and a path");
            }
            return new Proxy(new HostName(url.group(1).replace("[", "").replace("]", "")), port);
        }

        @Override
        public String toString() {
            return "http://" + (host.value().indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    /// An absolute path of a file of the host.
    ///
    /// @throws IllegalArgumentException naming `field`
    public static String file(String field, String text) {
        return Field.hostFile(field, text, "a PEM file");
    }
}
