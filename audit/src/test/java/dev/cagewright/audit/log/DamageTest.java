package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Logs that somebody or something damaged, and what opening and appending make of them.
class DamageTest {
    @TempDir
    Path folder;

    private Path path = Path.of("");

    @BeforeEach
    void write_a_log() throws IOException {
        path = SampleLog.write(folder.resolve("log"), 6);
    }

    static Stream<byte[]> torn() {
        return Stream.of(
                "{\"seq\":9,".getBytes(UTF_8),
                new byte[] {'{', '"', (byte) 0xe2, (byte) 0x80},
                "{\"seq\":8,\"time\":\"2026-01-01T00:00:00.000000Z\"}".getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource("torn")
    void B197_a_torn_tail_is_set_aside_and_noted(byte[] torn) throws Exception {
        Files.write(path, torn, StandardOpenOption.APPEND);
        assertThat(LogVerifier.of(path).verify())
                .isEqualTo(new Verdict.Broken(
                        8,
                        Files.size(path) - torn.length,
                        "the last line is torn: its " + torn.length
                                + " bytes have no line end (the next writer sets them aside and says so in the log)"));

        try (var log = AuditLog.open(path, InstantSource.system())) {
            assertThat(log.append(intent("a-9", "allow")).seq()).isEqualTo(9);
        }

        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
        assertThat(Files.readAllBytes(folder.resolve("log.torn-1"))).isEqualTo(torn);
        assertThat(SampleLog.text(path))
                .contains("{\"name\":\"log.repair\"}")
                .contains("\"torn_bytes\":" + torn.length)
                .contains("\"kept\":\"log.torn-1\"");
    }

    @Test
    void B197_a_last_line_that_lacks_only_its_line_end_is_kept() throws Exception {
        cut(1);

        try (var log = AuditLog.open(path, InstantSource.system())) {
            assertThat(log.append(intent("a-9", "allow")).seq()).isEqualTo(9);
        }

        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
        assertThat(SampleLog.text(path)).contains("\"detail\":{\"line_end_added\":7}");
        assertThat(folder.resolve("log.torn-1")).doesNotExist();
    }

    @Test
    void a_tail_that_is_torn_again_gets_another_name() throws Exception {
        for (int n = 1; n <= 2; n++) {
            Files.writeString(path, "torn " + n, StandardOpenOption.APPEND);
            AuditLog.open(path, InstantSource.system()).close();
            assertThat(folder.resolve("log.torn-" + n)).hasContent("torn " + n);
        }
    }

    @Test
    void a_torn_tail_under_a_live_writer_is_repaired_before_its_next_line() throws Exception {
        try (var log = AuditLog.open(path, InstantSource.system())) {
            Files.writeString(path, "{\"seq\":8", StandardOpenOption.APPEND);
            assertThat(log.append(intent("a-9", "allow")).seq()).isEqualTo(9);
        }
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void a_log_with_nothing_but_a_torn_line_begins_anew_and_says_so() throws Exception {
        Files.writeString(path, "{\"seq\":1,\"ti");

        AuditLog.open(path, InstantSource.system()).close();

        assertThat(LogVerifier.of(path).verify())
                .isInstanceOfSatisfying(
                        Verdict.Intact.class,
                        intact -> assertThat(intact.count()).isEqualTo(2));
    }

    @Test
    void a_changed_line_is_never_built_upon() throws Exception {
        var bytes = Files.readAllBytes(path);
        var lines = SampleLog.lines(bytes);
        int third = lines.get(0).length + lines.get(1).length;
        bytes[third + 60] ^= 1;
        Files.write(path, bytes);

        assertThatThrownBy(() -> AuditLog.open(path, InstantSource.system()))
                .isInstanceOf(IOException.class)
                .hasMessage("audit log " + path + " is damaged at line 3 (byte " + third
                        + "): the line's bytes do not give its hash");
        assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    }

    @Test
    void a_large_log_is_verified_at_its_end_alone() throws Exception {
        var big = folder.resolve("big");
        try (var log = AuditLog.open(big, InstantSource.system())) {
            for (int i = 0; i < 12; i++) {
                var detail = Json.object().put("text", "x".repeat(250_000)).build();
                log.append(intent("a-" + i, "allow").detailed(detail));
            }
        }
        assertThat(Files.size(big)).isGreaterThan(Opening.WHOLE);
        try (var log = AuditLog.open(big, InstantSource.system())) {
            assertThat(log.append(intent("b-1", "allow")).seq()).isEqualTo(14);
            assertThat(log.interrupted()).contains("a-11").doesNotContain("a-0");
        }

        var bytes = Files.readAllBytes(big);
        bytes[bytes.length - 100_000] ^= 1;
        Files.write(big, bytes);
        assertThatThrownBy(() -> AuditLog.open(big, InstantSource.system()))
                .hasMessageContaining("is damaged at line 13");
    }

    @Test
    void a_replaced_log_denies_and_is_not_touched() throws Exception {
        try (var log = AuditLog.open(path, InstantSource.system())) {
            var other = SampleLog.write(folder.resolve("other"), 6);
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            var bytes = Files.readAllBytes(path);

            assertThatThrownBy(() -> log.append(intent("a-9", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("audit log " + path + " was replaced while it was open");
            assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
        }
    }

    @Test
    void a_vanished_log_denies_and_is_not_created_again() throws Exception {
        try (var log = AuditLog.open(path, InstantSource.system())) {
            var away = Files.move(path, folder.resolve("away"));
            assertThatThrownBy(() -> log.append(intent("a-9", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("audit log " + path + " has vanished");
            assertThat(path).doesNotExist();

            Files.move(away, path);
            assertThat(log.append(intent("a-9", "allow")).seq()).isEqualTo(8);
        }
    }

    @Test
    void B198_a_removed_folder_denies() throws Exception {
        var gone = SampleLog.write(folder.resolve("sub/log"), 1);
        try (var log = AuditLog.open(gone, InstantSource.system())) {
            for (var name : List.of("log", "log.lock")) {
                Files.delete(gone.resolveSibling(name));
            }
            Files.delete(folder.resolve("sub"));
            assertThatThrownBy(() -> log.append(intent("a-9", "allow"))).isInstanceOf(IOException.class);
            assertThat(folder.resolve("sub")).doesNotExist();
        }
    }

    @Test
    void a_log_that_was_cut_under_its_writer_denies() throws Exception {
        try (var log = AuditLog.open(path, InstantSource.system())) {
            long size = Files.size(path);
            cut(100);
            assertThatThrownBy(() -> log.append(intent("a-9", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("audit log " + path + " was cut from " + size + " to " + (size - 100) + " bytes");
        }
    }

    @Test
    void a_last_line_that_was_changed_under_its_writer_denies() throws Exception {
        try (var log = AuditLog.open(path, InstantSource.system())) {
            var text = SampleLog.text(path);
            Files.writeString(path, text.substring(0, text.length() - 10) + "000000\"}\n".substring(0, 9) + "\n");
            assertThatThrownBy(() -> log.append(intent("a-9", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("audit log " + path + " was changed at line 7");
        }
    }

    @Test
    void a_log_that_misses_signed_lines_is_not_opened() throws Exception {
        SigningKey.generate(folder.resolve("k"));
        var intact = (Verdict.Intact) LogVerifier.of(path).verify();
        new CheckpointFiles(path).write(intact.sign(SigningKey.read(folder.resolve("k.secret.hex")), Instant.EPOCH));
        var lines = SampleLog.lines(Files.readAllBytes(path));
        Files.write(path, SampleLog.join(lines.subList(0, 5)));

        assertThatThrownBy(() -> AuditLog.open(path, InstantSource.system()))
                .hasMessage("audit log " + path
                        + " ends at line 5, but a checkpoint was signed for line 7: lines are missing");
        Files.delete(path);
        assertThatThrownBy(() -> AuditLog.open(path, InstantSource.system()))
                .hasMessage("audit log " + path
                        + " ends at line 0, but a checkpoint was signed for line 7: lines are missing");
        assertThat(path).doesNotExist();
    }

    @Test
    void links_devices_and_files_open_to_others_are_no_logs() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link"), path);
        assertThatThrownBy(() -> AuditLog.open(link, InstantSource.system()))
                .isInstanceOf(IOException.class)
                .hasMessage("audit log " + link + " is no regular file");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw----"));
        assertThatThrownBy(() -> AuditLog.open(path, InstantSource.system()))
                .hasMessage("audit log " + path + " may be written by others (rw-rw----): run chmod 600 on it");
    }

    private void cut(int bytes) throws IOException {
        var all = Files.readAllBytes(path);
        Files.write(path, Arrays.copyOf(all, all.length - bytes));
    }
}
