package dev.cagewright.mcp.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/// Cuts a stream of server-sent events (HTML, "Server-sent events") into events, none longer than a bound: lines end by
/// CR, LF or both, a mark at the start and comments are left out, and so is an event that does not end. For one thread.
final class EventParser extends OutputStream {
    /// The longest pause that a server may wish for.
    static final Duration LONGEST_RETRY = Duration.ofMinutes(5);

    private static final int LONGEST_ID = 1_024;
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final int most;
    private final Taker taker;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private String type = "";
    private boolean hasData;
    private boolean isAfterReturn;
    private boolean isBegun;
    private Optional<String> id = Optional.empty();
    private volatile Optional<String> lastId = Optional.empty();
    private volatile Optional<Duration> retry = Optional.empty();

    /// Who has the events.
    @FunctionalInterface
    interface Taker {
        /// An event came.
        ///
        /// @param type as the stream says it; empty where it says nothing
        /// @param data what the lines come to, perhaps nothing
        /// @throws IOException if no more is wanted
        void event(String type, byte[] data) throws IOException;
    }

    /// @param most the longest event, bytes
    EventParser(int most, Taker taker) {
        this.most = most;
        this.taker = taker;
    }

    /// The `id` of the last event that was whole, if it can stand in a header.
    Optional<String> lastId() {
        return lastId;
    }

    /// How long the server wants to be left alone.
    Optional<Duration> retry() {
        return retry;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int at, int count) throws IOException {
        Objects.checkFromIndexSize(at, count, from.length);
        int begin = at;
        for (int here = at; here < at + count; here++) {
            byte one = from[here];
            if (one == '\n' || one == '\r') {
                keep(from, begin, here - begin);
                begin = here + 1;
                ended(one);
                isAfterReturn = one == '\r';
            } else {
                isAfterReturn = false;
            }
        }
        keep(from, begin, at + count - begin);
    }

    private void keep(byte[] from, int at, int count) throws IOException {
        if (line.size() + data.size() + count > most) {
            throw new UnreadableException("sent an event of more than " + most + " bytes");
        }
        line.write(from, at, count);
    }

    private void ended(byte end) throws IOException {
        if (end == '\n' && isAfterReturn) {
            return; // the second half of CRLF
        }
        var bytes = line.toByteArray();
        line.reset();
        if (!isBegun && Arrays.equals(bytes, 0, Math.min(MARK.length, bytes.length), MARK, 0, MARK.length)) {
            bytes = Arrays.copyOfRange(bytes, MARK.length, bytes.length);
        }
        isBegun = true;
        if (bytes.length == 0) {
            dispatch();
        } else if (bytes[0] != ':') {
            field(bytes);
        }
    }

    private void field(byte[] bytes) {
        int colon = 0;
        while (colon < bytes.length && bytes[colon] != ':') {
            colon++;
        }
        int value = colon + 1 < bytes.length && bytes[colon + 1] == ' ' ? colon + 2 : Math.min(colon + 1, bytes.length);
        var name = new String(bytes, 0, colon, StandardCharsets.UTF_8);
        if (name.equals("data")) {
            if (hasData) {
                data.write('\n');
            }
            hasData = true;
            data.write(bytes, value, bytes.length - value);
            return;
        }
        if (bytes.length - value > LONGEST_ID) {
            return; // nothing that is known is so long
        }
        var text = new String(bytes, value, bytes.length - value, StandardCharsets.UTF_8);
        switch (name) {
            case "event" -> type = text;
            case "id" -> id = Optional.of(text).filter(EventParser::fits);
            case "retry" -> retry = text.matches("[0-9]{1,9}") ? Optional.of(bounded(text)) : retry;
            default -> {
                return; // as the standard has it
            }
        }
    }

    /// May it stand in a header?
    private static boolean fits(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    private static Duration bounded(String millis) {
        var wished = Duration.ofMillis(Long.parseLong(millis));
        return wished.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : wished;
    }

    private void dispatch() throws IOException {
        var whole = data.toByteArray();
        var named = type;
        data.reset();
        hasData = false;
        type = "";
        lastId = id.or(() -> lastId);
        taker.event(named, whole);
    }
}
