package dev.cagewright.egress.dns;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import java.util.Optional;

/// What a question is answered with.
///
/// @param record the one record of it, if any
/// @param remark an extended DNS error for clients that sent an OPT record
record Answer(ResponseCode code, Optional<Data> record, Optional<Remark> remark) {

    /// What a record says.
    sealed interface Data {
        record Address(IpAddress address) implements Data {}

        record Name(HostName name) implements Data {}
    }

    /// RFC 8914.
    ///
    /// @param code its info code
    record Remark(int code, String text) {
        /// Section 4.1: something else, told by the text.
        static final int OTHER = 0;
        /// Section 4.16: blocked by the security policy of whoever runs the server.
        static final int BLOCKED = 15;
    }

    static final Answer NODATA = of(ResponseCode.NOERROR);
    static final Answer NXDOMAIN = of(ResponseCode.NXDOMAIN);

    static Answer of(ResponseCode code) {
        return new Answer(code, Optional.empty(), Optional.empty());
    }

    static Answer of(Data data) {
        return new Answer(ResponseCode.NOERROR, Optional.of(data), Optional.empty());
    }

    Answer with(Remark told) {
        return new Answer(code, record, Optional.of(told));
    }
}
