package dev.cagewright.egress.here;

import java.util.List;
import java.util.Optional;

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

    /// A field that goes along.
    public record Header(String name, String value) {
        /// Reads `Name: value`.
        public static Header parse(String text) {
            int colon = text.indexOf(':');
            if (colon < 1 || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw new IllegalArgumentException("--header: (expected: Name: value, without control characters)");
            }
            return new Header(
                    text.substring(0, colon).strip(), text.substring(colon + 1).strip());
        }
    }

    public HostRequest {
        headers = List.copyOf(headers);
    }
}
