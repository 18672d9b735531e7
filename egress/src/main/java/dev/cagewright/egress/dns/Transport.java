package dev.cagewright.egress.dns;

/// How a query came.
public enum Transport {
    /// One datagram; the answer may be cut to what the client says it takes.
    UDP,
    /// A stream of messages, each behind its length in two bytes (RFC 1035 section 4.2.2).
    TCP
}
