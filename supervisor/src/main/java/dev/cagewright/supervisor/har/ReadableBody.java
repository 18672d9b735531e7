package dev.cagewright.supervisor.har;

import dev.cagewright.egress.capture.Field;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/// A body for reading: gzip and deflate are undone within bounds, other codings stay and are told; text is text, all
/// else
/// base64.
///
/// @param text as it stands in the archive
/// @param form how the text stands for the body
/// @param size of what was decoded, bytes; of all of it as far as that is known
/// @param type the media type; `x-unknown` when none was said
/// @param notes what is to be known, each half a sentence
record ReadableBody(String text, Form form, long size, String type, List<String> notes) {
    /// More than so many times of what passed is not decoded.
    static final int RATIO = 200;

    /// Nor is more than this, bytes.
    static final int MOST = 64 << 20;

    /// So much is decoded at any ratio.
    private static final int ALWAYS = 1 << 20;

    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([A-Za-z0-9._:+-]+)\"?");

    /// How a text stands for bytes.
    enum Form {
        TEXT,
        BASE64
    }

    /// Is a body there to its end?
    private enum Extent {
        WHOLE,
        CUT
    }

    ReadableBody {
        notes = List.copyOf(notes);
    }

    /// @param kept what is there of the body
    /// @param whole its size as it passed, bytes; less than `kept` is taken for unknown
    static ReadableBody of(byte[] kept, long whole, List<Field> fields) {
        var notes = new ArrayList<String>();
        var extent = whole > kept.length ? Extent.CUT : Extent.WHOLE;
        if (extent == Extent.CUT) {
            notes.add("the first " + kept.length + " of " + whole + " bytes are kept");
        }
        var type = value(fields, "content-type").orElse("x-unknown");
        var coding =
                value(fields, "content-encoding").orElse("identity").strip().toLowerCase(Locale.ROOT);
        if (coding.equals("identity") || coding.isEmpty() || kept.length == 0) {
            return text(kept, Math.max(whole, kept.length), type, notes, extent);
        }
        var decoded = decoded(kept, coding, notes);
        return decoded.map(plain -> text(plain, plain.length, type, notes, extent))
                .orElseGet(() -> new ReadableBody(
                        Base64.getEncoder().encodeToString(kept),
                        Form.BASE64,
                        Math.max(whole, kept.length),
                        type,
                        notes));
    }

    static Optional<String> value(List<Field> fields, String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(Field::value)
                .findFirst();
    }

    private static Optional<byte[]> decoded(byte[] kept, String coding, List<String> notes) {
        if (!coding.equals("gzip") && !coding.equals("x-gzip") && !coding.equals("deflate")) {
            notes.add("content-encoding " + coding + " is kept as it was");
            return Optional.empty();
        }
        try {
            var decoded = inflated(kept, coding, notes);
            notes.add("decoded from " + coding);
            return Optional.of(decoded);
        } catch (TooLargeException e) {
            notes.add(e.getMessage() + "; content-encoding " + coding + " is kept as it was");
            return Optional.empty();
        } catch (IOException _) {
            notes.add("it is no " + coding + ", and kept as it was");
            return Optional.empty();
        }
    }

    private static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1;

        TooLargeException(String message) {
            super(message);
        }
    }

    private static byte[] inflated(byte[] kept, String coding, List<String> notes) throws IOException {
        if (!coding.equals("deflate")) {
            return read(new GZIPInputStream(new ByteArrayInputStream(kept)), kept.length, notes);
        }
        try {
            return read(new InflaterInputStream(new ByteArrayInputStream(kept)), kept.length, notes);
        } catch (ZipException _) {
            var raw = new Inflater(/* nowrap= */ true);
            try {
                return read(new InflaterInputStream(new ByteArrayInputStream(kept), raw), kept.length, notes);
            } finally {
                raw.end();
            }
        }
    }

    private static byte[] read(InputStream in, int from, List<String> notes) throws IOException {
        long most = Math.min(MOST, Math.max(ALWAYS, (long) RATIO * from));
        var out = new ByteArrayOutputStream();
        var block = new byte[8192];
        try (in) {
            for (int count = in.read(block); count >= 0; count = in.read(block)) {
                out.write(block, 0, count);
                if (out.size() > most) {
                    throw new TooLargeException("it decodes to more than " + most + " bytes");
                }
            }
        } catch (EOFException _) {
            notes.add("the coding breaks off");
        }
        return out.toByteArray();
    }

    private static ReadableBody text(byte[] bytes, long size, String type, List<String> notes, Extent extent) {
        return decodedText(bytes, type, extent)
                .map(text -> new ReadableBody(text, Form.TEXT, size, type, notes))
                .orElseGet(() ->
                        new ReadableBody(Base64.getEncoder().encodeToString(bytes), Form.BASE64, size, type, notes));
    }

    /// Empty for what no person would read as text.
    private static Optional<String> decodedText(byte[] bytes, String type, Extent extent) {
        var named = CHARSET.matcher(type);
        var charset = named.find() ? charset(named.group(1)) : Optional.of(StandardCharsets.UTF_8);
        if (charset.isEmpty()) {
            return Optional.empty();
        }
        for (int dropped = 0; dropped <= (extent == Extent.CUT ? 3 : 0) && dropped <= bytes.length; dropped++) {
            var text = strictly(Arrays.copyOf(bytes, bytes.length - dropped), charset.get());
            if (text.isPresent()) {
                return text.filter(ReadableBody::isReadable);
            }
        }
        return Optional.empty();
    }

    private static Optional<Charset> charset(String name) {
        try {
            return Optional.of(Charset.forName(name));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<String> strictly(byte[] bytes, Charset charset) {
        try {
            CharBuffer chars = charset.newDecoder().decode(ByteBuffer.wrap(bytes));
            return Optional.of(chars.toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static boolean isReadable(String text) {
        return text.chars().allMatch(c -> c >= ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == 0x1b);
    }
}
