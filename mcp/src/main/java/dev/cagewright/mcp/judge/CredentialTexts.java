package dev.cagewright.mcp.judge;

import dev.cagewright.egress.inspect.credential.Credentials;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Finds what is written like a credential, as it is or encoded, and takes the secret part of it out. For one thread.
final class CredentialTexts {
    /// Shorter texts hold none.
    static final int SHORTEST = 16;

    private static final String KEY_END = "-----END";

    private final List<Spot> spots = new ArrayList<>();
    private final Credentials scanner = new Credentials(this::saw);

    /// @param from where the secret part begins
    private record Spot(int from, String kind) {}

    private void saw(String kind, int layers, long at) {
        spots.add(new Spot((int) at, kind));
    }

    /// `utf8` with what was found replaced by words; the same array if there is nothing, or it is only to be told.
    byte[] without(byte[] utf8, Findings findings, Findings.Deed deed) {
        if (utf8.length < SHORTEST) {
            return utf8;
        }
        spots.clear();
        scanner.next(utf8, 0, utf8.length);
        scanner.end();
        if (spots.isEmpty()) {
            return utf8;
        }
        spots.forEach(spot -> findings.add(deed, spot.kind(), 1));
        return deed == Findings.Deed.REDACTED ? redacted(utf8) : utf8;
    }

    private byte[] redacted(byte[] utf8) {
        spots.sort(Comparator.comparingInt(Spot::from));
        var out = new ByteArrayOutputStream(utf8.length);
        int done = 0;
        for (Spot spot : spots) {
            if (spot.from() >= done) {
                out.write(utf8, done, spot.from() - done);
                out.writeBytes(("[redacted " + spot.kind() + "]").getBytes(StandardCharsets.UTF_8));
                done = end(utf8, spot);
            }
        }
        out.write(utf8, done, utf8.length - done);
        return out.toByteArray();
    }

    /// Where the credential ends at the latest: its letters go on no further, and a key's lines end with its own.
    private static int end(byte[] utf8, Spot spot) {
        if (spot.kind().contains("private_key")) {
            int end = new String(utf8, StandardCharsets.ISO_8859_1).indexOf(KEY_END, spot.from());
            return end < 0 ? utf8.length : end;
        }
        int at = spot.from();
        while (at < utf8.length && isPart(utf8[at])) {
            at++;
        }
        return at;
    }

    private static boolean isPart(byte each) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (each >= '0' && each <= '9')
                || "_-.~+/=%\\".indexOf(each) >= 0;
    }
}
