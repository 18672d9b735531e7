package dev.cagewright.egress.here;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// One request of the host's.
///
/// @param method an RFC 9110 token
/// @param target the path, with a query behind `?` where there is one
/// @param body what is sent; empty for nothing. Not changed while it is sent
public record HostRequest(Scheme scheme, String method, String target, List<Header> headers, Optional<byte[]> body) {
    /// How the origin is spoken to.
    public enum Scheme {
        HTTP,
        HTTPS
    }

    /// A field that goes along. Its value may be somebody's token, and is not printed.
    public record Header(String name, String value) {
        /// Those that the connection needs for itself, in small letters.
        private static final Set<String> OF_THE_CONNECTION = Set.of(
                "host",
                "connection",
                "content-length",
                "transfer-encoding",
                "te",
                "trailer",
                "upgrade",
                "expect",
                "keep-alive",
                "proxy-authorization",
                "proxy-connection");

        /// Reads `Name: value`.
        public static Header parse(String text) {
            int colon = text.indexOf(':');
            if (colon < 1 || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw new IllegalArgumentException("--header: (expected: Name: value, without control characters)");
            }
            return new Header(
                    text.substring(0, colon).strip(), text.substring(colon + 1).strip());
        }

        /// May somebody give a field of that name? Not one that has another form, or that the connection needs for
        /// itself.
        public static boolean isFree(String name) {
            return name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}")
                    && !OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
        }

        @Override
        public String toString() {
            return name + ": ...";
        }
    }

    public HostRequest {
        headers = List.copyOf(headers);
    }
}
