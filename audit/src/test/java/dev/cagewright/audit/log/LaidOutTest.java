package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Space that is laid out ahead of the lines.
class LaidOutTest {
    @TempDir
    Path folder;

    @Test
    void an_event_alone_changes_no_size_until_the_space_is_used_up() throws Exception {
        var path = folder.resolve("log");
        try (var log = AuditLog.open(path, InstantSource.system())) {
            var sizes = new ArrayList<Long>();
            for (int i = 0; i < 400; i++) {
                log.append(intent("a-" + i, "allow"));
                sizes.add(Files.size(path));
            }
            assertThat(sizes.stream().distinct().count()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void a_log_that_is_open_verifies_and_reads_and_zeros_are_its_end() throws Exception {
        var path = folder.resolve("log");
        try (var log = AuditLog.open(path, InstantSource.system())) {
            log.append(intent("a-1", "allow"));

            assertThat(Files.readAllBytes(path)).endsWith(new byte[1024]);
            assertThat(count(path)).isEqualTo(2);
            var found = new ArrayList<StoredLine>();
            new EventReader(path).newestFirst(EventQuery.ALL, found::add);
            assertThat(found).hasSize(2).allMatch(line -> line instanceof StoredLine.Whole);
        }
    }

    @Test
    void a_log_that_was_closed_ends_in_its_last_line() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 3);

        assertThat(SampleLog.text(path)).endsWith("\"}\n");
    }

    @Test
    void one_writer_gives_back_no_space_that_another_one_filled() throws Exception {
        var path = folder.resolve("log");
        try (var one = AuditLog.open(path, InstantSource.system())) {
            try (var two = AuditLog.open(path, InstantSource.system())) {
                two.append(intent("b-1", "allow"));
                one.append(intent("a-1", "allow"));
            }
            one.append(intent("a-2", "allow"));
        }
        assertThat(count(path)).isEqualTo(4);
    }

    @Test
    void a_log_that_was_left_open_goes_on_behind_its_last_line() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 3);
        Files.write(path, new byte[700 << 10], StandardOpenOption.APPEND);
        SampleLog.write(path, 2);

        assertThat(count(path)).isEqualTo(6);
        assertThat(SampleLog.text(path)).doesNotContain("log.repair").endsWith("\"}\n");
    }

    @Test
    void a_large_log_that_was_left_open_goes_on_too() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 4000);
        assertThat(Files.size(path)).isGreaterThan(Opening.WHOLE);
        Files.write(path, new byte[900 << 10], StandardOpenOption.APPEND);
        SampleLog.write(path, 2);

        assertThat(count(path)).isEqualTo(4003);
    }

    @Test
    void a_batch_with_a_hole_is_set_aside_whole() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 3);
        var lines = SampleLog.lines(Files.readAllBytes(path));
        var torn = Arrays.copyOf(lines.getLast(), lines.getLast().length + 4096);
        torn[torn.length - 1] = '}';
        Arrays.fill(torn, 0, 100, (byte) 0);
        Files.write(path, torn, StandardOpenOption.APPEND);

        assertThat(LogVerifier.of(path).verify())
                .isInstanceOfSatisfying(
                        Verdict.Broken.class,
                        broken -> assertThat(broken.reason()).isEqualTo("zero bytes stand before other bytes"));
        SampleLog.write(path, 1);
        assertThat(count(path)).isEqualTo(6);
        assertThat(SampleLog.text(path)).contains("\"torn_bytes\":" + torn.length);
        assertThat(Files.readAllBytes(folder.resolve("log.torn-1"))).isEqualTo(torn);
    }

    @Test
    void zeros_within_the_lines_are_damage() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 3);
        var bytes = Files.readAllBytes(path);
        int second = new String(bytes, UTF_8).indexOf('\n') + 1;
        Arrays.fill(bytes, second, second + 40, (byte) 0);
        Files.write(path, bytes);

        assertThat(LogVerifier.of(path).verify())
                .isEqualTo(new Verdict.Broken(2, second, "zero bytes stand before other bytes"));
    }

    private static long count(Path path) throws IOException {
        var verdict = LogVerifier.of(path).verify();
        assertThat(verdict).isInstanceOf(Verdict.Intact.class);
        return ((Verdict.Intact) verdict).count();
    }
}
