package dev.cagewright.egress.inspect;

import dev.cagewright.policy.document.InspectSection.Reaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Bodies that are not what their `Content-Type` says, by their first [#SAMPLE] bytes: both ways, for what it says and
/// is well known.
final class Types implements Inspector {
    private static final int SAMPLE = 512;
    private static final int ENOUGH = 16;

    /// How well-known files begin; each from the specification of its format.
    private static final List<Map.Entry<String, byte[]>> BEGINNINGS = List.of(
            Map.entry("png", new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}),
            Map.entry("jpeg", new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff}),
            Map.entry("gif", ascii("GIF8")),
            Map.entry("pdf", ascii("%PDF-")),
            Map.entry("zip", new byte[] {'P', 'K', 3, 4}),
            Map.entry("gzip", new byte[] {0x1f, (byte) 0x8b, 8}),
            Map.entry("zstd", new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}),
            Map.entry("xz", new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0}),
            Map.entry("elf", new byte[] {0x7f, 'E', 'L', 'F'}),
            Map.entry("wasm", new byte[] {0, 'a', 's', 'm'}),
            Map.entry("sqlite", ascii("SQLite format 3")));

    private final Reaction reaction;

    Types(Reaction reaction) {
        this.reaction = reaction;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// What a media type promises of its bytes.
    private sealed interface Promise {
        /// A file that begins in its own way.
        record File(String name) implements Promise {}

        /// Text whose first letter, after blanks, is one of these.
        record Text(String word, String firsts) implements Promise {}
    }

    private static Optional<Promise> promise(String type) {
        if (type.equals("application/json") || type.endsWith("+json")) {
            return Optional.of(new Promise.Text("json", "{[\"-0123456789tfn"));
        }
        if (type.endsWith("/xml") || type.endsWith("+xml")) {
            return Optional.of(new Promise.Text("xml", "<"));
        }
        if (type.startsWith("multipart/")) {
            return Optional.of(new Promise.Text("multipart", "-"));
        }
        if (type.startsWith("text/")
                || type.equals("application/x-www-form-urlencoded")
                || type.equals("application/javascript")
                || type.equals("application/yaml")) {
            return Optional.of(new Promise.Text("text", ""));
        }
        return switch (type) {
            case "image/png" -> Optional.of(new Promise.File("png"));
            case "image/jpeg" -> Optional.of(new Promise.File("jpeg"));
            case "image/gif" -> Optional.of(new Promise.File("gif"));
            case "application/pdf" -> Optional.of(new Promise.File("pdf"));
            case "application/zip" -> Optional.of(new Promise.File("zip"));
            case "application/gzip" -> Optional.of(new Promise.File("gzip"));
            case "application/wasm" -> Optional.of(new Promise.File("wasm"));
            default -> Optional.empty();
        };
    }

    @Override
    public String name() {
        return "types";
    }

    @Override
    public Look begin(Message message) {
        return promise(message.mediaType()).<Look>map(Comparing::new).orElseGet(() -> new Look() {});
    }

    private final class Comparing implements Look {
        private final Promise promise;
        private final byte[] sample = new byte[SAMPLE];
        private int length;
        private boolean isDone;

        Comparing(Promise promise) {
            this.promise = promise;
        }

        @Override
        public Verdict next(ByteBuffer piece) {
            if (isDone) {
                return Verdict.ALLOW;
            }
            int count = Math.min(piece.remaining(), SAMPLE - length);
            piece.get(sample, length, count);
            length += count;
            return length >= ENOUGH ? compared() : Verdict.ALLOW;
        }

        @Override
        public Verdict end() {
            return isDone || length == 0 ? Verdict.ALLOW : compared();
        }

        private Verdict compared() {
            isDone = length == SAMPLE;
            var kept = switch (promise) {
                case Promise.File(String name) -> begins(name) ? "" : name;
                case Promise.Text(String word, String firsts) -> isText(firsts) ? "" : word;
            };
            if (kept.isEmpty()) {
                return Verdict.ALLOW;
            }
            isDone = true;
            var kind = "types.not_" + kept;
            return Reactions.severity(reaction)
                    .map(severity -> new Verdict(List.of(new Sighting(severity, kind, 0))))
                    .orElse(Verdict.ALLOW);
        }

        private boolean begins(String name) {
            return BEGINNINGS.stream()
                    .filter(known -> known.getKey().equals(name))
                    .anyMatch(known -> startsWith(known.getValue()));
        }

        private boolean startsWith(byte[] beginning) {
            if (length < beginning.length) {
                return false;
            }
            for (int i = 0; i < beginning.length; i++) {
                if (sample[i] != beginning[i]) {
                    return false;
                }
            }
            return true;
        }

        private boolean isText(String firsts) {
            for (int i = 0; i < length; i++) {
                if (sample[i] == 0) {
                    return false;
                }
            }
            if (BEGINNINGS.stream().anyMatch(known -> startsWith(known.getValue()))) {
                return false;
            }
            int at = firstLetter();
            return firsts.isEmpty() || at == length || firsts.indexOf(sample[at]) >= 0;
        }

        /// Behind a mark of UTF-8 and blanks.
        private int firstLetter() {
            int at = length >= 3
                            && (sample[0] & 0xff) == 0xef
                            && (sample[1] & 0xff) == 0xbb
                            && (sample[2] & 0xff) == 0xbf
                    ? 3
                    : 0;
            while (at < length && " \t\r\n".indexOf(sample[at]) >= 0) {
                at++;
            }
            return at;
        }
    }
}
