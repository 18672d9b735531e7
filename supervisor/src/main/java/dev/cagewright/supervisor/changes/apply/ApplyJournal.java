package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// `apply.jsonl` beside a copy: everything that an application is about to do, on disk before it does anything, gone
/// when all is done. A line each act, then how many there are; then, once all is done, a mark of the end. Without the
/// mark an application was interrupted; a plan that is not whole is an error.
final class ApplyJournal {
    private static final String NAME = "apply.jsonl";
    private static final int ASIDE_DIGITS = 20;
    private static final String ASIDE = ".cagewright-";
    private static final String COUNT = "acts";
    private static final String END = "{\"end\":true}";

    /// A plan on disk.
    ///
    /// @param isDone all of it was done, or was found not to be possible
    record Pending(List<PlannedAct> acts, boolean isDone) {}

    private final Path folder;

    ApplyJournal(SessionCopy copy) {
        this.folder = copy.folder();
    }

    /// The name that stands in while `path` changes: always the same for the same copy and path.
    ByteString aside(RelativePath path) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(folder.toString().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update(path.bytes().toByteArray());
            var hex = HexFormat.of().formatHex(digest.digest());
            return ByteString.of(ASIDE + hex.substring(0, ASIDE_DIGITS));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }

    /// What was about to be done; empty if nothing is pending.
    ///
    /// @throws IOException if it cannot be read whole; it was written whole
    Optional<Pending> pending() throws IOException {
        var file = folder.resolve(NAME);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return Optional.of(read(lines));
        } catch (JsonSyntaxException
                | IllegalArgumentException
                | ArithmeticException
                | DateTimeException
                | CharacterCodingException e) {
            throw damaged(file, String.valueOf(e.getMessage()), e);
        }
    }

    private Pending read(BufferedReader lines) throws IOException, JsonSyntaxException {
        var acts = new ArrayList<PlannedAct>();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!(Json.parse(line) instanceof JsonObject json)) {
                throw damaged(folder.resolve(NAME), "a line is no object", null);
            }
            var count = json.member(COUNT);
            if (count.isEmpty()) {
                acts.add(PlannedAct.of(json));
            } else if (count.get().equals(JsonNumber.of(acts.size()))) {
                return new Pending(acts, Objects.equals(lines.readLine(), END));
            } else {
                break;
            }
        }
        throw damaged(folder.resolve(NAME), "the plan was cut", null);
    }

    private static IOException damaged(Path file, String why, @Nullable Exception cause) {
        return new IOException(
                file + ": " + why + " (expected: the whole plan of an application; look for names that begin with "
                        + ASIDE + " below the host's directory, then remove the file)",
                cause);
    }

    /// Writes `acts`; durable when it returns.
    void begin(List<PlannedAct> acts) throws IOException {
        var text = new ByteArrayOutputStream();
        for (PlannedAct act : acts) {
            text.writeBytes(act.toJson().bytes());
            text.write('\n');
        }
        text.writeBytes(Json.object().put(COUNT, acts.size()).build().bytes());
        text.write('\n');
        OwnerFile.write(folder.resolve(NAME), text.toByteArray());
    }

    /// Everything is done or was put back: marks that, durably, and removes the plan.
    void end() throws IOException {
        var file = folder.resolve(NAME);
        try (var channel = FileChannel.open(
                file, StandardOpenOption.WRITE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS)) {
            var mark = ByteBuffer.wrap((END + "\n").getBytes(StandardCharsets.US_ASCII));
            while (mark.hasRemaining()) {
                channel.write(mark);
            }
            channel.force(false);
        }
        Files.delete(file);
        OwnerFile.flushName(file);
    }
}
