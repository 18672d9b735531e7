package dev.cagewright.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.event.LineDigest;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.note.NoteKey;
import dev.cagewright.audit.proof.InclusionProof;
import dev.cagewright.audit.proof.LogProver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Folders with a damaged log, checkpoint or proof each, made from a seed. Every folder holds `log` of 20 lines,
/// `log.checkpoint.9` and `log.checkpoint.20`, both cosigned, a `proof`, and, if that is one of growth, `old`; with a
/// file
/// `witnessed` the cosignature is asked for.
final class Corpus {
    private static final byte[] CLASSES = {
        0,
        '\n',
        '\r',
        ' ',
        '"',
        '\\',
        '0',
        '9',
        'a',
        'F',
        '{',
        '}',
        ',',
        ':',
        '+',
        '/',
        '=',
        0x7f,
        (byte) 0x80,
        (byte) 0xc3,
        (byte) 0xe2,
        (byte) 0xff
    };

    private final Path folder;
    private final Random random;
    private final Map<String, String> damage = new TreeMap<>();
    private final Path log;
    private final List<byte[]> lines;
    private final List<byte[]> foreign;
    private final Checkpoint early;
    private final Checkpoint late;
    private final InclusionProof inclusion;

    private Corpus(Path folder, long seed) throws Exception {
        this.folder = folder;
        this.random = new Random(seed);
        SigningKey.generate(folder.resolve("key"));
        var base = Files.createDirectory(folder.resolve("base"));
        log = SampleLog.write(base.resolve("log"), 8);
        early = sign();
        SampleLog.write(log, 11);
        late = sign();
        lines = SampleLog.lines(Files.readAllBytes(log));
        SampleLog.write(base.resolve("foreign"), 19);
        foreign = SampleLog.lines(Files.readAllBytes(base.resolve("foreign")));
        inclusion = new LogProver(log, late).inclusion(7);
        damage.put("base", "nothing");
        keep("base", inclusion.bytes());
        Files.delete(base.resolve("foreign"));
        Files.deleteIfExists(base.resolve("foreign.lock"));
        Files.deleteIfExists(base.resolve("log.lock"));
    }

    /// Fills `folder` and says what is wrong in each case.
    static Map<String, String> write(Path folder, long seed) throws Exception {
        var corpus = new Corpus(folder, seed);
        corpus.logs();
        corpus.notes();
        corpus.proofs();
        corpus.harmless();
        return corpus.damage;
    }

    private Checkpoint sign() throws IOException {
        var intact = (Verdict.Intact) LogVerifier.of(log).verify();
        var checkpoint =
                intact.sign(SigningKey.read(folder.resolve("key.secret.hex")), Instant.ofEpochSecond(1_800_000_000));
        var secret = folder.resolve("witness.secret.hex");
        if (!Files.exists(secret)) {
            SigningKey.generate(folder.resolve("witness"));
        }
        var signer = SigningKey.read(secret);
        var witness = new NoteKey("witness.example/w1", NoteKey.Algorithm.COSIGNATURE, signer.publicKey());
        Files.writeString(folder.resolve("witness.vkey"), witness.text() + "\n");
        return checkpoint.alsoSigned(checkpoint
                .note()
                .alsoSigned(witness, signer, Instant.ofEpochSecond(1_800_000_001))
                .signatures()
                .getLast());
    }

