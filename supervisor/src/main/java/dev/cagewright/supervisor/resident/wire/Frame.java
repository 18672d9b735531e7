package dev.cagewright.supervisor.resident.wire;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// One message: a kind, and bytes that belong to nobody else from now on.
public final class Frame {
    /// The most that a frame of a program's bytes carries.
    public static final int MOST_BYTES = 64 << 10;

    /// The most that a question or an answer has: the words and the variables of a program fit in.
    public static final int MOST_WORDS = 8 << 20;

    private static final int NUMBER = 4;

    private final Kind kind;
    private final byte[] bytes;

    private Frame(Kind kind, byte[] bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    /// What a frame is. The letters are the wire's and never change.
    public enum Kind {
        /// A question, JSON; the first of a conversation.
        ASK('Q', MOST_WORDS),
        /// What becomes of it, JSON.
        ANSWER('A', MOST_WORDS),
        /// Something that a person should hear meanwhile, JSON: a list of sentences.
        TOLD('N', MOST_WORDS),
        /// For a program's standard input.
        INPUT('I', MOST_BYTES),
        /// There is no more of that.
        INPUT_END('E', 0),
        /// The person's terminal has another size: rows times 65536 plus columns.
        SIZE('R', NUMBER),
        /// A signal for the program, by number.
        SIGNAL('S', NUMBER),
        /// From its standard output.
        OUT('O', MOST_BYTES),
        /// From its error output.
        ERR('X', MOST_BYTES),
        /// It has stopped on its terminal.
        STOPPED('T', 0),
        /// So many more bytes of input are welcome.
        ROOM('W', NUMBER),
        /// How it ended, JSON; the last of a conversation.
        END('Z', MOST_WORDS);

        private final byte letter;
        private final int most;

        Kind(char letter, int most) {
            this.letter = (byte) letter;
            this.most = most;
        }

        byte letter() {
            return letter;
        }

        int most() {
            return most;
        }

        static Kind of(byte letter) throws IOException {
            return Arrays.stream(values())
                    .filter(kind -> kind.letter == letter)
                    .findFirst()
                    .orElseThrow(() -> new IOException("a frame of no known kind"));
        }
    }

    /// A frame of these bytes.
    ///
    /// @param bytes the frame's from now on
    /// @throws IllegalArgumentException if there are too many
    public static Frame of(Kind kind, byte[] bytes) {
        if (bytes.length > kind.most()) {
            throw new IllegalArgumentException(
                    kind + ": " + bytes.length + " bytes (expected: at most " + kind.most() + ")");
        }
        return new Frame(kind, bytes);
    }

    public static Frame of(Kind kind, JsonObject json) {
        return of(kind, json.bytes());
    }

    public static Frame of(Kind kind, int number) {
        return of(kind, ByteBuffer.allocate(NUMBER).putInt(number).array());
    }

    public Kind kind() {
        return kind;
    }

    public byte[] bytes() {
        return bytes;
    }

    /// The number that it carries.
    ///
    /// @throws IOException if it carries none
    public int number() throws IOException {
        if (bytes.length != NUMBER) {
            throw new IOException("a frame " + kind + " of " + bytes.length + " bytes (expected: a number)");
        }
        return ByteBuffer.wrap(bytes).getInt();
    }

    /// The JSON that it carries.
    ///
    /// @throws IOException if it carries none
    public JsonObject json() throws IOException {
        try {
            if (Json.parse(bytes, MOST_WORDS) instanceof JsonObject json) {
                return json;
            }
        } catch (JsonSyntaxException e) {
            throw new IOException("a frame " + kind + ": " + e.getMessage(), e);
        }
        throw new IOException("a frame " + kind + " that is no JSON object");
    }
}
