package dev.cagewright.mcp.door;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.rpc.Message;
import java.util.OptionalLong;

/// What goes to a client at once, written already: a message, or an array of them.
public final class Frame {
    private final JsonValue json;
    private final byte[] bytes;
    private final OptionalLong code;

    private Frame(JsonValue json, OptionalLong code) {
        this.json = json;
        this.code = code;
        this.bytes = json.bytes();
    }

    /// One message.
    ///
    /// @throws IllegalStateException if it nests too deep to be written
    public static Frame of(Message message) {
        return new Frame(
                message.json(),
                message instanceof Message.Failure failure
                        ? OptionalLong.of(failure.error().code())
                        : OptionalLong.empty());
    }

    /// @throws IllegalStateException if it nests too deep to be written
    static Frame of(JsonArray messages) {
        return new Frame(messages, OptionalLong.empty());
    }

    JsonValue json() {
        return json;
    }

    /// Of the error that this is; empty if it is none.
    public OptionalLong code() {
        return code;
    }

    /// UTF-8 without a line end anywhere. Not to be changed.
    public byte[] bytes() {
        return bytes;
    }
}
