package dev.cagewright.audit.checkpoint;

import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/// A signed statement: the log of this id had this hash at this line. Its form is in `docs/audit-format.md`.
///
/// @param log the log's id, 32 hexadecimal digits
/// @param seq the line
/// @param head that line's hash, 64 hexadecimal digits
/// @param time when it was signed, UTC with microseconds, as the text says it
/// @param signature Ed25519, 128 hexadecimal digits
public record Checkpoint(String log, long seq, String head, String time, String signature) {
    private static final Pattern FORM = Pattern.compile("""
            cagewright audit checkpoint v1
            log (?<log>[0-9a-f]{32})
            seq (?<seq>[1-9][0-9]{0,17})
            head (?<head>[0-9a-f]{64})
            time (?<time>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z)
            signature (?<signature>[0-9a-f]{128})
            """);
    private static final int LONGEST = 512;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /// Signs that `log` had the hash `head` at line `seq`. Whoever signs has verified the log before.
    public static Checkpoint sign(SigningKey key, String log, long seq, String head, Instant now) {
        var time = TIME.format(now);
        var statement = statement(log, seq, head, time);
        return new Checkpoint(log, seq, head, time, HexFormat.of().formatHex(key.sign(statement)));
    }

    /// Reads a checkpoint's file.
    ///
    /// @throws IOException if it is not exactly one checkpoint
    public static Checkpoint read(Path file) throws IOException {
        var buffer = ByteBuffer.allocate(LONGEST);
        try (var in = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            while (buffer.hasRemaining() && in.read(buffer) > 0) {}
        }
        var found = FORM.matcher(new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1));
        if (!found.matches()) {
            throw new IOException("checkpoint " + file + " does not have a checkpoint's form");
        }
        return new Checkpoint(
                found.group("log"),
                Long.parseLong(found.group("seq")),
                found.group("head"),
                found.group("time"),
                found.group("signature"));
    }

    /// Writes this beside `log` as `<log>.checkpoint.<seq>`, durably.
    ///
    /// @throws IOException if it cannot be written or there is one for that line already
    public Path writeBeside(Path log) throws IOException {
        var path = log.toAbsolutePath();
        var file = path.resolveSibling(path.getFileName() + ".checkpoint." + seq);
        var options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (var out = FileChannel.open(file, options, mode)) {
            out.write(ByteBuffer.wrap(text().getBytes(StandardCharsets.US_ASCII)));
            out.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("line " + seq + " is signed already by " + file, e);
        }
        try (var folder = FileChannel.open(Objects.requireNonNull(file.getParent()), StandardOpenOption.READ)) {
            folder.force(true);
        }
        return file;
    }

    /// The checkpoints beside `log`, by line. Empty if its folder is missing.
    public static List<Path> beside(Path log) throws IOException {
        var path = log.toAbsolutePath();
        var prefix = path.getFileName() + ".checkpoint.";
        var folder = Objects.requireNonNull(path.getParent());
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var found = new ArrayList<Path>();
        try (var siblings = Files.newDirectoryStream(folder)) {
            for (var sibling : siblings) {
                if (String.valueOf(sibling.getFileName()).startsWith(prefix)) {
                    found.add(sibling);
                }
            }
        }
        found.sort(null);
        return List.copyOf(found);
    }

    /// The file's text.
    public String text() {
        return new String(statement(), StandardCharsets.US_ASCII) + "signature " + signature + "\n";
    }

    /// Is this signed with the secret half of `key`?
    public boolean signedBy(PinnedKey key) {
        return key.signed(statement(), HexFormat.of().parseHex(signature));
    }

    byte[] statement() {
        return statement(log, seq, head, time);
    }

    private static byte[] statement(String log, long seq, String head, String time) {
        return ("cagewright audit checkpoint v1\nlog " + log + "\nseq " + seq + "\nhead " + head + "\ntime " + time
                        + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
