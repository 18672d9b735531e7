package dev.cagewright.egress.dns;

import java.nio.ByteBuffer;
import java.util.Optional;

/// A message that came as a query, as far as it can be read.
sealed interface Query {
    /// Far more than a question and an OPT record with padding need.
    int MAX_BYTES = 4096;

    /// Nothing that one may answer: cut before its header ends, or itself an answer.
    record Noise() implements Query {}

    /// Answered with a code alone.
    record Malformed(Header header, ResponseCode code) implements Query {}

    record Asked(Header header, Question question, Optional<Edns> edns) implements Query {}

    /// Reads any bytes.
    static Query read(byte[] message) {
        if (message.length < Header.BYTES) {
            return new Noise();
        }
        var from = ByteBuffer.wrap(message);
        var header = Header.read(from);
        if (header.isResponse()) {
            return new Noise();
        }
        if (!header.isStandardQuery()) {
            return new Malformed(header, ResponseCode.NOTIMP);
        }
        if (message.length > MAX_BYTES || !header.hasShapeOfQuestion()) {
            return new Malformed(header, ResponseCode.FORMERR);
        }
        return Question.read(from)
                .map(question -> withEdns(header, question, from))
                .orElse(new Malformed(header, ResponseCode.FORMERR));
    }

    private static Query withEdns(Header header, Question question, ByteBuffer rest) {
        if (header.additionals() == 0) {
            return rest.hasRemaining()
                    ? new Malformed(header, ResponseCode.FORMERR)
                    : new Asked(header, question, Optional.empty());
        }
        var edns = Edns.read(rest);
        return edns.isEmpty() ? new Malformed(header, ResponseCode.FORMERR) : new Asked(header, question, edns);
    }
}
