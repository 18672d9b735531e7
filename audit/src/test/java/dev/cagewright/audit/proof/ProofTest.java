package dev.cagewright.audit.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.merkle.CompactRange;
import dev.cagewright.audit.note.NoteKey;
import dev.cagewright.audit.note.NoteKey.Algorithm;
import dev.cagewright.audit.note.NoteSyntaxException;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.ProofVerdict;
import dev.cagewright.audit.verify.ProofVerifier;
import dev.cagewright.audit.verify.Trust;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Proofs of a real log, checked with keys alone.
class ProofTest {
    private static final Optional<byte[]> TOLD = Optional.empty();

    @TempDir
    Path folder;

    private Path log = Path.of("");
    private Checkpoint old = sample();
    private Checkpoint checkpoint = sample();

    @BeforeEach
    void write_a_log_and_two_checkpoints() throws IOException {
        SigningKey.generate(folder.resolve("k"));
        log = SampleLog.write(folder.resolve("log"), 9);
        old = sign("k");
        SampleLog.write(log, 8);
        checkpoint = sign("k");
    }

    @Test
    void each_line_is_proven_without_the_log() throws Exception {
        var lines = SampleLog.lines(Files.readAllBytes(log));
        for (int seq = 1; seq <= 18; seq++) {
            var line = Arrays.copyOf(lines.get(seq - 1), lines.get(seq - 1).length - 1);
            var proof = new LogProver(log, checkpoint).inclusion(seq);

            assertThat(proof.includes(line)).isTrue();
            assertThat(InclusionProof.parse(proof.bytes())).isEqualTo(proof);
            assertThat(verifier().inclusion(proof.bytes(), TOLD))
                    .isInstanceOfSatisfying(ProofVerdict.Included.class, included -> {
                        assertThat(included.line().bytes()).isEqualTo(line);
                        assertThat(included.checkpoint()).isEqualTo(checkpoint);
                    });
            assertThat(verifier().inclusion(proof.bare().bytes(), Optional.of(line)))
                    .isInstanceOf(ProofVerdict.Included.class);
            assertThat(verifier().inclusion(proof.bare().bytes(), TOLD))
                    .isEqualTo(new ProofVerdict.Refused("the proof does not carry its line, and none was given"));
        }
    }

    @Test
    void another_line_another_number_and_another_key_are_not_proven() throws Exception {
        var lines = SampleLog.lines(Files.readAllBytes(log));
        var proof = new LogProver(log, checkpoint).inclusion(4).bytes();
        var other = Arrays.copyOf(lines.get(4), lines.get(4).length - 1);

        assertThat(verifier().inclusion(proof, Optional.of(other)))
                .isEqualTo(new ProofVerdict.Refused("the line is not line 4 of the log that the checkpoint is about"));
        assertThat(verifier().inclusion(edited(proof, "index 3\n", "index 2\n"), TOLD))
                .isEqualTo(new ProofVerdict.Refused("the line is not line 3 of the log that the checkpoint is about"));
        assertThat(verifier().inclusion(edited(proof, "\n18\n", "\n17\n"), TOLD))
                .isEqualTo(new ProofVerdict.Refused("the proof's checkpoint is not signed with the pinned key"));
        var stranger = new ProofVerifier(Trust.NOBODY.pinned(SigningKey.generate(folder.resolve("stranger"))));
        assertThat(stranger.inclusion(proof, TOLD))
                .isEqualTo(new ProofVerdict.Refused("the proof's checkpoint is not signed with the pinned key"));
        assertThatThrownBy(() -> new ProofVerifier(Trust.NOBODY))
                .hasMessage("key: none (expected: the public key of the log)");
    }

    @Test
    void a_checkpoint_of_another_log_proves_nothing_about_this_one() throws Exception {
        var proof = new LogProver(log, checkpoint).inclusion(4);
        SampleLog.write(folder.resolve("other"), 17);
        var foreign = signed(folder.resolve("other"), "k");

        assertThat(new InclusionProof(proof.path(), proof.extra(), foreign)
                        .includes(proof.line().orElseThrow()))
                .isFalse();
        assertThatThrownBy(() -> new LogProver(log, foreign).inclusion(4))
                .isInstanceOf(BrokenChainException.class)
                .hasMessage("the lines 1 to 18 are not those that the checkpoint was signed for");
    }

    @Test
    void a_log_that_grew_is_proven_to_whoever_kept_the_older_checkpoint() throws Exception {
        var proof = new LogProver(log, checkpoint).consistency(old);

        assertThat(ConsistencyProof.parse(proof.bytes())).isEqualTo(proof);
        assertThat(new String(proof.bytes(), UTF_8)).startsWith("old 10\n");
        assertThat(ProofVerifier.isConsistency(proof.bytes())).isTrue();
        assertThat(verifier().consistency(proof.bytes(), old)).isEqualTo(new ProofVerdict.Grown(old, checkpoint));
        assertThat(new LogProver(log, checkpoint).consistency(checkpoint).path().hashes())
                .isEmpty();
        assertThatThrownBy(() -> new LogProver(log, old).consistency(checkpoint))
                .hasMessage("the older checkpoint is about 18 lines, the newer one about 10");
    }

    @Test
    void a_log_that_was_written_anew_is_not_a_log_that_grew() throws Exception {
        var proof = new LogProver(log, checkpoint).consistency(old).bytes();
        Files.delete(log);
        SampleLog.write(log, 17);
        var forged = sign("k");

        assertThatThrownBy(() -> new LogProver(log, forged).consistency(old))
                .isInstanceOf(BrokenChainException.class)
                .hasMessage("the log does not begin with the lines that the older checkpoint was signed for");
        assertThat(verifier().consistency(proof, forged))
                .isEqualTo(new ProofVerdict.Refused("the older checkpoint is about another log"));
        assertThat(verifier().consistency(edited(proof, "old 10\n", "old 9\n"), old))
                .isEqualTo(new ProofVerdict.Refused(
                        "the log does not begin with the 10 lines that the older checkpoint was signed for"));
    }

