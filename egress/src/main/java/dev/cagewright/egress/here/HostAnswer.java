package dev.cagewright.egress.here;

import java.util.List;
import java.util.Optional;

/// What came of a request of the host's.
///
/// @param status of HTTP
/// @param contentType of the answer
/// @param headers as they came, without those that belong to the connection; at most [#MOST_HEADERS]
/// @param bytes of its body that were handed on
/// @param cut why its body is not whole; empty when it is
public record HostAnswer(
        int status, Optional<String> contentType, List<HostRequest.Header> headers, long bytes, Optional<String> cut) {
    static final int MOST_HEADERS = 200;

    /// What comes before a body, with the same members.
    public record Head(int status, Optional<String> contentType, List<HostRequest.Header> headers) {
        public Head {
            headers = List.copyOf(headers);
        }

        /// The first field of that name, in any case.
        public Optional<String> field(String name) {
            return headers.stream()
                    .filter(header -> header.name().equalsIgnoreCase(name))
                    .map(HostRequest.Header::value)
                    .findFirst();
        }
    }

    public HostAnswer {
        headers = List.copyOf(headers);
    }
}
