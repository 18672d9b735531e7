package dev.cagewright.secrets.aws;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What is signed of a request.
///
/// @param target path and query as they are sent
/// @param fields in their order
/// @param payload the hash of the body in hex, or what stands for it in `x-amz-content-sha256`
public record AwsRequest(String method, String target, List<Map.Entry<String, String>> fields, String payload) {
    private static final HexFormat DIGITS = HexFormat.of().withUpperCase();
    private static final String UNRESERVED = "-._~";

    public AwsRequest {
        fields = List.copyOf(fields);
    }

    /// How path and query are written before they are signed.
    public enum PathForm {
        /// By S3.
        ONCE,
        /// By all others: the path is encoded once more.
        TWICE,
        /// As `ONCE`, by clients that take what they send as it is.
        ONCE_AS_SENT,
        /// As `TWICE`, by such clients.
        TWICE_AS_SENT;

        private boolean isAsSent() {
            return this == ONCE_AS_SENT || this == TWICE_AS_SENT;
        }

        private boolean isTwice() {
            return this == TWICE || this == TWICE_AS_SENT;
        }
    }

    /// When it was signed, as `x-amz-date` has it; empty if nothing says so.
    Optional<String> date() {
        return fields.stream()
                .filter(field -> field.getKey().equalsIgnoreCase("x-amz-date"))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /// The canonical request.
    String canonical(List<String> signed, PathForm form) {
        int mark = target.indexOf('?');
        var path = mark < 0 ? target : target.substring(0, mark);
        var query = mark < 0 ? "" : target.substring(mark + 1);
        var once = form.isAsSent() ? path : encoded(decoded(path), UNRESERVED + "/");
        var twice = encoded(once.getBytes(StandardCharsets.ISO_8859_1), UNRESERVED + "/");
        return method + "\n" + (form.isTwice() ? twice : once) + "\n" + query(query, form) + "\n"
                + signed.stream().map(name -> name + ":" + value(name) + "\n").collect(Collectors.joining())
                + "\n" + String.join(";", signed) + "\n" + payload;
    }

    private String value(String name) {
        return fields.stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(field -> field.getValue().strip().replaceAll(" +", " "))
                .collect(Collectors.joining(","));
    }

    private static String query(String query, PathForm form) {
        if (query.isEmpty()) {
            return "";
        }
        var pairs = new ArrayList<String[]>();
        for (String pair : query.split("&", -1)) {
            int mark = pair.indexOf('=');
            var name = mark < 0 ? pair : pair.substring(0, mark);
            var value = mark < 0 ? "" : pair.substring(mark + 1);
            pairs.add(
                    form.isAsSent()
                            ? new String[] {name, value}
                            : new String[] {encoded(decoded(name), UNRESERVED), encoded(decoded(value), UNRESERVED)});
        }
        pairs.sort(Arrays::compare);
        return pairs.stream().map(pair -> pair[0] + "=" + pair[1]).collect(Collectors.joining("&"));
    }

    private static byte[] decoded(String text) {
        var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        var out = new byte[bytes.length];
        int size = 0;
        for (int at = 0; at < bytes.length; at++) {
            boolean isCode = bytes[at] == '%'
                    && at + 2 < bytes.length
                    && HexFormat.isHexDigit(bytes[at + 1])
                    && HexFormat.isHexDigit(bytes[at + 2]);
            if (isCode) {
                out[size++] = (byte) HexFormat.fromHexDigits(text, at + 1, at + 3);
                at += 2;
            } else {
                out[size++] = bytes[at];
            }
        }
        return Arrays.copyOf(out, size);
    }

    private static String encoded(byte[] bytes, String kept) {
        var out = new StringBuilder();
        for (byte each : bytes) {
            boolean isLetter = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
            if (isLetter || (each >= '0' && each <= '9') || (each > 0 && kept.indexOf(each) >= 0)) {
                out.append((char) each);
            } else {
                out.append('%').append(DIGITS.toHexDigits(each));
            }
        }
        return out.toString();
    }

    /// Fields hold secrets.
    @Override
    public String toString() {
        return "(a request to be signed)";
    }
}
