package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Sealing;
import dev.cagewright.audit.verify.Sealing.Tail;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedLogTest {
    private final SealKey key = SealKey.generate();

    @TempDir
    Path folder;

    private Path path = Path.of("");

    @AfterEach
    void wipe() {
        key.close();
    }

    @Test
    void every_line_is_proven_once_the_log_was_sealed_and_closed() throws Exception {
        path = SampleLog.write(folder.resolve("log"), 3);
        seal();
        SampleLog.write(path, 5);

        var sealing = judge();
        assertThat(sealing.proof()).isEqualTo(Sealing.Proof.KEY);
        assertThat(sealing.tail()).isEqualTo(new Tail.Complete());
        assertThat(sealing.epochs()).isEqualTo(2);
        assertThat(sealing.sealed()).isEqualTo(lines().length);
        assertThat(lines()[lines().length - 1]).contains("\"part\":\"end\",\"epoch\":1,\"step\":6,\"opened\":2");
    }

    @Test
    void another_key_proves_nothing() throws Exception {
        sealed();
        try (var other = SealKey.generate()) {
            assertThat(LogVerifier.of(path).sealed(other).verify())
                    .isEqualTo(new Verdict.Broken(
                            2,
                            lines()[0].length() + 1L,
                            "the seal is not made with its key: a"
                                    + " line since the seal before it was changed, or the key belongs to another log"));
        }
    }

    @Test
    void a_log_without_seals_is_as_before_and_proves_nothing_with_a_key() throws Exception {
        path = SampleLog.write(folder.resolve("log"), 3);

        assertThat(intact(LogVerifier.of(path)).notes().sealing()).isEqualTo(Sealing.NONE);
        assertThat(judge().tail()).isInstanceOf(Tail.Unanchored.class);
        assertThat(Files.exists(folder.resolve("log.seal"))).isFalse();
    }

    @Test
    void the_seal_key_never_is_on_the_disk() throws Exception {
        sealed();
        SampleLog.write(path, 2);
        var digits = new String(key.digits(), StandardCharsets.US_ASCII).strip();
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain(digits);
            }
        }
    }

    @Test
    void a_log_that_is_open_or_was_left_open_has_no_proven_end() throws Exception {
        sealed();
        try (var log = AuditLog.open(path, InstantSource.system())) {
            log.append(intent("a-1", "allow"));
            var last = lines().length;

            assertThat(judge().tail())
                    .isEqualTo(new Tail.Unanchored("epoch 1 has no end: its writer still has the log open, was killed,"
                            + " or its lines behind line " + last + " were cut"));
        }
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
    }

    @Test
    void writers_that_take_turns_have_each_an_epoch() throws Exception {
        sealed();
        try (var one = AuditLog.open(path, InstantSource.system());
                var two = AuditLog.open(path, InstantSource.system())) {
            for (int i = 0; i < 10; i++) {
                one.append(intent("a-" + i, "allow"));
                two.append(intent("b-" + i, "allow"));
            }
        }
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
        assertThat(judge().epochs()).isEqualTo(3);
    }

    @Test
    void many_threads_of_many_openings_make_one_sealed_chain() throws Exception {
        sealed();
        try (var one = AuditLog.open(path, InstantSource.system());
                var two = AuditLog.open(path, InstantSource.system());
                var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                var log = i % 2 == 0 ? one : two;
                var id = "t-" + i;
                var _ = pool.submit(() -> {
                    for (int n = 0; n < 10; n++) {
                        log.append(intent(id, "allow"));
                    }
                    return id;
                });
            }
        }
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
        assertThat(SampleLog.text(path).split("proc.exec", -1)).hasSize(1001);
    }

    @Test
    void a_writer_that_has_the_log_open_while_it_is_sealed_seals_from_then_on() throws Exception {
        path = folder.resolve("log");
        try (var log = AuditLog.open(path, InstantSource.system())) {
            log.append(intent("a-1", "allow"));
            seal();
            log.append(intent("a-2", "allow"));
        }
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
    }

    @Test
    void a_log_is_sealed_once() throws Exception {
        sealed();
        try (var other = SealKey.generate()) {
            assertThatThrownBy(() -> AuditLog.seal(path, other, _ -> {}, InstantSource.system()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("audit log " + path + " is sealed already: a second key needs another log");
        }
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
    }

    @Test
    void no_state_no_append() throws Exception {
        sealed();
        Files.move(folder.resolve("log.seal"), folder.resolve("away"));

        assertDenied(
                "the seal state " + path + ".seal is missing: put it back, or move the log away and begin another");
        assertThat(judge().tail()).isEqualTo(new Tail.Unanchored("there is no seal state at " + path + ".seal"));

        Files.move(folder.resolve("away"), folder.resolve("log.seal"));
        SampleLog.write(path, 1);
    }

    @Test
    void a_state_that_cannot_be_read_denies() throws Exception {
        sealed();
        Files.write(folder.resolve("log.seal"), new byte[128 << 10]);

        assertDenied("the seal state " + path + ".seal cannot be read: it was cut or changed");
        assertThat(judge().tail()).isInstanceOf(Tail.Unanchored.class);
    }

    @Test
    void a_state_that_was_set_back_denies() throws Exception {
        sealed();
        SampleLog.write(path, 1);
        Files.copy(folder.resolve("log.seal"), folder.resolve("old"));
        SampleLog.write(path, 1);
        Files.copy(folder.resolve("old"), folder.resolve("log.seal"), StandardCopyOption.REPLACE_EXISTING);

        assertDenied("the seal state " + path + ".seal has seen 2 epochs, but the log 3: it was set back");
        assertThat(judge().tail())
                .isEqualTo(
                        new Tail.Unanchored("the seal state does not hold the key that follows the log's last epoch"));
    }

    @Test
    void a_state_of_another_log_denies() throws Exception {
        sealed();
        var other = folder.resolve("other");
        try (var second = SealKey.generate()) {
            AuditLog.seal(other, second, _ -> {}, InstantSource.system());
        }
        Files.copy(folder.resolve("other.seal"), folder.resolve("log.seal"), StandardCopyOption.REPLACE_EXISTING);

        assertDenied("the seal state " + path + ".seal belongs to another log than " + path);
    }

    @Test
    void a_log_that_lost_its_last_epoch_denies_and_is_cut() throws Exception {
        sealed();
        var before = Files.readAllBytes(path);
        SampleLog.write(path, 2);
        Files.write(path, before);

        assertDenied("audit log " + path + " has seen 1 epochs, but its seal state 2: lines are missing");
        var cut = new Tail.Cut("the seal state has seen 2 epochs begin, the log's lines only 1");
        assertThat(judge().tail()).isEqualTo(cut);
        assertThat(intact(LogVerifier.of(path)).notes().sealing().tail())
                .as("without the key too")
                .isEqualTo(cut);
    }

    @Test
    void a_log_that_lost_lines_of_its_last_epoch_is_cut() throws Exception {
        sealed();
        SampleLog.write(path, 3);
        var lines = SampleLog.lines(Files.readAllBytes(path));
        Files.write(path, SampleLog.join(lines.subList(0, lines.size() - 3)));

        assertThat(judge().tail())
                .isEqualTo(new Tail.Cut(
                        "the seal state has seen epoch 1 end with step 4, which the log's lines have not"));
        assertDenied("the end of audit log " + path + " is missing: its seal state has seen epoch 1 end with step 4");
    }

    @Test
    void a_key_that_is_not_kept_seals_nothing() throws Exception {
        path = SampleLog.write(folder.resolve("log"), 1);
        var before = Files.readAllBytes(path);
        AuditLog.Keeper noPaper = _ -> {
            throw new IOException("no paper");
        };

        assertThatThrownBy(() -> AuditLog.seal(path, key, noPaper, InstantSource.fixed(Instant.EPOCH)))
                .hasMessage("no paper");
        assertThat(Files.readAllBytes(path)).isEqualTo(before);
        assertThat(Files.exists(folder.resolve("log.seal"))).isFalse();
    }

    @Test
    void a_log_that_began_anew_behind_its_state_denies() throws Exception {
        sealed();
        Files.delete(path);

        assertThatThrownBy(() -> AuditLog.open(path, InstantSource.system()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the seal state " + path + ".seal belongs to another log");
    }

    @Test
    void a_killed_writer_is_taken_for_over_and_stays_unanchored_until_a_checkpoint()
            throws IOException, InterruptedException {
        sealed();
        try (var child = Child.start("append", path.toString(), "k", "100000")) {
            child.next();
            child.kill();
            child.exit();
        }
        SampleLog.write(path, 1);

        assertThat(SampleLog.text(path))
                .contains("\"part\":\"begin\",\"epoch\":2,\"step\":0,\"opened\":3,\"over\":[1]");
        var line = lines().length - 3;
        assertThat(judge().tail())
                .isEqualTo(new Tail.Unanchored("epoch 1 has no end: line " + line
                        + " takes its writer for killed, and no checkpoint covers that line"));

        var signer = SigningKey.generate(folder.resolve("k"));
        var secret = SigningKey.read(folder.resolve("k.secret.hex"));
        new CheckpointFiles(path).write(intact(LogVerifier.of(path)).sign(secret, Instant.EPOCH));
        assertThat(intact(LogVerifier.of(path).pinned(signer).sealed(key))
                        .notes()
                        .sealing()
                        .tail())
                .isEqualTo(new Tail.Complete());
    }

    @Test
    void a_living_writer_that_was_taken_for_over_begins_another_epoch() throws Exception {
        sealed();
        try (var one = AuditLog.open(path, InstantSource.system())) {
            one.append(intent("a-1", "allow"));
            Files.delete(folder.resolve("log.lock"));
            SampleLog.write(path, 1);
            one.append(intent("a-2", "allow"));
        }
        assertThat(SampleLog.text(path)).contains("\"over\":[1]").contains("\"part\":\"end\",\"epoch\":3");
        assertThat(judge().sealed()).isEqualTo(lines().length);
    }

    @Test
    void a_panic_has_its_seal_and_nothing_follows() throws Exception {
        sealed();
        try (var log = AuditLog.open(path, InstantSource.system())) {
            log.panic(Origin.LOG, "stolen");
        }
        var count = lines().length;

        assertThat(lines()[count - 1]).contains("\"part\":\"end\"");
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
        assertThat(intact(LogVerifier.of(path)).notes().panic()).contains("stolen");
        assertDenied("audit log " + path + " is frozen by the marker " + path + ".tainted");
        Files.delete(folder.resolve("log.tainted"));
        assertDenied("audit log " + path + " is frozen by a panic (line " + (count - 1) + ")");
    }

    @Test
    void a_batch_that_failed_is_sealed_again() throws Exception {
        sealed();
        var disk = new FailingDisk();
        try (var log = AuditLog.open(path, InstantSource.system(), disk, AuditLog.PATIENCE)) {
            log.append(intent("a-1", "allow"));
            disk.fails = true;
            assertThatThrownBy(() -> log.append(intent("a-2", "allow")))
                    .hasMessageEndingWith("No space left on device");
            assertThatThrownBy(() -> log.append(intent("a-3", "allow")))
                    .hasMessageEndingWith("No space left on device");
            disk.fails = false;
            log.append(intent("a-4", "allow"));
        }
        assertThat(SampleLog.text(path)).contains("a-1", "a-4").doesNotContain("a-2", "a-3");
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
    }

    @Test
    void a_seal_stands_at_least_every_64_kib() throws Exception {
        sealed();
        var long1 = "x".repeat(1000);
        try (var pool = Executors.newVirtualThreadPerTaskExecutor();
                var log = AuditLog.open(path, InstantSource.system())) {
            for (int i = 0; i < 400; i++) {
                var _ = pool.submit(() -> log.append(intent(long1, "allow")));
            }
        }
        long unsealed = 0;
        for (var line : lines()) {
            unsealed = line.contains("\"log.seal\"") ? 0 : unsealed + line.length() + 1;
            assertThat(unsealed).isLessThan((64 << 10) + 2000);
        }
        assertThat(judge().tail()).isEqualTo(new Tail.Complete());
    }

    private void sealed() throws IOException {
        path = folder.resolve("log");
        seal();
    }

    private void seal() throws IOException {
        AuditLog.seal(path, key, _ -> {}, InstantSource.system());
    }

    private String[] lines() throws IOException {
        return SampleLog.text(path).replace("\0", "").split("\n", 0);
    }

    private Sealing judge() throws IOException {
        return intact(LogVerifier.of(path).sealed(key)).notes().sealing();
    }

    private static Verdict.Intact intact(LogVerifier verifier) throws IOException {
        var verdict = verifier.verify();
        assertThat(verdict).isInstanceOf(Verdict.Intact.class);
        return (Verdict.Intact) verdict;
    }

    private void assertDenied(String message) throws IOException {
        var before = Files.readAllBytes(path);
        assertThatThrownBy(() -> AuditLog.open(path, InstantSource.system()))
                .isInstanceOf(IOException.class)
                .hasMessage(message);
        assertThat(Files.readAllBytes(path)).as("nothing was appended").isEqualTo(before);
    }
}
