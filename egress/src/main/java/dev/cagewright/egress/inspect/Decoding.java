package dev.cagewright.egress.inspect;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// Undoes the content coding of a body (RFC 9110 section 8.4), piece by piece. For one thread at a time; closing it
/// gives memory back.
public interface Decoding extends AutoCloseable {
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

    /// What undoes the codings of an answer to the cage, which may expand as far as they like: whoever asked for it has
    /// its budget, and nothing of it is kept.
    ///
    /// @param codings as `Content-Encoding` has them, in the order in which they were applied
    /// @throws UnreadableException if one of them is none that can be decoded here
    static Decoding ofAnswer(String codings) throws UnreadableException {
        return of(codings, Inflating::unbounded);
    }

    /// What undoes the codings of a request, as far as it does not expand out of all proportion.
    ///
    /// @param codings as for an answer
    /// @throws UnreadableException if one of them is none that can be decoded here
    static Decoding ofRequest(String codings) throws UnreadableException {
        return of(codings, Inflating::new);
    }

    private static Decoding of(String codings, Function<Inflating.Wrapping, Inflating> inflating)
            throws UnreadableException {
        Decoding whole = new Plain();
        for (String coding : codings.toLowerCase(Locale.ROOT).split(",", MOST_CODINGS + 2)) {
            whole = switch (coding.strip()) {
                case "", "identity" -> whole;
                case "gzip", "x-gzip" -> before(inflating.apply(Inflating.Wrapping.GZIP), whole);
                case "deflate" -> before(inflating.apply(Inflating.Wrapping.ZLIB), whole);
                default -> throw new UnreadableException("body.coding");
            };
        }
        return whole;
    }

    /// More codings than this, one in the other, are nobody's.
    int MOST_CODINGS = 3;

    /// The coding that was applied last is undone first.
    private static Decoding before(Decoding last, Decoding rest) {
        return rest instanceof Plain ? last : new Twice(last, rest);
    }

    /// As it is.
    final class Plain implements Decoding {
        public Plain() {}

        @Override
        public void next(byte[] bytes, int from, int to, Sink sink) {
            sink.take(bytes, from, to);
        }

        @Override
        public void end() {}

        @Override
        public void close() {}
    }

    /// Two codings, one in the other.
    ///
    /// @param outer undone first
    record Twice(Decoding outer, Decoding inner) implements Decoding {
        @Override
        public void next(byte[] bytes, int from, int to, Sink sink) throws UnreadableException {
            var between = new Between(sink);
            outer.next(bytes, from, to, between);
            between.rethrow();
        }

        /// Hands on; what cannot be read is thrown once the outer one is through.
        private final class Between implements Sink {
            private final Sink sink;
            private Optional<UnreadableException> failure = Optional.empty();

            Between(Sink sink) {
                this.sink = sink;
            }

            @Override
            public void take(byte[] bytes, int from, int to) {
                if (failure.isEmpty()) {
                    try {
                        inner.next(bytes, from, to, sink);
                    } catch (UnreadableException e) {
                        failure = Optional.of(e);
                    }
                }
            }

            void rethrow() throws UnreadableException {
                if (failure.isPresent()) {
                    throw failure.get();
                }
            }
        }

        @Override
        public void end() throws UnreadableException {
            outer.end();
            inner.end();
        }

        @Override
        public void close() {
            outer.close();
            inner.close();
        }
    }
}
