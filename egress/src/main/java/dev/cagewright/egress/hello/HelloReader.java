package dev.cagewright.egress.hello;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.IpText;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// Reads a whole ClientHello (RFC 8446 section 4.1.2, RFC 5246 section 7.4.1.2). Every length has to fit exactly.
final class HelloReader {
    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;
    /// RFC 9849 section 5.
    private static final int ENCRYPTED_CLIENT_HELLO = 0xfe0d;

    private static final int RANDOM_BYTES = 32;
    private static final int MAX_SESSION_ID = 32;
    private static final int HOST_NAME = 0;

    private Optional<HostName> serverName = Optional.empty();
    private final List<String> alpn = new ArrayList<>();
    private ClientHello.EncryptedHello encrypted = ClientHello.EncryptedHello.ABSENT;

    private HelloReader() {}

    /// A hello that is not as it has to be; `why` is half a sentence.
    private static final class BadHelloException extends Exception {
        private static final long serialVersionUID = 1;

        BadHelloException(String why) {
            super(why);
        }
    }

    static ClientHello read(ByteBuffer body) {
        var reader = new HelloReader();
        try {
            reader.readBody(body);
        } catch (BadHelloException e) {
            return new ClientHello.Malformed(String.valueOf(e.getMessage()));
        } catch (BufferUnderflowException _) {
            return new ClientHello.Malformed("a hello that ends too early");
        }
        return new ClientHello.Hello(reader.serverName, reader.alpn, reader.encrypted);
    }

    private void readBody(ByteBuffer body) throws BadHelloException {
        require(body.get() == 3, "a version that no TLS client has");
        body.get();
        skip(body, RANDOM_BYTES);
        var session = part(body, u8(body));
        require(session.remaining() <= MAX_SESSION_ID, "a session id of " + session.remaining() + " bytes");
        var suites = part(body, u16(body));
        require(suites.hasRemaining() && suites.remaining() % 2 == 0, "cipher suites of odd length, or none");
        require(part(body, u8(body)).hasRemaining(), "no compression method");
        if (body.hasRemaining()) {
            readExtensions(part(body, u16(body)));
        }
        require(!body.hasRemaining(), "bytes behind the extensions");
    }

    private void readExtensions(ByteBuffer extensions) throws BadHelloException {
        var seen = new BitSet();
        while (extensions.hasRemaining()) {
            int type = u16(extensions);
            var data = part(extensions, u16(extensions));
            require(!seen.get(type), "extension " + type + " twice");
            seen.set(type);
            switch (type) {
                case SERVER_NAME -> readServerName(data);
                case ALPN -> readAlpn(data);
                case ENCRYPTED_CLIENT_HELLO -> encrypted = ClientHello.EncryptedHello.OFFERED;
                default -> {
                    // of no interest, and possibly GREASE (RFC 8701)
                }
            }
        }
    }

    /// RFC 6066 section 3: a list of one host name, in ASCII, without a final dot, and no address.
    private void readServerName(ByteBuffer data) throws BadHelloException {
        var list = part(data, u16(data));
        require(!data.hasRemaining() && list.hasRemaining(), "a server name list of another length");
        require(u8(list) == HOST_NAME, "a server name that is no host name");
        var name = ascii(part(list, u16(list)));
        require(!list.hasRemaining(), "more than one server name");
        serverName = Optional.of(hostName(name));
    }

    private static HostName hostName(String name) throws BadHelloException {
        try {
            var host = new HostName(name);
            if (!name.endsWith(".") && name.indexOf(':') < 0 && !IpText.looksNumeric(host.value())) {
                return host;
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw new BadHelloException("a server name that is no DNS name");
    }

    /// RFC 7301 section 3.1.
    private void readAlpn(ByteBuffer data) throws BadHelloException {
        var list = part(data, u16(data));
        require(!data.hasRemaining() && list.hasRemaining(), "a protocol list of another length");
        while (list.hasRemaining()) {
            var protocol = ascii(part(list, u8(list)));
            require(!protocol.isEmpty(), "a protocol without a name");
            if (!isGrease(protocol)) {
                alpn.add(protocol);
            }
        }
    }

    /// RFC 8701 section 2: two equal bytes `?A`.
    private static boolean isGrease(String protocol) {
        return protocol.length() == 2 && protocol.charAt(0) == protocol.charAt(1) && (protocol.charAt(0) & 0xf) == 0xa;
    }

    private static String ascii(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }

    private static int u8(ByteBuffer from) {
        return from.get() & 0xff;
    }

    private static int u16(ByteBuffer from) {
        return from.getShort() & 0xffff;
    }

    private static void skip(ByteBuffer from, int length) {
        part(from, length);
    }

    private static ByteBuffer part(ByteBuffer from, int length) {
        if (length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        var part = from.slice(from.position(), length);
        from.position(from.position() + length);
        return part;
    }

    private static void require(boolean isRight, String why) throws BadHelloException {
        if (!isRight) {
            throw new BadHelloException(why);
        }
    }
}
