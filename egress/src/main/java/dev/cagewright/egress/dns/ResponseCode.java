package dev.cagewright.egress.dns;

/// RCODEs (RFC 1035 section 4.1.1, RFC 6891 section 9).
enum ResponseCode {
    NOERROR(0),
    FORMERR(1),
    SERVFAIL(2),
    NXDOMAIN(3),
    NOTIMP(4),
    REFUSED(5),
    /// Its upper bits stand in the OPT record.
    BADVERS(16);

    private final int value;

    ResponseCode(int value) {
        this.value = value;
    }

    int lowBits() {
        return value & 0xf;
    }

    int highBits() {
        return value >> 4;
    }
}
