package dev.cagewright.audit.checkpoint;

import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.merkle.TreeHash;
import dev.cagewright.audit.merkle.TreeHead;
import dev.cagewright.audit.note.NoteKey;
import dev.cagewright.audit.note.NoteSignature;
import dev.cagewright.audit.note.NoteSyntaxException;
import dev.cagewright.audit.note.SignedNote;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// A signed statement: the lines of the log of this id, so many, are the leaves of a tree with this root, and the last
/// of them has this hash. A signed note in the form of c2sp.org/tlog-checkpoint; its form is in `docs/audit-format.md`.
///
/// @param log the log's id, 32 hexadecimal digits
/// @param tree how many lines, at least 1, and their root
/// @param head the last line's hash, 64 hexadecimal digits
/// @param time when it was signed, UTC with microseconds, as the text says it
/// @param signatures the log's, and those of witnesses
public record Checkpoint(String log, TreeHead tree, String head, String time, List<NoteSignature> signatures) {
    /// What stands before the log's id in the first line and in the signing key's name.
    public static final String ORIGIN = "cagewright.dev/log/";

    private static final Pattern FORM = Pattern.compile(Pattern.quote(ORIGIN) + """
            (?<log>[0-9a-f]{32})
            (?<size>[1-9][0-9]{0,17})
            (?<root>[A-Za-z0-9+/]{43}=)
            head (?<head>[0-9a-f]{64})
            time (?<time>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z)
            """);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    public Checkpoint {
        signatures = List.copyOf(signatures);
    }

    /// Signs how far a log has come. Whoever signs has verified the log before.
    public static Checkpoint sign(SigningKey key, LogState state, Instant now) {
        var unsigned = new Checkpoint(state.log(), state.tree(), state.head(), TIME.format(now), List.of());
        var note = SignedNote.sign(unsigned.text(), unsigned.key(key.publicKey()), key);
        return unsigned.with(note.signatures());
    }

    /// Reads a checkpoint.
    ///
    /// @throws NoteSyntaxException if the bytes are not exactly one checkpoint
    public static Checkpoint parse(byte[] bytes) throws NoteSyntaxException {
        var note = SignedNote.parse(bytes);
        var found = FORM.matcher(note.text());
        if (!found.matches()) {
            throw new NoteSyntaxException("does not have the lines of a checkpoint of this log format");
        }
        try {
            return new Checkpoint(
                    found.group("log"),
                    new TreeHead(Long.parseLong(found.group("size")), TreeHash.ofBase64(found.group("root"))),
                    found.group("head"),
                    found.group("time"),
                    note.signatures());
        } catch (IllegalArgumentException _) {
            throw new NoteSyntaxException("does not have a root of 32 bytes");
        }
    }

    /// Reads a checkpoint's file.
    ///
    /// @throws IOException if it cannot be read or is not exactly one checkpoint
    public static Checkpoint read(Path file) throws IOException {
        var buffer = ByteBuffer.allocate(SignedNote.LONGEST + 1);
        try (var in = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            while (buffer.hasRemaining() && in.read(buffer) > 0) {}
        }
        var bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        try {
            return parse(bytes);
        } catch (NoteSyntaxException e) {
            throw new IOException("checkpoint " + file + " " + e.getMessage(), e);
        }
    }

    /// The line it is about, which is the tree's size.
    public long seq() {
        return tree.size();
    }

    /// The name of the log, which is the name of its signing key too.
    public String origin() {
        return ORIGIN + log;
    }

    /// `pinned` as the key of this log's notes.
    public NoteKey key(PinnedKey pinned) {
        return new NoteKey(origin(), NoteKey.Algorithm.NOTE, pinned);
    }

    /// Is this signed with the secret half of `pinned`, as this log?
    public boolean signedBy(PinnedKey pinned) {
        return key(pinned).findOn(note()) == NoteKey.Finding.SIGNED;
    }

    /// This with one more signature line.
    public Checkpoint alsoSigned(NoteSignature line) {
        return with(note().alsoSigned(line).signatures());
    }

    public SignedNote note() {
        return new SignedNote(text(), signatures);
    }

    /// The note's bytes.
    public byte[] bytes() {
        return note().bytes();
    }

    private Checkpoint with(List<NoteSignature> lines) {
        return new Checkpoint(log, tree, head, time, lines);
    }

    private String text() {
        return origin() + "\n" + tree.size() + "\n" + tree.root().base64() + "\nhead " + head + "\ntime " + time + "\n";
    }
}
