package dev.cagewright.egress.dns;

/// The record types and classes that matter here (IANA, Domain Name System Parameters).
final class Type {
    static final int A = 1;
    static final int SOA = 6;
    static final int PTR = 12;
    static final int AAAA = 28;
    static final int OPT = 41;
    static final int SVCB = 64;
    static final int HTTPS = 65;
    /// From here to [#MAILA] the types ask for a transfer or a mailbox list (RFC 5936, RFC 1035).
    static final int IXFR = 251;

    static final int MAILA = 254;

    static final int CLASS_IN = 1;

    private Type() {}
}
