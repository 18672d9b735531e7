package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.chain.ChainWalker;
import dev.cagewright.audit.event.LogLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    @TempDir
    Path folder;

    @Test
    void an_event_is_one_line_behind_the_line_that_begins_the_log() throws Exception {
        var path = folder.resolve("log");

        Appended appended;
        try (var log = AuditLog.open(path, InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678901Z")))) {
            appended = log.append(intent("k3v9x2m4qp-1", "allow"));
        }

        var lines = walk(path);
        assertThat(appended.seq()).isEqualTo(2);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1).json())
                .isEqualTo("{\"seq\":2,\"time\":\"2026-01-02T03:04:05.678901Z\",\"session\":\"k3v9x2m4qp\","
                        + "\"cage\":\"analysis\",\"id\":\"k3v9x2m4qp-1\",\"kind\":\"intent\","
                        + "\"action\":{\"name\":\"proc.exec\",\"argv\":[\"true\"]},\"decision\":\"allow\","
                        + "\"rules\":[\"exec:allow\"],\"detail\":{},\"prev\":\""
                        + lines.get(0).hash() + "\",\"hash\":\"" + appended.hash() + "\"}");
    }

    @Test
    void a_log_is_continued_where_it_ended() throws Exception {
        var path = folder.resolve("log");
        try (var log = AuditLog.open(path, InstantSource.system())) {
            log.append(intent("a-1", "allow"));
        }
        try (var log = AuditLog.open(path, InstantSource.system())) {
            assertThat(log.append(intent("a-2", "deny")).seq()).isEqualTo(3);
        }

        assertThat(walk(path)).hasSize(3);
    }

    @Test
    void a_log_and_its_folder_are_for_the_owner_alone() throws Exception {
        var path = folder.resolve("new/deep/log");
        AuditLog.open(path, InstantSource.system()).close();

        assertThat(mode(path)).isEqualTo("rw-------");
        assertThat(mode(folder.resolve("new/deep"))).isEqualTo("rwx------");
        assertThat(mode(folder.resolve("new"))).isEqualTo("rwx------");
        assertThat(mode(path.resolveSibling("log.lock"))).isEqualTo("rw-------");
    }

    @Test
    void two_logs_open_on_one_file_take_turns() throws Exception {
        var path = folder.resolve("log");
        try (var one = AuditLog.open(path, InstantSource.system());
                var two = AuditLog.open(path, InstantSource.system())) {
            assertThat(one.append(intent("a-1", "allow")).seq()).isEqualTo(2);
            assertThat(two.append(intent("b-1", "allow")).seq()).isEqualTo(3);
            assertThat(one.append(intent("a-2", "allow")).seq()).isEqualTo(4);
        }

        assertThat(walk(path)).hasSize(4);
    }

    @Test
    void a_closed_log_takes_nothing() throws Exception {
        var log = AuditLog.open(folder.resolve("log"), InstantSource.system());
        log.close();

        assertThatThrownBy(() -> log.append(intent("a-1", "allow")))
                .isInstanceOf(IOException.class)
                .hasMessage("the audit log is closed");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static List<LogLine> walk(Path path) throws Exception {
        var walker = ChainWalker.fromStart();
        var lines = new ArrayList<LogLine>();
        for (var line : Files.readString(path).split("\n", -1)) {
            if (!line.isEmpty()) {
                lines.add(walker.next(line.getBytes(StandardCharsets.UTF_8)));
            }
        }
        return lines;
    }
}
