package dev.cagewright.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.event.LineDigest;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every change of a signed log is found, whatever byte it hits.
class MutationTest {
    private static final int EVENTS = 12;

    @TempDir
    Path folder;

    private Path copy = Path.of("");
    private byte[] original = {};

    @BeforeEach
    void write_a_log() throws IOException {
        original = Files.readAllBytes(SampleLog.write(folder.resolve("original"), EVENTS));
        copy = Files.createDirectory(folder.resolve("copies")).resolve("log");
    }

    /// Overwrites in place: a file that is cut to nothing and written anew is flushed by ext4 each time.
    private void put(byte[] bytes) throws IOException {
        try (var file = FileChannel.open(copy, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.truncate(bytes.length);
        }
    }

    @Test
    void the_log_itself_is_intact() throws Exception {
        assertThat(verify(original)).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void every_flipped_bit_of_every_byte_is_found() throws Exception {
        var missed = new ArrayList<String>();
        for (int at = 0; at < original.length; at++) {
            var changed = original.clone();
            changed[at] ^= (byte) (1 << at % 8);
            note(missed, "bit of byte " + at, changed);
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void every_byte_replaced_by_one_of_another_class_is_found() throws Exception {
        var classes = new byte[] {0, '\n', ' ', '"', '\\', '0', 'a', '{', ',', 0x7f, (byte) 0x9b, (byte) 0xff};
        var random = new Random(20260701);
        var missed = new ArrayList<String>();
        for (int at = 0; at < original.length; at++) {
            byte with = classes[random.nextInt(classes.length)];
            if (original[at] != with) {
                var changed = original.clone();
                changed[at] = with;
                note(missed, "byte " + at + " became " + with, changed);
            }
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void every_deleted_and_every_doubled_byte_is_found() throws Exception {
        var missed = new ArrayList<String>();
        for (int at = 0; at < original.length; at++) {
            note(missed, "byte " + at + " deleted", splice(at, at + 1, new byte[0]));
            note(missed, "byte " + at + " doubled", splice(at, at, new byte[] {original[at]}));
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void every_deleted_doubled_and_swapped_line_is_found() throws Exception {
        var lines = SampleLog.lines(original);
        var missed = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            var without = new ArrayList<>(lines);
            without.remove(i);
            if (i < lines.size() - 1) {
                note(missed, "line " + i + " deleted", SampleLog.join(without));
            }
            for (int j = i; j < lines.size(); j++) {
                var doubled = new ArrayList<>(lines);
                doubled.add(j, lines.get(i));
                note(missed, "line " + i + " again at " + j, SampleLog.join(doubled));
                if (j > i) {
                    var swapped = new ArrayList<>(lines);
                    Collections.swap(swapped, i, j);
                    note(missed, "lines " + i + " and " + j + " swapped", SampleLog.join(swapped));
                }
            }
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void every_line_of_another_log_is_found() throws Exception {
        var foreign = SampleLog.lines(Files.readAllBytes(SampleLog.write(folder.resolve("other"), EVENTS)));
        var lines = SampleLog.lines(original);
        var missed = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            var replaced = new ArrayList<>(lines);
            replaced.set(i, foreign.get(i));
            note(missed, "line " + i + " from another log", SampleLog.join(replaced));
            var joined = new ArrayList<>(lines.subList(0, i));
            joined.addAll(foreign.subList(i, foreign.size()));
            if (i > 0) {
                note(missed, "another log from line " + i, SampleLog.join(joined));
            }
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void every_swapped_pair_of_neighbouring_members_is_found() throws Exception {
        var lines = SampleLog.lines(original);
        var missed = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            var text = new String(lines.get(i), UTF_8);
            for (var pair : List.of(
                    List.of("session\":", "cage\":"),
                    List.of("decision\":", "kind\":"),
                    List.of("prev\":", "hash\":"),
                    List.of("seq\":", "time\":"))) {
                var renamed = text.replace(pair.getFirst(), "\u0001")
                        .replace(pair.getLast(), pair.getFirst())
                        .replace("\u0001", pair.getLast());
                var changed = new ArrayList<>(lines);
                changed.set(i, renamed.getBytes(UTF_8));
                note(missed, "members " + pair + " of line " + i, SampleLog.join(changed));
            }
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void every_truncation_of_a_signed_log_is_found() throws Exception {
        var key = sign();
        var missed = new ArrayList<String>();
        for (int length = 0; length < original.length; length += 1 + length % 7) {
            note(missed, key, "cut to " + length, Arrays.copyOf(original, length));
        }
        var lines = SampleLog.lines(original);
        for (int i = 0; i < lines.size(); i++) {
            note(missed, key, "cut to " + i + " lines", SampleLog.join(lines.subList(0, i)));
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void a_signed_log_that_was_chained_anew_from_any_line_is_found() throws Exception {
        var key = sign();
        var missed = new ArrayList<String>();
        var lines = SampleLog.lines(original);
        for (int i = 0; i < lines.size(); i++) {
            note(missed, key, "chained anew from " + i, Forger.rechain(lines, i));
        }
        assertThat(missed).isEmpty();
    }

    @Test
    void an_unsigned_log_that_was_chained_anew_is_only_unanchored() throws Exception {
        var forged = Forger.rechain(SampleLog.lines(original), 3);

        assertThat(verify(forged))
                .isInstanceOfSatisfying(
                        Verdict.Intact.class,
                        intact -> assertThat(intact.unanchored()).isEqualTo(EVENTS + 1));
    }

    private PinnedKey sign() throws IOException {
        Files.write(copy, original);
        var key = SigningKey.generate(folder.resolve("k"));
        var intact = (Verdict.Intact) LogVerifier.of(copy).verify();
        new CheckpointFiles(copy).write(intact.sign(SigningKey.read(folder.resolve("k.secret.hex")), Instant.EPOCH));
        return key;
    }

    private byte[] splice(int from, int to, byte[] with) {
        var changed = new byte[original.length - (to - from) + with.length];
        System.arraycopy(original, 0, changed, 0, from);
        System.arraycopy(with, 0, changed, from, with.length);
        System.arraycopy(original, to, changed, from + with.length, original.length - to);
        return changed;
    }

    private void note(List<String> missed, String what, byte[] changed) throws IOException {
        if (!(verify(changed) instanceof Verdict.Broken)) {
            missed.add(what);
        }
    }

    private void note(List<String> missed, PinnedKey key, String what, byte[] changed) throws IOException {
        put(changed);
        if (!(LogVerifier.of(copy).pinned(key).verify() instanceof Verdict.Broken)) {
            missed.add(what);
        }
    }

    private Verdict verify(byte[] bytes) throws IOException {
        put(bytes);
        return LogVerifier.of(copy).verify();
    }

    /// Somebody who can write the file and knows the format, but has no key.
    private static final class Forger {
        /// Changes line `from` and computes every hash from there on.
        static byte[] rechain(List<byte[]> lines, int from) {
            var digest = new LineDigest();
            var forged = new ArrayList<byte[]>();
            var hash = LineFormat.NO_HASH;
            for (int i = 0; i < lines.size(); i++) {
                var text = new String(lines.get(i), UTF_8).strip();
                if (i == from) {
                    text = text.replace("\"cage\":\"", "\"cage\":\"forged-");
                }
                text = text.replaceAll("\"prev\":\"[0-9a-f]{64}\"", "\"prev\":\"" + hash + "\"");
                hash = digest.hash(hash, text.getBytes(UTF_8));
                text = text.replaceAll("\"hash\":\"[0-9a-f]{64}\"}$", "\"hash\":\"" + hash + "\"}");
                forged.add((text + "\n").getBytes(UTF_8));
            }
            return SampleLog.join(forged);
        }
    }
}
