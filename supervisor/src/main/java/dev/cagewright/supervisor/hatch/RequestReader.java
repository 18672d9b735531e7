package dev.cagewright.supervisor.hatch;

import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Reads one request as RFC 9112 spells it, more strictly: a body only by its length, no field twice, no folding, no
/// bytes but ASCII before the body. For one thread.
final class RequestReader {
    static final int MOST_HEAD = 16 << 10;
    static final int MOST_FIELDS = 64;

    private final InputStream in;
    private final OutputStream out;
    private final int mostBody;

    /// @param out where whoever waits for a word before it sends its body gets one
    RequestReader(InputStream in, OutputStream out, int mostBody) {
        this.in = in;
        this.out = out;
        this.mostBody = mostBody;
    }

    /// @throws BadRequestException if it is none
    /// @throws IOException if it ends before it is whole
    HatchRequest read() throws BadRequestException, IOException {
        var lines = head().split("\r\n", -1);
        var words = lines[0].split(" ", -1);
        if (words.length != 3) {
            throw new BadRequestException(400, "the first line (expected: a method, a target, HTTP/1.1)");
        }
        if (!words[2].equals("HTTP/1.1") && !words[2].equals("HTTP/1.0")) {
            throw new BadRequestException(505, "the version (expected: HTTP/1.1)");
        }
        if (!words[0].matches("[A-Z]{1,16}")) {
            throw new BadRequestException(400, "the method (expected: GET or POST)");
        }
        if (!words[1].startsWith("/") || !words[1].chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new BadRequestException(400, "the target (expected: a path, visible ASCII)");
        }
        var fields = fields(lines);
        return new HatchRequest(words[0], words[1], fields, body(fields));
    }

    private String head() throws BadRequestException, IOException {
        var head = new ByteArrayOutputStream();
        int matched = 0;
        while (matched < 4) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the request ended before it was whole");
            }
            head.write(next);
            matched = next == "\r\n\r\n".charAt(matched) ? matched + 1 : next == '\r' ? 1 : 0;
            if (head.size() > MOST_HEAD) {
                throw new BadRequestException(431, "the head (expected: at most " + MOST_HEAD + " bytes)");
            }
        }
        var text = head.toString(StandardCharsets.ISO_8859_1);
        return text.substring(0, text.length() - 4);
    }

    private static Map<String, String> fields(String[] lines) throws BadRequestException {
        if (lines.length > MOST_FIELDS + 1) {
            throw new BadRequestException(431, "the fields (expected: at most " + MOST_FIELDS + ")");
        }
        var fields = new HashMap<String, String>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            var name = colon < 0 ? "" : lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
            if (!name.matches("[a-z0-9!#$%&'*+.^_`|~-]{1,64}")
                    || !lines[i].chars().allMatch(c -> (c >= ' ' && c < 0x7f) || c == '\t')) {
                throw new BadRequestException(400, "a field (expected: Name: value, visible ASCII)");
            }
            var value = lines[i].substring(colon + 1).strip();
            if (fields.putIfAbsent(name, value) != null) {
                throw new BadRequestException(400, "the field " + name + " stands twice (expected: once)");
            }
        }
        return fields;
    }

    private ByteString body(Map<String, String> fields) throws BadRequestException, IOException {
        if (fields.containsKey("transfer-encoding")) {
            throw new BadRequestException(411, "Transfer-Encoding (expected: a body with its Content-Length)");
        }
        var text = fields.getOrDefault("content-length", "0");
        if (!text.matches("0|[1-9][0-9]{0,9}")) {
            throw new BadRequestException(400, "Content-Length (expected: a count of bytes)");
        }
        long length = Long.parseLong(text);
        if (length > mostBody) {
            throw new BadRequestException(
                    413, "the body has " + length + " bytes (expected: at most " + mostBody + ")");
        }
        if (fields.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        var body = in.readNBytes((int) length);
        if (body.length < length) {
            throw new IOException("the body ended before it was whole");
        }
        return ByteString.copyOf(body);
    }
}
