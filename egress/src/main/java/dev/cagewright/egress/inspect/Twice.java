package dev.cagewright.egress.inspect;

import java.util.Optional;

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
