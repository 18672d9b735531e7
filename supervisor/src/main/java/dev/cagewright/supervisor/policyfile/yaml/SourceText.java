package dev.cagewright.supervisor.policyfile.yaml;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// The text of one file, checked character by character: UTF-8 (RFC 3629) without a byte that is not,
/// no control characters but tab and line ends, nothing that makes a line look like another. A byte order
/// mark at the start is dropped.
///
/// @param file the file's name as the person gave it, printable
public record SourceText(String file, String text) {
    /// The largest file.
    public static final int MAX_BYTES = 1 << 20;

    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final String SAVE_AS_UTF8 = "save the file as UTF-8";

    /// Empty when there are more than [#MAX_BYTES], or they are no such text; `problems` then says why.
    public static Optional<SourceText> decode(byte[] bytes, Problems problems) {
        if (bytes.length > MAX_BYTES) {
            problems.add(Position.START, "more than 1 MiB", "is this the right file?");
            return Optional.empty();
        }
        return decodeUtf8(bytes, problems)
                .map(text -> new SourceText(problems.file(), text))
                .filter(source -> source.hasOnlyVisibleCharacters(problems));
    }

    private static Optional<String> decodeUtf8(byte[] bytes, Problems problems) {
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        var in = ByteBuffer.wrap(bytes);
        var out = CharBuffer.allocate(bytes.length);
        var result = decoder.decode(in, out, true);
        var text = withoutMark(out.flip().toString());
        if (result.isError()) {
            var hex = HexFormat.ofDelimiter(" ").withUpperCase();
            var wrong = Arrays.copyOfRange(bytes, in.position(), in.position() + result.length());
            problems.add(end(text), "byte " + hex.formatHex(wrong) + " is not UTF-8", SAVE_AS_UTF8);
            return Optional.empty();
        }
        return Optional.of(text);
    }

    private static String withoutMark(String text) {
        return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    private boolean hasOnlyVisibleCharacters(Problems problems) {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int point = text.codePointAt(i);
            if (!StreamReader.isPrintable(point) || misleads(point)) {
                var name = String.format(Locale.ROOT, "U+%04X", point);
                problems.add(
                        end(text.substring(0, i)),
                        "character " + name + " is not allowed here",
                        "remove it; in a quoted value write it as an escape such as \"\\u00e9\"");
                return false;
            }
        }
        return true;
    }

    /// Bidirectional controls (Unicode UAX #9) make a line look like another one; the separators look
    /// like the end of a line to a person and are none in YAML 1.2.
    private static boolean misleads(int point) {
        return (point >= 0x202a && point <= 0x202e)
                || (point >= 0x2066 && point <= 0x2069)
                || point == 0x85
                || point == 0x2028
                || point == 0x2029;
    }

    private static Position end(String text) {
        var starts = lineStarts(text);
        int last = starts[starts.length - 1];
        return new Position(starts.length, text.codePointCount(last, text.length()) + 1);
    }

    private static int[] lineStarts(String text) {
        var starts = new int[text.length() + 1];
        int lines = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || (c == '\r' && !text.startsWith("\n", i + 1))) {
                starts[lines++] = i + 1;
            }
        }
        return Arrays.copyOf(starts, lines);
    }

    /// The lines without their ends, printable, first line first.
    public List<String> lines() {
        var starts = lineStarts(text);
        var lines = new ArrayList<String>(starts.length);
        for (int i = 0; i < starts.length; i++) {
            int end = i + 1 < starts.length ? starts[i + 1] : text.length();
            lines.add(text.substring(starts[i], end).stripTrailing());
        }
        return List.copyOf(lines);
    }
}
