package dev.cagewright.mcp.http;

import dev.cagewright.mcp.door.Frame;
import dev.cagewright.supervisor.hatch.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Messages as server-sent events, each one `data` line: HTML Living Standard, section 9.2. For one thread.
final class EventStream {
    /// How long nothing is sent at most, so that a client sees that the stream lives.
    static final Duration BREATH = Duration.ofSeconds(15);

    private static final byte[] BEFORE = "event: message\ndata: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AFTER = "\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Reply reply;

    private EventStream(Reply reply) {
        this.reply = reply;
    }

    static EventStream begin(Reply reply, Map<String, String> fields) throws IOException {
        var all = new LinkedHashMap<>(fields);
        all.put("X-Accel-Buffering", "no");
        reply.begin(Accepted.EVENTS, all);
        return new EventStream(reply);
    }

    void event(Frame frame) throws IOException {
        var text = frame.bytes();
        var event = new byte[BEFORE.length + text.length + AFTER.length];
        System.arraycopy(BEFORE, 0, event, 0, BEFORE.length);
        System.arraycopy(text, 0, event, BEFORE.length, text.length);
        System.arraycopy(AFTER, 0, event, BEFORE.length + text.length, AFTER.length);
        reply.more(event);
    }

    /// Sends what says nothing.
    void breathe() throws IOException {
        reply.more(COMMENT);
    }
}