    private void logs() throws IOException {
        var whole = SampleLog.join(lines);
        for (int i = 0; i < 60; i++) {
            log("a bit of the log flipped", flip(whole));
            log("a byte of the log replaced", replace(whole));
        }
        for (int i = 0; i < 12; i++) {
            log("a byte of the log deleted", delete(whole));
            log("a byte inserted into the log", insert(whole));
            log("the log cut", Arrays.copyOf(whole, random.nextInt(whole.length)));
            int line = random.nextInt(lines.size());
            int other = (line + 1 + random.nextInt(lines.size() - 1)) % lines.size();
            log("line " + line + " deleted", edit(copy -> copy.remove(line)));
            log("line " + line + " again at " + other, edit(copy -> copy.add(other, lines.get(line))));
            log("lines " + line + " and " + other + " swapped", edit(copy -> Collections.swap(copy, line, other)));
            log("line " + line + " of another log", edit(copy -> copy.set(line, foreign.get(line))));
            log("another log from line " + line, edit(copy -> {
                copy.subList(line, copy.size()).clear();
                copy.addAll(foreign.subList(line, foreign.size()));
            }));
            log(
                    "cut to " + line + " lines",
                    edit(copy -> copy.subList(line, copy.size()).clear()));
            log("chained anew from line " + line, rechain(line));
        }
        log("carriage returns", new String(whole, UTF_8).replace("\n", "\r\n").getBytes(UTF_8));
        log("a mark at the start", ("\ufeff" + new String(whole, UTF_8)).getBytes(UTF_8));
        log("an empty line at the end", edit(copy -> copy.add(new byte[] {'\n'})));
        log("zeros at the end", edit(copy -> copy.add(new byte[512])));
        log("a line of two megabytes", edit(copy -> copy.add(new byte[2 << 20])));
        log("nothing at all", new byte[0]);
    }

    private void notes() throws IOException {
        var whole = late.bytes();
        for (int i = 0; i < 18; i++) {
            note("a bit of the note flipped", flip(whole));
            note("a byte of the note replaced", replace(whole));
        }
        for (int i = 0; i < 6; i++) {
            note("a byte of the note deleted", delete(whole));
            note("a byte inserted into the note", insert(whole));
            note("the note cut", Arrays.copyOf(whole, random.nextInt(whole.length)));
        }
        note("the note of an earlier line", early.bytes());
        note("the log's signature missing", signatures(1));
        note("the signatures swapped", signatures(1, 0));
        note("the log's signature twice", signatures(0, 0, 1));
        note("no signature", signatures());
        note("sixty-five signatures", signatures(new int[65]));
        note("a stranger's signature", text(whole, "\n\n", "\n\n— stranger.example AAAAAAAAAAA=\n"));
        note("a name with a wide blank", text(whole, "— witness.example", "— witness\u2003example"));
        note("another size", text(whole, "\n20\n", "\n19\n"));
        note("a size with a nought", text(whole, "\n20\n", "\n020\n"));
        note("another time", text(whole, "time 20", "time 21"));
        Files.writeString(
                folder.resolve(note("the cosignature missing", signatures(0))).resolve("witnessed"), "");
    }

    private void proofs() throws Exception {
        var whole = inclusion.bytes();
        var grown = new LogProver(log, late).consistency(early).bytes();
        for (int i = 0; i < 15; i++) {
            proof("a bit of the proof flipped", flip(whole));
            grown("a bit of the proof of growth flipped", flip(grown));
        }
        for (int i = 0; i < 6; i++) {
            proof("a byte of the proof replaced", replace(whole));
            proof("a byte of the proof deleted", delete(whole));
            proof("the proof cut", Arrays.copyOf(whole, random.nextInt(whole.length)));
            grown("a byte of the proof of growth replaced", replace(grown));
            grown("a byte inserted into the proof of growth", insert(grown));
        }
        for (int index = 0; index < 21; index += 4) {
            proof("index " + index, text(whole, "index 6\n", "index " + index + "\n"));
            grown("old " + index, text(grown, "old 9\n", "old " + index + "\n"));
        }
        proof("another checkpoint", text(whole, new String(late.bytes(), UTF_8), new String(early.bytes(), UTF_8)));
        proof("no line", inclusion.bare().bytes());
        proof("a proof of growth", grown);
        grown("a proof of a line", whole);
    }

    private void harmless() throws IOException {
        Files.writeString(
                folder.resolve(log("nothing, with a witness", SampleLog.join(lines)))
                        .resolve("witnessed"),
                "");
        note("the cosignature missing, not asked for", signatures(0));
        note("the witness' signature twice", signatures(0, 1, 1));
        var more = folder.resolve(log("more lines", SampleLog.join(lines))).resolve("log");
        SampleLog.write(more, 5);
        Files.deleteIfExists(more.resolveSibling("log.lock"));
    }

