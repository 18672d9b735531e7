package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// URLs as an archive has them.
final class HarUrl {
    private static final String NOT_IN_A_URL = " \"<>\\^`{|}";

    private HarUrl() {}

    /// With what may not stand in a URL in hexadecimal. Its characters are bytes.
    static String of(String url) {
        var out = new StringBuilder(url.length());
        for (int i = 0; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c > ' ' && c < 0x7f && NOT_IN_A_URL.indexOf(c) < 0) {
                out.append(c);
            } else {
                out.append('%').append(Character.toUpperCase(Character.forDigit((c >> 4) & 0xf, 16)));
                out.append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
            }
        }
        return out.toString();
    }

    /// The parameters of a URL, or of a form.
    static JsonArray parameters(String query) {
        var array = Json.array();
        for (String part : query.split("&", -1)) {
            if (!part.isEmpty()) {
                int equals = part.indexOf('=');
                array.add(Json.object()
                        .put("name", plain(equals < 0 ? part : part.substring(0, equals)))
                        .put("value", equals < 0 ? "" : plain(part.substring(equals + 1)))
                        .build());
            }
        }
        return array.build();
    }

    /// The query of a URL, without its mark.
    static String query(String url) {
        int fragment = url.indexOf('#');
        var whole = fragment < 0 ? url : url.substring(0, fragment);
        int mark = whole.indexOf('?');
        return mark < 0 ? "" : whole.substring(mark + 1);
    }

    /// Without hexadecimal, where that is text.
    private static String plain(String coded) {
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < coded.length(); i++) {
            char c = coded.charAt(i);
            int high = i + 2 < coded.length() ? Character.digit(coded.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(coded.charAt(i + 2), 16);
            if (c == '%' && low >= 0) {
                out.write((high << 4) | low);
                i += 2;
            } else if (c < 0x80) {
                out.write(c == '+' ? ' ' : c);
            } else {
                out.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out.toByteArray()))
                    .toString();
        } catch (CharacterCodingException _) {
            return coded;
        }
    }
}
