package dev.cagewright.audit.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.merkle.TreeHash;
import dev.cagewright.audit.note.NoteSyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// What both kinds of proof are written in: lines, a blank line, a checkpoint.
///
/// @param lines above the blank line, without line ends
/// @param checkpoint below it
record ProofText(List<String> lines, Checkpoint checkpoint) {
    /// The longest proof, in bytes: a line in base64, a note, and a path.
    static final int LONGEST = 2 << 20;

    private static final int MOST_HASHES = 64;
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,17}");

    static ProofText parse(byte[] bytes) throws NoteSyntaxException {
        if (bytes.length > LONGEST) {
            throw new NoteSyntaxException("is longer than " + LONGEST + " bytes");
        }
        int blank = blank(bytes);
        var above = new String(bytes, 0, blank, UTF_8);
        if (above.chars().anyMatch(c -> c != '\n' && (c < ' ' || c > '~'))) {
            throw new NoteSyntaxException("contains other characters than ASCII above its checkpoint");
        }
        var below = Arrays.copyOfRange(bytes, blank + 2, bytes.length);
        return new ProofText(List.of(above.split("\n", -1)), Checkpoint.parse(below));
    }

    private static int blank(byte[] bytes) throws NoteSyntaxException {
        for (int i = 1; i < bytes.length; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\n') {
                return i - 1;
            }
        }
        throw new NoteSyntaxException("has no blank line above its checkpoint");
    }

    /// The number in the line `<word> <number>`.
    long number(int line, String word) throws NoteSyntaxException {
        if (line < lines.size() && lines.get(line).startsWith(word + " ")) {
            var digits = lines.get(line).substring(word.length() + 1);
            if (NUMBER.matcher(digits).matches()) {
                return Long.parseLong(digits);
            }
        }
        throw new NoteSyntaxException("has no line \"" + word + " <number>\" where it belongs");
    }

    /// The hashes from that line on.
    List<TreeHash> hashes(int from) throws NoteSyntaxException {
        if (lines.size() - from > MOST_HASHES) {
            throw new NoteSyntaxException("has more than " + MOST_HASHES + " hashes");
        }
        var hashes = new ArrayList<TreeHash>();
        for (var line : lines.subList(from, lines.size())) {
            try {
                hashes.add(TreeHash.ofBase64(line));
            } catch (IllegalArgumentException _) {
                throw new NoteSyntaxException("has a line that is no hash");
            }
        }
        return hashes;
    }

    static byte[] write(List<String> first, List<TreeHash> hashes, Checkpoint checkpoint) {
        var out = new StringBuilder();
        first.forEach(line -> out.append(line).append('\n'));
        hashes.forEach(hash -> out.append(hash.base64()).append('\n'));
        out.append('\n').append(new String(checkpoint.bytes(), UTF_8));
        return out.toString().getBytes(UTF_8);
    }
}
