package dev.cagewright.audit.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/// One line as it stands in a log. That it parses says nothing about the chain: the verifier does.
public final class LogLine {
    private final byte[] bytes;
    private final long seq;
    private final Instant time;
    private final Event event;

    LogLine(byte[] bytes, long seq, Instant time, Event event) {
        this.bytes = bytes;
        this.seq = seq;
        this.time = time;
        this.event = event;
    }

    /// From 1, without gaps.
    public long seq() {
        return seq;
    }

    /// In microseconds; never before the line above.
    public Instant time() {
        return time;
    }

    public Event event() {
        return event;
    }

    /// The hash of the line above, 64 hexadecimal digits.
    public String prev() {
        return LineFormat.prev(bytes);
    }

    /// This line's hash, 64 hexadecimal digits.
    public String hash() {
        return LineFormat.hash(bytes);
    }

    /// How many bytes the line has, without the line end.
    public int length() {
        return bytes.length;
    }

    /// The exact bytes, without the line end.
    public byte[] bytes() {
        return bytes.clone();
    }

    /// The exact bytes as text, one JSON object.
    public String json() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
