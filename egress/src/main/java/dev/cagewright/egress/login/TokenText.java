package dev.cagewright.egress.login;

import dev.cagewright.secrets.value.SecretValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One answer, and where tokens stand in it: members of the outermost object of JSON, or pairs of a form.
final class TokenText {
    /// A shorter one could not be kept apart from other text.
    private static final int SHORTEST = 16;

    private final byte[] text;
    private final List<Spot> spots;

    /// @param from of what stands for the token, in the answer's spelling
    private record Spot(String field, int from, int to) {}

    /// How an answer is written.
    enum Form {
        JSON,
        /// `application/x-www-form-urlencoded`.
        PAIRS
    }

    private TokenText(byte[] text, List<Spot> spots) {
        this.text = text;
        this.spots = List.copyOf(spots);
    }

    /// Reads one.
    ///
    /// @param text from now on owned by this
    /// @throws RefusedAnswerException if it is not written so, or has tokens elsewhere
    static TokenText of(byte[] text, Form form, TokenSource source) throws RefusedAnswerException {
        var spots = switch (form) {
            case JSON -> inJson(text, source);
            case PAIRS -> inPairs(text, source);
        };
        return new TokenText(text, spots);
    }

    private static List<Spot> inJson(byte[] text, TokenSource source) throws RefusedAnswerException {
        var spots = new ArrayList<Spot>();
        JsonWalk.over(text, new JsonWalk.Listener() {
            @Override
            public void string(String name, int depth, int from, int to) throws RefusedAnswerException {
                if (source.fields().contains(name) && depth == 1) {
                    if (to > from) {
                        spots.add(new Spot(name, from, to));
                    }
                } else {
                    requireNone(name, source);
                }
            }

            @Override
            public void other(String name, int depth) throws RefusedAnswerException {
                if (source.fields().contains(name)) {
                    throw elsewhere(name);
                }
            }
        });
        return spots;
    }

    private static void requireNone(String name, TokenSource source) throws RefusedAnswerException {
        boolean isToken = source.fields().contains(name)
                || (source.reading() == TokenSource.Reading.STRICT
                        && (name.equals("token") || name.endsWith("_token")));
        if (isToken) {
            throw elsewhere(name);
        }
    }

    private static RefusedAnswerException elsewhere(String name) {
        var shown = name.matches("[A-Za-z0-9_.-]{1,64}") ? " (" + name + ")" : "";
        return new RefusedAnswerException(
                "elsewhere",
                "the answer of the token end point has a token where the policy names none" + shown
                        + ", so it is not passed on");
    }

    private static List<Spot> inPairs(byte[] text, TokenSource source) throws RefusedAnswerException {
        var spots = new ArrayList<Spot>();
        var names = new HashSet<String>();
        int from = 0;
        while (from < text.length) {
            int end = indexOf(text, '&', from, text.length);
            int mark = indexOf(text, '=', from, end);
            var name = new String(unpercent(text, from, mark), StandardCharsets.UTF_8);
            if (!names.add(name)) {
                throw new RefusedAnswerException(
                        "unreadable", "the answer of the token end point has a name twice, so it is not passed on");
            }
            if (!source.fields().contains(name)) {
                requireNone(name, source);
            } else if (mark + 1 < end) {
                spots.add(new Spot(name, mark + 1, end));
            }
            from = end + 1;
        }
        return spots;
    }

    private static int indexOf(byte[] text, char wanted, int from, int end) {
        for (int i = from; i < end; i++) {
            if (text[i] == wanted) {
                return i;
            }
        }
        return end;
    }

    private static byte[] unpercent(byte[] text, int from, int to) throws RefusedAnswerException {
        var out = new ByteArrayOutputStream(to - from);
        for (int i = from; i < to; i++) {
            if (text[i] == '%'
                    && i + 2 < to
                    && Character.digit(text[i + 1], 16) >= 0
                    && Character.digit(text[i + 2], 16) >= 0) {
                out.write(16 * Character.digit(text[i + 1], 16) + Character.digit(text[i + 2], 16));
                i += 2;
            } else if (text[i] <= ' ' || text[i] == '%') {
                throw new RefusedAnswerException("unreadable", "the answer of the token end point is no form");
            } else {
                out.write(text[i] == '+' ? ' ' : text[i]);
            }
        }
        return out.toByteArray();
    }

    /// Are there none?
    boolean isEmpty() {
        return spots.isEmpty();
    }

    byte[] text() {
        return text;
    }

    /// The tokens by their members, the caller's to close.
    ///
    /// @throws RefusedAnswerException if one is none, RFC 6750 section 2.1
    Map<String, SecretValue> tokens(Form form) throws RefusedAnswerException {
        var all = new LinkedHashMap<String, SecretValue>();
        for (Spot spot : spots) {
            var value = form == Form.JSON
                    ? JsonWalk.unescaped(text, spot.from(), spot.to())
                    : unpercent(text, spot.from(), spot.to());
            try {
                all.put(spot.field(), token(spot.field(), value));
            } catch (RefusedAnswerException e) {
                all.values().forEach(SecretValue::close);
                throw e;
            } finally {
                Arrays.fill(value, (byte) 0);
            }
        }
        return all;
    }

    private static SecretValue token(String field, byte[] value) throws RefusedAnswerException {
        boolean isVisible = value.length >= SHORTEST && value.length <= SecretValue.MOST / 2;
        for (byte each : value) {
            isVisible &= each > ' ' && each <= '~';
        }
        if (!isVisible) {
            throw new RefusedAnswerException(
                    "unreadable",
                    "the " + field + " that the token end point gives is none (expected: " + SHORTEST + " to "
                            + SecretValue.MOST / 2 + " visible characters)");
        }
        return SecretValue.copyOf(value);
    }

    /// The answer with something else in the place of each token.
    ///
    /// @param decoys by members; ASCII that needs no escape in JSON
    byte[] with(Map<String, byte[]> decoys, Form form) {
        var out = new ByteArrayOutputStream(text.length);
        int at = 0;
        for (Spot spot : spots) {
            out.write(text, at, spot.from() - at);
            var decoy = Optional.ofNullable(decoys.get(spot.field())).orElseThrow();
            out.writeBytes(form == Form.JSON ? decoy : percent(decoy));
            at = spot.to();
        }
        out.write(text, at, text.length - at);
        return out.toByteArray();
    }

    private static byte[] percent(byte[] decoy) {
        var out = new StringBuilder();
        for (byte each : decoy) {
            if (Character.isLetterOrDigit(each) || "-._~".indexOf(each) >= 0) {
                out.append((char) each);
            } else {
                out.append('%').append(String.format(Locale.ROOT, "%02X", each));
            }
        }
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /// What is left when every token is taken out.
    byte[] without(Set<String> fields) {
        var blank = text.clone();
        for (Spot spot : spots) {
            if (fields.contains(spot.field())) {
                Arrays.fill(blank, spot.from(), spot.to(), (byte) '-');
            }
        }
        return blank;
    }

    void wipe() {
        Arrays.fill(text, (byte) 0);
    }
}
