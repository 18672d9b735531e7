package dev.cagewright.egress.relay;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One message of HTTP/1.1, read by the letter of RFC 9112 and of nothing else: whatever is not exactly as it has to be
/// is an [IllegalArgumentException]. Shares no code with the product.
///
/// @param fields `name: value`, names in small letters, in order
/// @param trailers the same behind the body
record StrictMessage(String startLine, List<String> fields, String body, List<String> trailers) {

    /// The messages that `bytes` are, to the last byte.
    ///
    /// @param framing what a head without a length means
    static List<StrictMessage> all(byte[] bytes, Rest framing) {
        var reader = new Reader(new String(bytes, StandardCharsets.ISO_8859_1), framing);
        var all = new ArrayList<StrictMessage>();
        while (reader.at < reader.text.length()) {
            all.add(reader.message());
        }
        return all;
    }

    /// What a head without a length means.
    enum Rest {
        /// As in a request.
        NO_BODY,
        /// As in an answer.
        UNTIL_THE_END
    }

    /// The value of a field that stands there once; empty without.
    String value(String name) {
        var values =
                fields.stream().filter(field -> field.startsWith(name + ": ")).toList();
        require(values.size() <= 1, "one " + name + ", not " + values);
        return values.isEmpty() ? "" : values.getFirst().substring(name.length() + 2);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("expected: " + what);
        }
    }

    private static final class Reader {
        final String text;
        final Rest rest;
        int at;

        Reader(String text, Rest rest) {
            this.text = text;
            this.rest = rest;
        }

        String line() {
            int end = text.indexOf('\n', at);
            require(end > at && text.charAt(end - 1) == '\r', "a line with its end");
            var line = text.substring(at, end - 1);
            require(line.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f)), "no control character: " + line);
            at = end + 1;
            return line;
        }

        List<String> fields() {
            var fields = new ArrayList<String>();
            for (var line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                require(
                        colon > 0 && line.substring(0, colon).matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+"),
                        "a name: " + line);
                var value = line.substring(colon + 1);
                require(value.isEmpty() || value.startsWith(" "), "one blank: " + line);
                fields.add(line.substring(0, colon).toLowerCase(Locale.ROOT) + ": " + value.strip());
            }
            return fields;
        }

        StrictMessage message() {
            var start = line();
            require(start.split(" ", -1).length >= 3, "three words: " + start);
            var head = new StrictMessage(start, fields(), "", List.of());
            var length = head.value("content-length");
            var coding = head.value("transfer-encoding");
            require(length.isEmpty() || coding.isEmpty(), "one length");
            if (!coding.isEmpty()) {
                require(coding.equals("chunked"), "chunked, not " + coding);
                var body = chunks();
                return new StrictMessage(start, head.fields(), body, fields());
            }
            int size = length.isEmpty() ? rest == Rest.NO_BODY ? 0 : text.length() - at : Integer.parseInt(length);
            require(at + size <= text.length(), "a whole body");
            at += size;
            return new StrictMessage(start, head.fields(), text.substring(at - size, at), List.of());
        }

        private String chunks() {
            var body = new ByteArrayOutputStream();
            while (true) {
                var size = line();
                require(size.matches("[0-9a-f]+"), "a size: " + size);
                int count = Integer.parseInt(size, 16);
                if (count == 0) {
                    return body.toString(StandardCharsets.ISO_8859_1);
                }
                require(at + count <= text.length(), "a whole chunk");
                body.writeBytes(text.substring(at, at + count).getBytes(StandardCharsets.ISO_8859_1));
                at += count;
                require(line().isEmpty(), "the end of a chunk");
            }
        }
    }
}
