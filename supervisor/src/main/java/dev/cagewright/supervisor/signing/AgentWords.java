package dev.cagewright.supervisor.signing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Messages of the ssh agent's protocol (draft-ietf-sshm-ssh-agent, PROTOCOL.agent of OpenSSH): four bytes of length, a
/// byte that says what it is, and strings with their length before them (RFC 4251 section 5).
final class AgentWords {
    static final byte FAILURE = 5;
    static final byte REQUEST_IDENTITIES = 11;
    static final byte IDENTITIES_ANSWER = 12;
    static final byte SIGN_REQUEST = 13;
    static final byte SIGN_RESPONSE = 14;

    /// `SSH_AGENT_MAX_LEN` of OpenSSH.
    static final int MOST = 256 * 1024;

    private AgentWords() {}

    /// The next message without its length; empty where the other side has ended.
    ///
    /// @param most its greatest length
    /// @throws IOException if it is longer, empty or cut
    static Optional<byte[]> read(InputStream in, int most) throws IOException {
        var data = new DataInputStream(in);
        int first = data.read();
        if (first < 0) {
            return Optional.empty();
        }
        int length = (first << 24) | (data.readUnsignedByte() << 16) | data.readUnsignedShort();
        if (length < 1 || length > most) {
            throw new IOException(
                    "a message of " + Integer.toUnsignedString(length) + " bytes (expected: 1 to " + most + ")");
        }
        var message = data.readNBytes(length);
        if (message.length < length) {
            throw new EOFException("a message ends before its end");
        }
        return Optional.of(message);
    }

    /// A message as it goes over the wire.
    static byte[] framed(byte[] message) {
        return ByteBuffer.allocate(4 + message.length)
                .putInt(message.length)
                .put(message)
                .array();
    }

    /// Says no, whatever was asked.
    static byte[] failure() {
        return new byte[] {FAILURE};
    }

    /// Reads what is in a message.
    static final class Reader {
        private final ByteBuffer rest;

        Reader(byte[] message, int from) {
            this.rest = ByteBuffer.wrap(message, from, message.length - from).slice();
        }

        /// @throws IllegalArgumentException if it ends before that
        byte[] string() {
            long length = Integer.toUnsignedLong(number());
            if (length > rest.remaining()) {
                throw new IllegalArgumentException("a string ends before its end");
            }
            var bytes = new byte[(int) length];
            rest.get(bytes);
            return bytes;
        }

        int number() {
            if (rest.remaining() < Integer.BYTES) {
                throw new IllegalArgumentException("a number ends before its end");
            }
            return rest.getInt();
        }

        /// @throws IllegalArgumentException if something follows
        void end() {
            if (rest.hasRemaining()) {
                throw new IllegalArgumentException(rest.remaining() + " bytes follow");
            }
        }
    }

    /// Writes a message.
    static final class Writer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Writer(byte kind) {
            bytes.write(kind);
        }

        Writer number(int number) {
            bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
            return this;
        }

        Writer string(byte[] string) {
            number(string.length);
            bytes.writeBytes(string);
            return this;
        }

        byte[] message() {
            return bytes.toByteArray();
        }
    }
}
