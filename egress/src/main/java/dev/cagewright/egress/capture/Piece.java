package dev.cagewright.egress.capture;

import dev.cagewright.egress.refusal.Refusal;
import dev.cagewright.egress.upstream.Dialling;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Something that is kept of one exchange, in the order in which it happened.
public sealed interface Piece {
    /// The exchange's number.
    long exchange();

    /// What can be left out without losing an exchange: contents.
    sealed interface Content extends Piece {
        int size();
    }

    /// The cage asked.
    record Asked(long exchange, Instant at, Head.Request head) implements Piece {}

    /// The request may go.
    ///
    /// @param decision its id
    record Allowed(long exchange, String decision) implements Piece {}

    /// The gateway asks the origin; the last one counts.
    ///
    /// @param address that was dialled
    /// @param connection which connection to the origin it went over
    record Sent(long exchange, Head.Request head, String address, String connection) implements Piece {}

    /// A piece of a body as it passed.
    ///
    /// @param bytes not to be moved in
    record Body(long exchange, Way way, ByteBuffer bytes) implements Content {
        @Override
        public int size() {
            return bytes.remaining();
        }
    }

    /// Fields behind a body.
    record Trailers(long exchange, Way way, List<Field> fields) implements Piece {
        public Trailers {
            fields = List.copyOf(fields);
        }
    }

    /// The origin answered.
    ///
    /// @param got as the origin said it
    /// @param told as the cage was told
    record Answered(long exchange, Head.Answer got, Head.Answer told) implements Piece {}

    /// The gateway answered by itself, and the exchange is over for the cage.
    ///
    /// @param told the page's head
    /// @param page its body
    record Refused(long exchange, Instant at, Refusal refusal, Head.Answer told, ByteBuffer page) implements Piece {}

    /// A message of a WebSocket.
    ///
    /// @param opcode RFC 6455 section 5.2: 1 text, 2 binary, 8 close, 9 ping, 10 pong
    /// @param form how the payload is written
    /// @param whole the payload's size, bytes
    /// @param bytes its begin
    record Message(long exchange, Way way, Instant at, int opcode, Form form, long whole, ByteBuffer bytes)
            implements Content {
        @Override
        public int size() {
            return bytes.remaining();
        }
    }

    /// How the payload of a message is written.
    enum Form {
        PLAIN,
        /// RFC 7692, the bit RSV1.
        DEFLATED
    }

    /// The exchange is over, or what is known of it.
    ///
    /// @param state `complete`, `unreached`, `exhausted` or `truncated`
    /// @param why empty for a whole one
    /// @param sizes of bodies as they passed
    /// @param times since it began
    record Ended(
            long exchange,
            String state,
            Optional<String> why,
            Sizes sizes,
            Map<Moment, Duration> times,
            Dialling dialling)
            implements Piece {
        public Ended {
            times = Map.copyOf(times);
        }
    }

    /// What passed, and what of it was to be kept and is not because the disk was slower or there was no room.
    record Sizes(long sent, long received, long missing) {}
}
