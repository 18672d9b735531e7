package dev.cagewright.egress.inspect;

import java.util.Locale;

/// Undoes the content coding of a body (RFC 9110 section 8.4), piece by piece. For one thread at a time; closing it
/// gives memory back.
interface Decoding extends AutoCloseable {
    /// Takes what was decoded.
    @FunctionalInterface
    interface Sink {
        void take(byte[] bytes, int from, int to);
    }

    /// Decodes the next piece.
    ///
    /// @throws UnreadableException if it cannot be
    void next(byte[] bytes, int from, int to, Sink sink) throws UnreadableException;

    /// The body is over.
    ///
    /// @throws UnreadableException if something is missing
    void end() throws UnreadableException;

    @Override
    void close();

    /// The decoding of a message's body.
    ///
    /// @throws UnreadableException if nobody here can decode it
    static Decoding of(Message message) throws UnreadableException {
        var coding = message.field("content-encoding").orElse("").strip().toLowerCase(Locale.ROOT);
        return switch (coding) {
            case "", "identity" -> new Plain();
            case "gzip", "x-gzip" -> new Inflating(Inflating.Wrapping.GZIP);
            case "deflate" -> new Inflating(Inflating.Wrapping.ZLIB);
            default -> throw new UnreadableException("body.coding");
        };
    }

    /// As it is.
    final class Plain implements Decoding {
        @Override
        public void next(byte[] bytes, int from, int to, Sink sink) {
            sink.take(bytes, from, to);
        }

        @Override
        public void end() {}

        @Override
        public void close() {}
    }
}