    @Test
    void cosignatures_that_are_asked_for_must_be_there() throws Exception {
        var witness =
                new NoteKey("witness.example/w1", Algorithm.COSIGNATURE, SigningKey.generate(folder.resolve("w")));
        var asking = new ProofVerifier(Trust.NOBODY.pinned(key()).witnessed(List.of(witness), 1));
        var proof = new LogProver(log, checkpoint).inclusion(4);

        assertThat(asking.inclusion(proof.bytes(), TOLD))
                .isEqualTo(new ProofVerdict.Refused(
                        "the proof's checkpoint carries the cosignatures of 0 of the named witnesses, not of 1"));
        var cosigned = checkpoint.alsoSigned(checkpoint
                .note()
                .alsoSigned(witness, SigningKey.read(folder.resolve("w.secret.hex")), Instant.EPOCH)
                .signatures()
                .getLast());
        var witnessed = new InclusionProof(proof.path(), proof.extra(), cosigned);
        assertThat(asking.inclusion(witnessed.bytes(), TOLD))
                .isInstanceOfSatisfying(
                        ProofVerdict.Included.class,
                        included -> assertThat(included.witnesses()).containsExactly("witness.example/w1"));
        assertThatThrownBy(() -> Trust.NOBODY.witnessed(List.of(witness, witness), 2))
                .hasMessage("witnesses: one key twice (expected: one key for each)");
        assertThatThrownBy(() -> Trust.NOBODY.witnessed(List.of(checkpoint.key(key())), 1))
                .hasMessageEndingWith(": a key of another type (expected: 4, a cosignature's)");
    }

    @Test
    void what_is_no_proof_is_refused_with_a_reason() throws Exception {
        var proof = new LogProver(log, checkpoint).inclusion(4).bytes();

        refused(new byte[0], "has no blank line above its checkpoint");
        refused(
                edited(proof, "c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v2"),
                "does not start with c2sp.org/tlog-proof@v1");
        refused(edited(proof, "index 3", "index 03"), "has no line \"index <number>\" where it belongs");
        refused(edited(proof, "index 3", "index -3"), "has no line \"index <number>\" where it belongs");
        refused(edited(proof, "index 3", "index 18"), "is about a line behind its checkpoint");
        refused(
                edited(proof, "index 3", "index 9223372036854775808"),
                "has no line \"index <number>\" where it belongs");
        refused(edited(proof, "index 3\n", ""), "has no line \"index <number>\" where it belongs");
        refused(edited(proof, "extra ", "extra !"), "has an extra line that is not base64");
        refused(edited(proof, "index 3\n", "index 3\nAAAA\n"), "has a line that is no hash");
        refused(edited(proof, "index 3\n", "index 3\n" + "AAAA\n".repeat(65)), "has more than 64 hashes");
        refused(edited(proof, "index 3\n", "index 3\r\n"), "contains other characters than ASCII above its checkpoint");
        refused(new byte[ProofText.LONGEST + 1], "is longer than 2097152 bytes");
        assertThatThrownBy(() -> ConsistencyProof.parse(proof))
                .hasMessage("has no line \"old <number>\" where it belongs");
        assertThatThrownBy(() ->
                        ConsistencyProof.parse(("old 19\n\n" + new String(checkpoint.bytes(), UTF_8)).getBytes(UTF_8)))
                .hasMessage("is about an older log that is longer than its checkpoint's");
    }

    @Test
    void a_cut_log_proves_nothing_behind_its_end() throws Exception {
        var lines = SampleLog.lines(Files.readAllBytes(log));
        Files.write(log, SampleLog.join(lines.subList(0, 12)));

        assertThatThrownBy(() -> new LogProver(log, checkpoint).inclusion(2))
                .isInstanceOf(BrokenChainException.class)
                .hasMessage("the log ends here, but a checkpoint was signed for line 18");
        assertThat(new LogProver(log, old).inclusion(2).seq()).isEqualTo(2);
        assertThatThrownBy(() -> new LogProver(log, old).inclusion(11))
                .hasMessage("line 11 is not below the checkpoint, which is about the lines 1 to 10");
        assertThatThrownBy(() -> new LogProver(log, old).inclusion(0)).isInstanceOf(IOException.class);
    }

    private static void refused(byte[] proof, String reason) {
        assertThatThrownBy(() -> InclusionProof.parse(proof))
                .isInstanceOf(NoteSyntaxException.class)
                .hasMessage(reason);
    }

    private static byte[] edited(byte[] proof, String from, String to) {
        var text = new String(proof, UTF_8);
        assertThat(text).contains(from);
        return text.replaceFirst(Pattern.quote(from), to).getBytes(UTF_8);
    }

    private ProofVerifier verifier() throws IOException {
        return new ProofVerifier(Trust.NOBODY.pinned(key()));
    }

    private PinnedKey key() throws IOException {
        return PinnedKey.read(folder.resolve("k.pub.hex"));
    }

    private Checkpoint sign(String key) throws IOException {
        return signed(log, key);
    }

    private Checkpoint signed(Path path, String key) throws IOException {
        var intact = (Verdict.Intact) LogVerifier.of(path).verify();
        return intact.sign(SigningKey.read(folder.resolve(key + ".secret.hex")), Instant.EPOCH);
    }

    private static Checkpoint sample() {
        return new Checkpoint("0".repeat(32), CompactRange.empty().head(), "0".repeat(64), "", List.of());
    }
}
