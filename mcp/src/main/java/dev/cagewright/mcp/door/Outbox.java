package dev.cagewright.mcp.door;

/// The way back to a client. Safe for all threads; what is sent after its end goes nowhere.
public interface Outbox {
    /// Where nobody waits.
    Outbox NOWHERE = new Outbox() {
        @Override
        public void answer(Frame frame) {}

        @Override
        public void noAnswer() {}

        @Override
        public void ask(Frame frame) {}

        @Override
        public void tell(Frame frame) {}
    };

    /// Sends what a request came to. Waits itself while the client is slow, but never for ever.
    ///
    /// @param frame a message, or an array of them
    void answer(Frame frame);

    /// Sends the answer to what the door itself refuses, before anybody has worked on it.
    default void refuse(Frame frame) {
        answer(frame);
    }

    /// Can the client be asked something on this way?
    default boolean canAsk() {
        return true;
    }

    /// A request will have no answer: the client took it back.
    void noAnswer();

    /// Asks the client something, as the answers are sent.
    void ask(Frame frame);

    /// Tells what the client can do without: left out if the client is slow.
    void tell(Frame frame);
}
