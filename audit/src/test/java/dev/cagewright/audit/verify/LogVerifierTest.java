package dev.cagewright.audit.verify;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.checkpoint.LogState;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.merkle.TreeHash;
import dev.cagewright.audit.merkle.TreeHead;
import dev.cagewright.audit.note.NoteKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogVerifierTest {
    @TempDir
    Path folder;

    private Path log = Path.of("");

    @BeforeEach
    void write_a_log() throws IOException {
        log = SampleLog.write(folder.resolve("log"), 9);
    }

    @Test
    void an_unsigned_log_is_intact_and_unanchored() throws Exception {
        var intact = intact(LogVerifier.of(log));

        assertThat(intact.count()).isEqualTo(10);
        assertThat(intact.anchored()).isZero();
        assertThat(intact.unanchored()).isEqualTo(10);
        assertThat(SampleLog.text(log))
                .endsWith("\"hash\":\"" + intact.head() + "\"}\n")
                .contains(intact.log());
    }

    @Test
    void an_allowed_intent_without_an_outcome_is_reported_and_a_denied_one_is_not() throws Exception {
        assertThat(intact(LogVerifier.of(log)).notes().interrupted()).containsExactly("k3v9x2m4qp-5");
        try (var open = AuditLog.open(log, InstantSource.system())) {
            assertThat(open.interrupted()).containsExactly("k3v9x2m4qp-5");
            open.append(Event.outcome(
                    SampleLog.ORIGIN.decision("k3v9x2m4qp-5"), SampleLog.exec("python3"), JsonObject.EMPTY));
        }
        assertThat(intact(LogVerifier.of(log)).notes().interrupted()).isEmpty();
    }

    @Test
    void a_checkpoint_anchors_everything_up_to_its_line() throws Exception {
        var key = sign("k");
        SampleLog.write(log, 3);

        var intact = intact(LogVerifier.of(log).pinned(key));

        assertThat(intact.notes().checkpoints()).isEqualTo(1);
        assertThat(intact.anchored()).isEqualTo(10);
        assertThat(intact.unanchored()).isEqualTo(3);
    }

    @Test
    void a_checkpoint_of_another_key_fails() throws Exception {
        sign("k");
        var other = SigningKey.generate(folder.resolve("other"));

        assertThat(LogVerifier.of(log).pinned(other).verify())
                .isEqualTo(new Verdict.Broken(
                        0,
                        0,
                        "checkpoint " + folder.resolve("log.checkpoint.10") + " is not signed with the pinned key"));
    }

    @Test
    void an_old_checkpoint_under_a_new_name_fails() throws Exception {
        var key = sign("k");
        SampleLog.write(log, 3);
        var renamed = Files.move(folder.resolve("log.checkpoint.10"), folder.resolve("log.checkpoint.13"));

        assertThat(LogVerifier.of(log).pinned(key).verify())
                .isEqualTo(new Verdict.Broken(0, 0, "checkpoint " + renamed + " is about line 10"));
    }

    @Test
    void a_checkpoint_of_another_log_fails() throws Exception {
        var key = sign("k");
        var other = SampleLog.write(folder.resolve("sub/log"), 9);
        Files.copy(folder.resolve("log.checkpoint.10"), folder.resolve("sub/log.checkpoint.10"));

        assertThat(LogVerifier.of(other).pinned(key).verify())
                .isEqualTo(new Verdict.Broken(1, 0, "the checkpoint of line 10 is about another log"));
    }

    @Test
    void a_cut_log_fails_against_a_checkpoint_that_was_kept_elsewhere() throws Exception {
        var key = sign("k");
        var kept = Files.move(folder.resolve("log.checkpoint.10"), folder.resolve("kept"));
        var lines = SampleLog.lines(Files.readAllBytes(log));
        Files.write(log, SampleLog.join(lines.subList(0, 8)));

        assertThat(LogVerifier.of(log).pinned(key).verify()).isInstanceOf(Verdict.Intact.class);
        assertThat(LogVerifier.of(log).pinned(key).anchored(kept).verify())
                .isEqualTo(new Verdict.Broken(
                        9, Files.size(log), "the log ends here, but a checkpoint was signed for line 10"));
    }

    @Test
    void a_missing_log_fails_and_says_what_was_signed() throws Exception {
        sign("k");
        Files.delete(log);

        assertThat(LogVerifier.of(log).verify())
                .isEqualTo(new Verdict.Broken(
                        0, 0, "there is no log at " + log + ", but a checkpoint was signed for line 10"));
        Files.createFile(log);
        assertThat(LogVerifier.of(log).verify())
                .isEqualTo(new Verdict.Broken(1, 0, "the log is empty, but a checkpoint was signed for line 10"));
    }

    @Test
    void B204_a_checkpoint_that_was_cut_anywhere_fails() throws Exception {
        sign("k");
        var file = folder.resolve("log.checkpoint.10");
        var whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(LogVerifier.of(log).verify())
                    .isInstanceOfSatisfying(
                            Verdict.Broken.class,
                            broken -> assertThat(broken.reason()).startsWith("checkpoint " + file + " "));
        }
    }

    @Test
    void B204_a_log_that_was_cut_anywhere_in_its_last_line_is_torn_and_never_shorter() throws Exception {
        var whole = Files.readAllBytes(log);
        int last = SampleLog.lines(whole).getLast().length;
        var copy = Files.createDirectory(folder.resolve("copies")).resolve("log");
        for (int cut = 1; cut < last; cut++) {
            Files.write(copy, Arrays.copyOf(whole, whole.length - cut));
            assertThat(LogVerifier.of(copy).verify())
                    .isInstanceOfSatisfying(
                            Verdict.Broken.class,
                            broken -> assertThat(broken.reason()).startsWith("the last line is torn"));
        }
    }

    @Test
    void a_root_that_is_not_that_of_the_lines_fails_although_the_last_hash_is_right() throws Exception {
        var key = sign("k");
        var state = intact(LogVerifier.of(log)).state();
        var wrong = new LogState(state.log(), new TreeHead(10, TreeHash.EMPTY), state.head());
        Files.delete(folder.resolve("log.checkpoint.10"));
        var files = new CheckpointFiles(log);
        files.write(Checkpoint.sign(SigningKey.read(folder.resolve("k.secret.hex")), wrong, Instant.EPOCH));

        assertThat(LogVerifier.of(log).pinned(key).verify()).isInstanceOfSatisfying(Verdict.Broken.class, broken -> {
            assertThat(broken.line()).isEqualTo(10);
            assertThat(broken.reason())
                    .isEqualTo("the lines up to here do not give the root that a checkpoint was signed for");
        });
    }

    @Test
    void only_what_enough_witnesses_cosigned_anchors_the_log() throws Exception {
        var key = sign("k");
        var one = witness("w1");
        var two = witness("w2");
        var file = folder.resolve("log.checkpoint.10");
        var asking = LogVerifier.of(log).pinned(key).witnessed(List.of(one, two), 1);

        assertThat(asking.verify())
                .isEqualTo(
                        new Verdict.Broken(0, 0, "no checkpoint carries the cosignatures of 1 of the named witnesses"));
        var cosigned = cosign(Checkpoint.read(file), one, "w1");
        Files.write(file, cosigned.bytes());
        assertThat(intact(asking).anchored()).isEqualTo(10);
        assertThat(LogVerifier.of(log)
                        .pinned(key)
                        .witnessed(List.of(one, two), 2)
                        .verify())
                .isInstanceOf(Verdict.Broken.class);

        SampleLog.write(log, 3);
        var again = intact(LogVerifier.of(log)).sign(SigningKey.read(folder.resolve("k.secret.hex")), Instant.EPOCH);
        new CheckpointFiles(log).write(again);
        assertThat(intact(asking).anchored()).isEqualTo(10);
        assertThat(intact(LogVerifier.of(log).pinned(key)).anchored()).isEqualTo(13);

        var forged = cosign(again, new NoteKey(two.name(), two.type(), two.key()), "w1");
        Files.write(folder.resolve("log.checkpoint.13"), forged.bytes());
        assertThat(asking.verify())
                .isEqualTo(new Verdict.Broken(
                        0,
                        0,
                        "checkpoint " + folder.resolve("log.checkpoint.13")
                                + " carries a wrong signature of the witness w2"));
    }

    private NoteKey witness(String name) throws IOException {
        return new NoteKey(name, NoteKey.Algorithm.COSIGNATURE, SigningKey.generate(folder.resolve(name)));
    }

    private Checkpoint cosign(Checkpoint checkpoint, NoteKey as, String signer) throws IOException {
        var key = SigningKey.read(folder.resolve(signer + ".secret.hex"));
        return checkpoint.alsoSigned(checkpoint
                .note()
                .alsoSigned(as, key, Instant.ofEpochSecond(1_800_000_000))
                .signatures()
                .getLast());
    }

    @Test
    void a_panic_freezes_the_log_for_ever() throws Exception {
        try (var open = AuditLog.open(log, InstantSource.system())) {
            assertThat(open.panic(SampleLog.ORIGIN, "the agent went mad").seq()).isEqualTo(11);
            assertThatThrownBy(() -> open.append(intent("a-1", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("audit log " + log + " is frozen by a panic (line 11)");
            assertThatThrownBy(() -> open.panic(SampleLog.ORIGIN, "again"))
                    .hasMessage("audit log " + log + " is frozen by a panic (line 11)");
        }
        assertThat(intact(LogVerifier.of(log)).notes().panic()).isEqualTo(Optional.of("the agent went mad"));

        Files.delete(folder.resolve("log.tainted"));
        assertThatThrownBy(() -> AuditLog.open(log, InstantSource.system()))
                .isInstanceOf(IOException.class)
                .hasMessage("audit log " + log + " is frozen by a panic (line 11)");
    }

    @Test
    void a_panic_reaches_other_writers_of_the_log() throws Exception {
        try (var one = AuditLog.open(log, InstantSource.system());
                var two = AuditLog.open(log, InstantSource.system())) {
            one.panic(SampleLog.ORIGIN, "stop");
            Files.delete(folder.resolve("log.tainted"));
            assertThatThrownBy(() -> two.append(intent("a-1", "allow")))
                    .hasMessage("audit log " + log + " is frozen by a panic (line 11)");
        }
    }

    @Test
    void a_line_behind_a_panic_is_broken_even_when_it_is_chained_right() throws Exception {
        try (var open = AuditLog.open(log, InstantSource.system())) {
            open.panic(SampleLog.ORIGIN, "stop");
        }
        long size = Files.size(log);
        var forged = SampleLog.lines(Files.readAllBytes(log)).getLast();
        Files.write(log, forged, StandardOpenOption.APPEND);

        assertThat(LogVerifier.of(log).verify())
                .isEqualTo(new Verdict.Broken(12, size, "log extended after panic freeze"));
        Files.delete(folder.resolve("log.tainted"));
        assertThatThrownBy(() -> AuditLog.open(log, InstantSource.system()))
                .hasMessage("audit log " + log + " is damaged at line 12 (byte " + size
                        + "): log extended after panic freeze");
    }

    @Test
    void a_marker_on_a_healthy_log_is_honoured() throws Exception {
        try (var open = AuditLog.open(log, InstantSource.system())) {
            var marker = Files.createFile(folder.resolve("log.tainted"));
            assertThatThrownBy(() -> open.append(intent("a-1", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("audit log " + log + " is frozen by the marker " + marker);
            assertThatThrownBy(() -> AuditLog.open(log, InstantSource.system()))
                    .hasMessage("audit log " + log + " is frozen by the marker " + marker);
            Files.delete(marker);
            assertThat(open.append(intent("a-1", "allow")).seq()).isEqualTo(11);
        }
    }

    @Test
    void keys_are_for_their_owner_and_never_overwritten() throws Exception {
        var key = SigningKey.generate(folder.resolve("k"));
        var secret = folder.resolve("k.secret.hex");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(folder.resolve("k.pub.hex"))).isEqualTo(key.hex() + "\n");
        assertThat(SigningKey.read(secret).toString()).isEqualTo("an Ed25519 signing key");
        assertThatThrownBy(() -> SigningKey.generate(folder.resolve("k")))
                .hasMessage("key file " + secret + " exists already: choose another name or move it away");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> SigningKey.read(secret))
                .hasMessage("secret key " + secret + " is open to others (rw-r-----): run chmod 600 on it,"
                        + " and make a new key if others may have read it");
        assertThatThrownBy(() -> PinnedKey.read(log))
                .hasMessage("key file " + log + " does not hold 64 hexadecimal digits and nothing else");
    }

    @Test
    void a_line_is_signed_once() throws Exception {
        sign("k");
        var intact = intact(LogVerifier.of(log));
        var again = intact.sign(SigningKey.read(folder.resolve("k.secret.hex")), Instant.EPOCH);

        assertThatThrownBy(() -> new CheckpointFiles(log).write(again))
                .hasMessage("line 10 is signed already by " + folder.resolve("log.checkpoint.10"));
        assertThat(Checkpoint.read(folder.resolve("log.checkpoint.10"))).isEqualTo(again);
    }

    private PinnedKey sign(String name) throws IOException {
        var key = SigningKey.generate(folder.resolve(name));
        new CheckpointFiles(log)
                .write(intact(LogVerifier.of(log))
                        .sign(SigningKey.read(folder.resolve(name + ".secret.hex")), Instant.EPOCH));
        assertThat(PinnedKey.read(folder.resolve(name + ".pub.hex")).hex()).isEqualTo(key.hex());
        return key;
    }

    private static Verdict.Intact intact(LogVerifier verifier) throws IOException {
        var verdict = verifier.verify();
        assertThat(verdict).isInstanceOf(Verdict.Intact.class);
        return (Verdict.Intact) verdict;
    }
}
