package dev.cagewright.egress.hello;

import dev.cagewright.policy.action.HostName;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Optional;

/// What the first bytes of a connection are (RFC 8446 sections 4.1.2 and 5.1), whole or not: a ClientHello may come in
/// several records and a record in several segments.
///
/// Whoever reads gives all bytes of the connection so far each time. Nothing is consumed or kept, nothing is thrown,
/// and
/// the work is linear in the bytes; at [#MAX_BYTES] a hello that is still not whole is malformed.
public sealed interface ClientHello {
    /// As much as one handshake message takes in the TLS libraries in use; a hello with post-quantum keys has 2 KiB.
    int MAX_BYTES = 65_536;

    /// Too few bytes to say.
    ///
    /// @param wanted bytes that have to be there, from the first, before asking again can say more
    record Incomplete(int wanted) implements ClientHello {}

    /// The first bytes are no TLS handshake: another protocol, whose bytes these are.
    record NotTls() implements ClientHello {}

    /// It began as TLS and is none; `why` is half a sentence.
    record Malformed(String why) implements ClientHello {}

    /// A whole ClientHello.
    ///
    /// @param serverName the host of the server name extension (RFC 6066 section 3)
    /// @param alpn protocols in the client's order (RFC 7301), e.g. `h2`, one character a byte; without GREASE
    record Hello(Optional<HostName> serverName, List<String> alpn, EncryptedHello encrypted) implements ClientHello {
        public Hello {
            alpn = List.copyOf(alpn);
        }
    }

    /// Is there a second hello inside, in which another name may stand (RFC 9849)? A made-up one for the sake of
    /// variety
    /// looks the same.
    enum EncryptedHello {
        ABSENT,
        OFFERED
    }

    /// Reads from the reader index of `in`, which stays where it is.
    static ClientHello read(ByteBuf in) {
        return Records.read(in);
    }
}
