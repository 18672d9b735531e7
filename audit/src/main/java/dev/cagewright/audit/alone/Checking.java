package dev.cagewright.audit.alone;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.note.NoteKey;
import dev.cagewright.audit.read.EventView;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.ProofVerdict;
import dev.cagewright.audit.verify.ProofVerifier;
import dev.cagewright.audit.verify.Sealing.Tail;
import dev.cagewright.audit.verify.Trust;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// One command from its words to its exit code.
///
/// @param out where the result goes
record Checking(PrintStream out, Words words) {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int UNANCHORED = 6;
    private static final int CUT = 7;
    private static final int LONGEST = 4 << 20;

    int run() throws IOException {
        return words.command().equals("verify") ? log() : proof();
    }

    private int log() throws IOException {
        var verifier = LogVerifier.of(words.file().toAbsolutePath());
        var key = words.file("--key");
        if (key.isPresent()) {
            verifier = verifier.pinned(PinnedKey.read(key.get()));
        }
        for (var option : List.of("--checkpoint", "--since")) {
            for (var file : words.files(option)) {
                verifier = verifier.anchored(file);
            }
        }
        verifier = verifier.witnessed(witnesses(), words.number("--require-witness"));
        var seal = words.file("--seal-key");
        if (seal.isEmpty()) {
            return tell(verifier.verify());
        }
        try (var first = SealKey.read(seal.get())) {
            return tell(verifier.sealed(first).verify());
        }
    }

    private int tell(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Broken broken -> {
                tell(
                        Json.object()
                                .put("intact", false)
                                .put("line", broken.line())
                                .put("offset", broken.offset())
                                .put("reason", broken.reason())
                                .build(),
                        "broken: line " + broken.line() + " (byte " + broken.offset() + "): " + shown(broken.reason()));
                yield FAILED;
            }
            case Verdict.Intact intact -> {
                tell(json(intact), text(intact));
                yield code(intact);
            }
        };
    }

    private int code(Verdict.Intact intact) {
        return switch (intact.notes().sealing().tail()) {
            case Tail.Cut _ -> CUT;
            case Tail.Unanchored _ -> UNANCHORED;
            case Tail.Complete _, Tail.Unknown _ ->
                words.has("--require-anchored") && intact.unanchored() > 0 ? UNANCHORED : OK;
        };
    }

    private static String end(Tail tail) {
        return switch (tail) {
            case Tail.Unknown _ -> "unknown";
            case Tail.Complete _ -> "complete";
            case Tail.Unanchored(var reason) -> "unanchored: " + shown(reason);
            case Tail.Cut(var reason) -> "unanchored: cut: " + shown(reason);
        };
    }

    private static JsonObject json(Verdict.Intact intact) {
        return Json.object()
                .put("intact", true)
                .put("log", intact.log())
                .put("events", intact.count())
                .put("head", intact.head())
                .put("root", intact.state().tree().root().base64())
                .put("anchored", intact.anchored())
                .put("unanchored", intact.unanchored())
                .put("checkpoints_verified", intact.notes().checkpoints())
                .put("interrupted", intact.notes().interrupted())
                .put("frozen", intact.notes().panic().isPresent())
                .put("sealed", intact.notes().sealing().sealed())
                .put("end", end(intact.notes().sealing().tail()))
                .build();
    }

    private static String text(Verdict.Intact intact) {
        return "ok: " + intact.count() + " events, head " + intact.head()
                + "\n  checkpoints verified: " + intact.notes().checkpoints()
                + "\n  unanchored: " + intact.unanchored()
                + "\n  sealed up to line " + intact.notes().sealing().sealed() + ", end "
                + end(intact.notes().sealing().tail())
                + (intact.notes().panic().isPresent() ? "\n  frozen by panic" : "");
    }

    private int proof() throws IOException {
        var key = words.file("--key").orElseThrow(() -> new IllegalArgumentException("--key: none (expected: a file)"));
        var trust = Trust.NOBODY.pinned(PinnedKey.read(key)).witnessed(witnesses(), words.number("--require-witness"));
        var verifier = new ProofVerifier(trust);
        var bytes = read(words.file());
        var since = words.file("--since");
        if (ProofVerifier.isConsistency(bytes) != since.isPresent()) {
            throw new IllegalArgumentException(
                    "--since: " + (since.isPresent() ? "given" : "missing") + " (expected: with a proof of growth)");
        }
        var verdict = since.isPresent()
                ? verifier.consistency(bytes, Checkpoint.read(since.get()))
                : verifier.inclusion(bytes, line());
        tell(json(verdict), text(verdict));
        return verdict instanceof ProofVerdict.Refused ? FAILED : OK;
    }

    private static JsonObject json(ProofVerdict verdict) {
        return switch (verdict) {
            case ProofVerdict.Included(var line, var checkpoint, var names) ->
                Json.object()
                        .put("proven", true)
                        .put("log", checkpoint.log())
                        .put("line", line.seq())
                        .put("of", checkpoint.seq())
                        .put("hash", line.hash())
                        .put("witnesses", names)
                        .build();
            case ProofVerdict.Grown(var old, var checkpoint) ->
                Json.object()
                        .put("proven", true)
                        .put("log", checkpoint.log())
                        .put("from", old.seq())
                        .put("to", checkpoint.seq())
                        .build();
            case ProofVerdict.Refused(var reason) ->
                Json.object().put("proven", false).put("reason", reason).build();
        };
    }

    private static String text(ProofVerdict verdict) {
        return switch (verdict) {
            case ProofVerdict.Included(var line, var checkpoint, var _) ->
                "ok: line " + line.seq() + " of log " + checkpoint.log() + " with " + checkpoint.seq() + " lines\n  "
                        + EventView.text(line, EventView.UNLIMITED);
            case ProofVerdict.Grown(var old, var checkpoint) ->
                "ok: log " + checkpoint.log() + " only grew, from " + old.seq() + " to " + checkpoint.seq() + " lines";
            case ProofVerdict.Refused(var reason) -> "not proven: " + shown(reason);
        };
    }

    private Optional<byte[]> line() throws IOException {
        var file = words.file("--line");
        if (file.isEmpty()) {
            return Optional.empty();
        }
        var bytes = read(file.get());
        boolean ended = bytes.length > 0 && bytes[bytes.length - 1] == '\n';
        return Optional.of(ended ? Arrays.copyOf(bytes, bytes.length - 1) : bytes);
    }

    private List<NoteKey> witnesses() throws IOException {
        var keys = new ArrayList<NoteKey>();
        for (var file : words.files("--witness-key")) {
            keys.add(NoteKey.read(file));
        }
        return keys;
    }

    private static byte[] read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(LONGEST);
        }
    }

    private void tell(JsonObject json, String text) {
        out.println(words.has("--json") ? json.write() : text);
    }

    /// Names of files may hold what a terminal obeys.
    private static String shown(String text) {
        var quoted = new JsonString(text).write();
        return quoted.substring(1, quoted.length() - 1);
    }
}
