package dev.cagewright.audit.read;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventReaderTest {
    @TempDir
    Path folder;

    @Test
    void events_come_newest_first_and_with_their_exact_bytes() throws Exception {
        var log = SampleLog.write(folder.resolve("log"), 12);

        var lines = found(log, EventQuery.ALL);

        var expected = new ArrayList<>(SampleLog.text(log).lines().toList());
        Collections.reverse(expected);
        assertThat(lines.stream().map(LogLine::json)).isEqualTo(expected);
    }

    @Test
    void a_query_narrows_by_session_action_decision_time_and_number() throws Exception {
        var log = folder.resolve("log");
        try (var open = AuditLog.open(log, InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")))) {
            open.append(intent("a-1", "allow"));
        }
        try (var open = AuditLog.open(log, InstantSource.fixed(Instant.parse("2026-01-02T00:00:00Z")))) {
            open.append(intent("a-2", "deny"));
            open.append(Event.note(
                    Origin.of("other", "c"),
                    Json.object().put("name", "run.note").build(),
                    JsonObject.EMPTY));
        }

        assertThat(seqs(log, EventQuery.ALL)).containsExactly(4L, 3L, 2L, 1L);
        assertThat(seqs(log, EventQuery.ALL.ofSession("other"))).containsExactly(4L);
        assertThat(seqs(log, EventQuery.ALL.ofAction("proc.exec"))).containsExactly(3L, 2L);
        assertThat(seqs(log, EventQuery.ALL.ofDecision("deny"))).containsExactly(3L);
        assertThat(seqs(log, EventQuery.ALL.notBefore(Instant.parse("2026-01-01T12:00:00Z"))))
                .containsExactly(4L, 3L);
        assertThat(seqs(log, EventQuery.ALL.atMost(2))).containsExactly(4L, 3L);
        assertThat(seqs(log, EventQuery.ALL.ofSession("nobody"))).isEmpty();
        assertThatThrownBy(() -> EventQuery.ALL.atMost(0)).hasMessage("limit: 0 (expected: at least 1)");
    }

    @Test
    void a_log_larger_than_any_block_is_read_from_its_end() throws Exception {
        var log = folder.resolve("log");
        try (var open = AuditLog.open(log, InstantSource.system())) {
            for (int i = 0; i < 60; i++) {
                var detail =
                        Json.object().put("text", "x".repeat(i * 997 % 60_000)).build();
                open.append(intent("a-" + i, "allow").detailed(detail));
            }
        }
        assertThat(seqs(log, EventQuery.ALL)).hasSize(61).startsWith(61L, 60L).endsWith(2L, 1L);
    }

    @Test
    void what_is_no_line_is_shown_whatever_is_asked_for_and_a_torn_end_is_left_out() throws Exception {
        var log = SampleLog.write(folder.resolve("log"), 2);
        Files.writeString(log, "not a line\n{\"seq\":9", StandardOpenOption.APPEND);

        var found = new ArrayList<StoredLine>();
        new EventReader(log).newestFirst(EventQuery.ALL.ofSession("nobody"), found::add);

        assertThat(found)
                .containsExactly(new StoredLine.Damaged(
                        "it does not end in the members prev and hash of 64 hexadecimal digits"));
    }

    @Test
    void a_missing_log_is_told_and_an_empty_one_has_no_events() throws Exception {
        assertThatThrownBy(() -> found(folder.resolve("none"), EventQuery.ALL))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no audit log at " + folder.resolve("none"));
        assertThat(found(Files.createFile(folder.resolve("empty")), EventQuery.ALL))
                .isEmpty();
    }

    @Test
    void a_follower_sees_the_newest_and_then_everything_new() throws IOException, InterruptedException {
        var log = SampleLog.write(folder.resolve("log"), 5);
        var seen = new LinkedBlockingQueue<Long>();
        var failure = new LinkedBlockingQueue<String>();
        var follower = Thread.ofVirtual().start(() -> {
            try {
                new EventReader(log).follow(EventQuery.ALL.atMost(2), line -> seen.add(seq(line)));
            } catch (IOException e) {
                failure.add(String.valueOf(e.getMessage()));
            }
        });
        assertThat(next(seen)).isEqualTo(5);
        assertThat(next(seen)).isEqualTo(6);
        try (var open = AuditLog.open(log, InstantSource.system())) {
            open.append(intent("a-1", "allow"));
            assertThat(next(seen)).isEqualTo(7);
            open.append(intent("a-2", "allow"));
            assertThat(next(seen)).isEqualTo(8);
        }
        Files.move(log, folder.resolve("away"));
        assertThat(failure.poll(20, TimeUnit.SECONDS))
                .isEqualTo("audit log " + log + " was replaced or removed while it was followed");
        follower.join();
    }

    @Test
    @SuppressWarnings("Interruption") // that is what the test is about
    void a_follower_ends_when_it_is_interrupted() throws IOException, InterruptedException {
        var log = SampleLog.write(folder.resolve("log"), 1);
        var seen = new LinkedBlockingQueue<Long>();
        var follower = Thread.ofVirtual().start(() -> {
            try {
                new EventReader(log).follow(EventQuery.ALL, line -> seen.add(seq(line)));
                seen.add(-1L);
            } catch (IOException e) {
                seen.add(-2L);
            }
        });
        assertThat(next(seen)).isEqualTo(1);
        assertThat(next(seen)).isEqualTo(2);
        follower.interrupt();
        assertThat(next(seen)).isEqualTo(-1);
    }

    @Test
    void B200_the_text_view_obeys_nothing_that_the_agent_wrote() throws Exception {
        var log = folder.resolve("log");
        var evil = "\u001b]52;c;aGk=\u0007\u001b[2J\r\u009b31m\u202e\u200b\ufeff";
        try (var open = AuditLog.open(log, InstantSource.system())) {
            var action = Json.object()
                    .put("name", "x" + evil)
                    .put("argv", List.of(evil))
                    .put(evil, 1)
                    .build();
            open.append(Event.note(new Origin(evil, evil, evil), action, action));
        }
        var line = found(log, EventQuery.ALL.atMost(1)).getFirst();

        assertThat(EventView.text(line, EventView.UNLIMITED).chars()).allMatch(c -> c >= 0x20 && c < 0x7f);
        assertThat(line.json().chars()).allMatch(c -> c >= 0x20 && c < 0x7f);
        assertThat(line.event().origin().session()).isEqualTo(evil);
    }

    @Test
    void B201_a_line_break_forges_no_entry() throws Exception {
        var log = folder.resolve("log");
        var forged = "\n{\"seq\":99,\"decision\":\"allow\"}\u2028\u0000";
        try (var open = AuditLog.open(log, InstantSource.system())) {
            open.append(Event.note(SampleLog.ORIGIN, SampleLog.exec("ls", forged), JsonObject.EMPTY));
        }
        assertThat(SampleLog.text(log).lines()).hasSize(2);
        var line = found(log, EventQuery.ALL.atMost(1)).getFirst();
        assertThat(line.event().action()).isEqualTo(SampleLog.exec("ls", forged));
        assertThat(EventView.text(line, EventView.UNLIMITED)).doesNotContain("\n", "\u2028");
    }

    @Test
    void a_view_names_what_a_person_looks_for() throws Exception {
        var log = folder.resolve("log");
        try (var open = AuditLog.open(log, InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")))) {
            open.append(intent("k3v9x2m4qp-1", "deny"));
        }
        assertThat(EventView.text(found(log, EventQuery.ALL.atMost(1)).getFirst(), 200))
                .isEqualTo("#2 2026-01-02T03:04:05Z intent deny proc.exec {\"argv\":[\"true\"]}"
                        + " session=k3v9x2m4qp cage=analysis id=k3v9x2m4qp-1 rule=exec:allow");
    }

    @Test
    void B206_a_wide_line_is_shortened_in_its_middle() {
        assertThat(EventView.shorten("deny " + "x".repeat(300) + " rule=net:hosts", 40))
                .hasSize(40)
                .startsWith("deny xxx")
                .contains(" ... ")
                .endsWith("rule=net:hosts");
    }

    @Test
    void B207_shortening_never_splits_a_letter() {
        for (int ascii = 60; ascii < 90; ascii++) {
            var text = "a".repeat(ascii) + "🙂".repeat(40);
            for (int columns = 0; columns <= 130; columns++) {
                var cut = EventView.shorten(text, columns);
                assertThat(cut.codePointCount(0, cut.length())).isLessThanOrEqualTo(columns);
                assertThat(cut.codePoints()).noneMatch(point -> point >= 0xd800 && point <= 0xdfff);
            }
        }
    }

    private static List<LogLine> found(Path log, EventQuery query) throws IOException {
        var lines = new ArrayList<LogLine>();
        new EventReader(log).newestFirst(query, stored -> {
            if (stored instanceof StoredLine.Whole(var line)) {
                lines.add(line);
            }
        });
        return lines;
    }

    private static List<Long> seqs(Path log, EventQuery query) throws IOException {
        return found(log, query).stream().map(LogLine::seq).toList();
    }

    private static long seq(StoredLine stored) {
        return stored instanceof StoredLine.Whole(var line) ? line.seq() : 0;
    }

    private static long next(LinkedBlockingQueue<Long> queue) throws InterruptedException {
        var next = queue.poll(20, TimeUnit.SECONDS);
        return next == null ? Long.MIN_VALUE : next;
    }
}
