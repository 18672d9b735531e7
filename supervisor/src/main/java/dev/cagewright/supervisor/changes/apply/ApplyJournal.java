package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;

/// `apply.jsonl` beside a copy: everything that an application is about to do, on disk before it does anything, gone
/// when all is done. If it is there at the start, an application was interrupted.
final class ApplyJournal {
    private static final String NAME = "apply.jsonl";
    private static final int ASIDE_DIGITS = 20;

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
            return ByteString.of(".cagewright-" + hex.substring(0, ASIDE_DIGITS));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing from this JDK", e);
        }
    }

    boolean isPending() {
        return Files.exists(folder.resolve(NAME));
    }

    /// What was about to be done; empty if nothing is pending.
    ///
    /// @throws IOException if it cannot be read whole; it was written whole
    List<PlannedAct> pending() throws IOException {
        var acts = new ArrayList<PlannedAct>();
        if (!isPending()) {
            return acts;
        }
        try (BufferedReader lines = Files.newBufferedReader(folder.resolve(NAME))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!(Json.parse(line) instanceof JsonObject json)) {
                    throw new IOException("apply: not an object in " + folder.resolve(NAME));
                }
                acts.add(PlannedAct.of(json));
            }
        } catch (JsonSyntaxException | IllegalArgumentException | ArithmeticException | DateTimeException e) {
            throw new IOException(folder.resolve(NAME) + ": " + e.getMessage(), e);
        }
        return acts;
    }

    /// Writes `acts`; durable when it returns.
    void begin(List<PlannedAct> acts) throws IOException {
        var text = new ByteArrayOutputStream();
        for (PlannedAct act : acts) {
            text.writeBytes(act.toJson().bytes());
            text.write('\n');
        }
        var fresh = folder.resolve(NAME + ".new");
        Files.deleteIfExists(fresh);
        var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(fresh, options, owner)) {
            var bytes = ByteBuffer.wrap(text.toByteArray());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        }
        Files.move(fresh, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        flushFolder();
    }

    /// Everything is done or was put back.
    void end() throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
        flushFolder();
    }

    private void flushFolder() throws IOException {
        try (var open = FileChannel.open(folder, StandardOpenOption.READ)) {
            open.force(true);
        }
    }
}
