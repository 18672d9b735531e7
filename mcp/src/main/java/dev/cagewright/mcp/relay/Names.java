package dev.cagewright.mcp.relay;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/// What a server's thing is called among those of others: `server__name`, where neither part has an underscore at an
/// end or two in a row, so that there is one way to take it apart. Whatever does not fit, or would be longer than
/// clients take, has three parts: what can be read of both, and a digest of what they are. Which names there are
/// besides
/// makes no difference.
public final class Names {
    /// The longest name that every client takes, in characters.
    public static final int LONGEST = 64;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*");
    private static final String BETWEEN = "__";
    private static final int DIGEST = 20;
    private static final int READ = (LONGEST - DIGEST - 2 * BETWEEN.length()) / 2;

    private Names() {}

    /// What `name` of `server` is called.
    public static String of(String server, String name) {
        var plain = server + BETWEEN + name;
        boolean isPlain = plain.length() <= LONGEST
                && PLAIN.matcher(server).matches()
                && PLAIN.matcher(name).matches();
        return isPlain ? plain : readable(server) + BETWEEN + readable(name) + BETWEEN + digest(server, name);
    }

    /// The same for two names that a person, a file system or a client may take for one: in whatever case, composed or
    /// not, with or without characters that are not seen.
    static String skeleton(String name) {
        var seen = new StringBuilder(name.length());
        Normalizer.normalize(name, Normalizer.Form.NFKC)
                .codePoints()
                .filter(point -> !isUnseen(point))
                .forEach(seen::appendCodePoint);
        var folded = seen.toString().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        return Normalizer.normalize(folded, Normalizer.Form.NFKC);
    }

    private static boolean isUnseen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> (point >= 0xfe00 && point <= 0xfe0f) || point == 0x034f || point == 0x115f || point == 0x1160;
        };
    }

    private static String readable(String part) {
        var plain = part.replaceAll("[^A-Za-z0-9-]+", "_").replaceAll("^_+|_+$", "");
        var cut = plain.substring(0, Math.min(plain.length(), READ)).replaceAll("_+$", "");
        return cut.isEmpty() ? "x" : cut;
    }

    private static String digest(String server, String name) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            sha.update(server.getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            sha.update(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha.digest()).substring(0, DIGEST);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