    private String log(String what, byte[] bytes) throws IOException {
        var name = keep(what, inclusion.bytes());
        Files.write(folder.resolve(name).resolve("log"), bytes);
        return name;
    }

    private String note(String what, byte[] bytes) throws IOException {
        var name = keep(what, inclusion.bytes());
        Files.write(new CheckpointFiles(folder.resolve(name).resolve("log")).file(late.seq()), bytes);
        return name;
    }

    private String proof(String what, byte[] bytes) throws IOException {
        return keep(what, bytes);
    }

    private void grown(String what, byte[] bytes) throws IOException {
        Files.write(folder.resolve(proof(what, bytes)).resolve("old"), early.bytes());
    }

    private String keep(String what, byte[] proof) throws IOException {
        var name = what.equals("base") ? what : String.format(Locale.ROOT, "case-%03d", damage.size());
        damage.putIfAbsent(name, what);
        var item = Files.createDirectories(folder.resolve(name));
        Files.write(item.resolve("log"), SampleLog.join(lines));
        var files = new CheckpointFiles(item.resolve("log"));
        files.write(early);
        files.write(late);
        Files.write(item.resolve("proof"), proof);
        return name;
    }

    private byte[] flip(byte[] whole) {
        var changed = whole.clone();
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }

    private byte[] replace(byte[] whole) {
        var changed = whole.clone();
        changed[random.nextInt(changed.length)] = CLASSES[random.nextInt(CLASSES.length)];
        return changed;
    }

    private byte[] delete(byte[] whole) {
        int at = random.nextInt(whole.length);
        var changed = Arrays.copyOf(whole, whole.length - 1);
        System.arraycopy(whole, at + 1, changed, at, changed.length - at);
        return changed;
    }

    private byte[] insert(byte[] whole) {
        int at = random.nextInt(whole.length);
        var changed = Arrays.copyOf(whole, whole.length + 1);
        System.arraycopy(whole, at, changed, at + 1, whole.length - at);
        changed[at] = CLASSES[random.nextInt(CLASSES.length)];
        return changed;
    }

    @FunctionalInterface
    private interface Edit {
        void on(List<byte[]> copy);
    }

    private byte[] edit(Edit edit) {
        var copy = new ArrayList<>(lines);
        edit.on(copy);
        return SampleLog.join(copy);
    }

    /// What somebody makes who can write the file and knows the format, but has no key.
    private byte[] rechain(int from) {
        var digest = new LineDigest();
        var forged = new ArrayList<byte[]>();
        var hash = LineFormat.NO_HASH;
        for (int i = 0; i < lines.size(); i++) {
            var text = new String(lines.get(i), UTF_8).strip();
            text = i == from ? text.replace("\"cage\":\"", "\"cage\":\"forged-") : text;
            text = text.replaceAll("\"prev\":\"[0-9a-f]{64}\"", "\"prev\":\"" + hash + "\"");
            hash = digest.hash(hash, text.getBytes(UTF_8));
            text = text.replaceAll("\"hash\":\"[0-9a-f]{64}\"}$", "\"hash\":\"" + hash + "\"}");
            forged.add((text + "\n").getBytes(UTF_8));
        }
        return SampleLog.join(forged);
    }

    private byte[] signatures(int... which) {
        var note = new StringBuilder(late.note().text()).append('\n');
        for (int index : which) {
            var line = late.signatures().get(index);
            note.append("— ")
                    .append(line.name())
                    .append(' ')
                    .append(line.value())
                    .append('\n');
        }
        return note.toString().getBytes(UTF_8);
    }

    private static byte[] text(byte[] whole, String from, String to) {
        var text = new String(whole, UTF_8);
        if (!text.contains(from)) {
            throw new IllegalArgumentException("text: \"" + from + "\" is not in it (expected: once)");
        }
        return text.replace(from, to).getBytes(UTF_8);
    }
}
