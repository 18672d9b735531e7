package dev.cagewright.egress.websocket;

/// The head of a frame, RFC 6455 section 5.2.
///
/// @param first its first byte: whether it ends a message, what extensions may set, what it is
/// @param mask of the payload in the order it stands; empty where there is none
/// @param length of the payload, bytes; negative where the sender says more than there can be
public record Frame(int first, Mask mask, long length) {
    /// The most of a control frame.
    public static final int MOST_OF_CONTROL = 125;

    static final int FINAL = 0x80;
    static final int CONTINUES = 0;
    static final int CLOSES = 8;
    private static final int RESERVED = 0x70;
    private static final int DEFLATED = 0x40;

    /// What payload is combined with, or nothing. Four bytes in one, the first on top.
    public record Mask(State state, int key) {
        static final Mask NONE = new Mask(State.ABSENT, 0);

        /// Is there one?
        public enum State {
            PRESENT,
            ABSENT
        }

        /// @param at how far into the payload the byte stands
        int over(int octet, long at) {
            return octet ^ (key >>> (24 - 8 * (int) (at & 3)));
        }
    }

    public int opcode() {
        return first & 0xf;
    }

    public boolean isControl() {
        return opcode() >= CLOSES;
    }

    public boolean isFinal() {
        return (first & FINAL) != 0;
    }

    /// Does it begin or go on with a message in `permessage-deflate`, RFC 7692?
    public boolean isDeflated() {
        return (first & DEFLATED) != 0;
    }

    /// Does it say what only an extension could mean, or is it of a kind that is not in use?
    boolean isBeyondUs() {
        return (first & RESERVED) != 0 || (opcode() & 7) > 2;
    }
}
