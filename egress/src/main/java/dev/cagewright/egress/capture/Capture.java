package dev.cagewright.egress.capture;

/// Takes what is kept of a cage's exchanges. Never blocks; safe for all threads.
public interface Capture {
    /// Keeps nothing.
    Capture NONE = new Capture() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public long bodyLimit() {
            return 0;
        }

        @Override
        public long nextExchange() {
            return 0;
        }

        @Override
        public boolean take(Piece piece) {
            return false;
        }
    };

    /// Is anything kept at all?
    boolean isOn();

    /// The most of each body that is kept, bytes; 0 for none.
    long bodyLimit();

    /// A number for an exchange that begins, from 1.
    long nextExchange();

    /// Takes a piece.
    ///
    /// @return false if it is not kept; the caller counts what is missing
    boolean take(Piece piece);
}
