package dev.cagewright.egress.here;

import java.util.Optional;

/// What came of a request of the host's.
///
/// @param status of HTTP
/// @param contentType of the answer
/// @param bytes of its body that were handed on
/// @param cut why its body is not whole; empty when it is
public record HostAnswer(int status, Optional<String> contentType, long bytes, Optional<String> cut) {}
