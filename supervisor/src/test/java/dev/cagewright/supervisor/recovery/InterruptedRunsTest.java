package dev.cagewright.supervisor.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedRunsTest {
    private static final SessionId DEAD = new SessionId("deadsessio");

    private final StateFolders folders;

    InterruptedRunsTest(@TempDir Path root) throws IOException {
        folders = StateFolders.of(Map.of("HOME", root.toString()));
    }

    private AuditLog log() throws IOException {
        return AuditLog.open(folders.auditLog(), InstantSource.system());
    }

    private Path recorded() throws IOException {
        var policy = new SessionRecord.Policy("build.yaml", "00ff");
        var start = Instant.parse("2026-01-31T12:00:00Z");
        var log = folders.auditLog().toString();
        new SessionStore(folders)
                .write(new SessionRecord(
                        DEAD, "build", List.of("npm", "update"), "/repo", log, policy, start, Optional.empty()));
        return folders.session(DEAD);
    }

    private void allowed(String decision) throws IOException {
        allowed(decision, Json.object().put("name", "proc.exec").build());
    }

    private void allowed(String decision, JsonObject action) throws IOException {
        try (var log = log()) {
            log.append(Event.intent(
                    Origin.of(DEAD.value(), "build").decision(decision),
                    action,
                    new Event.Ruling(Event.Ruling.ALLOW, List.of("exec.allowlist"))));
        }
    }

    private List<Interruption> told() throws IOException {
        try (var log = log()) {
            return new InterruptedRuns(log, folders).settle();
        }
    }

    @Test
    void an_act_without_an_end_is_told_once_and_gets_its_outcome() throws IOException {
        SessionLife.begin(recorded()).close();
        allowed(DEAD + "-1");

        assertThat(told())
                .singleElement()
                .extracting(Interruption::sentence)
                .isEqualTo("interrupted: npm update (started 2026-01-31T12:00:00Z) was killed with its supervisor; "
                        + "how far it came is not recorded: cagewright why " + DEAD + "-1");
        assertThat(told()).isEmpty();
        try (var log = log()) {
            assertThat(log.interrupted()).as("open intents").isEmpty();
        }
    }

    @Test
    void two_that_start_at_once_tell_it_once() throws IOException {
        SessionLife.begin(recorded()).close();
        allowed(DEAD + "-1");
        try (var one = log();
                var other = log()) {
            assertThat(new InterruptedRuns(one, folders).settle()).hasSize(1);
            assertThat(new InterruptedRuns(other, folders).settle()).isEmpty();
        }
    }

    @Test
    void a_session_that_still_lives_is_not_told_and_not_settled() throws IOException {
        try (var _ = SessionLife.begin(recorded())) {
            allowed(DEAD + "-1");
            assertThat(told()).isEmpty();
            assertThat(SessionLife.isAlive(folders.session(DEAD))).isTrue();
        }
        assertThat(SessionLife.isAlive(folders.session(DEAD))).isFalse();
        assertThat(told()).hasSize(1);
    }

    private Optional<String> toldOfCage() throws IOException {
        try (var log = log()) {
            return new InterruptedRuns(log, folders).settleCage(DEAD);
        }
    }

    @Test
    void a_cage_that_went_down_with_its_supervisor_is_told_once_and_put_on_record() throws IOException {
        SessionLife.begin(recorded()).close();

        assertThat(toldOfCage())
                .contains("interrupted: session deadsessio of cage build (up since 2026-01-31T12:00:00Z) went down with"
                        + " its supervisor and has no receipt: cagewright audit events --session deadsessio");
        assertThat(toldOfCage()).isEmpty();
        assertThat(Files.readAllLines(folders.auditLog()))
                .filteredOn(line -> line.contains("cage.down"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains(DEAD.value(), "\"interrupted\""));
    }

    @Test
    void a_cage_that_lives_or_went_down_in_order_is_not_interrupted() throws IOException {
        try (var _ = SessionLife.begin(recorded())) {
            assertThat(toldOfCage()).isEmpty();
        }
        var store = new SessionStore(folders);
        var record = store.find(DEAD).orElseThrow();
        store.write(record.ended(new SessionRecord.End(Instant.parse("2026-01-31T13:00:00Z"), "stopped", 0)));

        assertThat(toldOfCage()).isEmpty();
        assertThat(Files.readString(folders.auditLog())).doesNotContain("cage.down");
    }

    @Test
    void what_a_person_did_to_a_session_is_told_as_that_also_after_its_run_was() throws IOException {
        SessionLife.begin(recorded()).close();
        allowed(DEAD + "-1");
        assertThat(told()).hasSize(1);
        allowed(
                DEAD + "-2",
                Json.object().put("name", "run.control").put("verb", "apply").build());

        assertThat(told())
                .singleElement()
                .extracting(Interruption::sentence)
                .isEqualTo("interrupted: apply of session " + DEAD
                        + " (npm update) did not come to its end: the same command again takes it up");
    }

    @Test
    void a_session_whose_changes_are_being_brought_over_is_let_alone() throws IOException {
        var folder = recorded();
        SessionLife.begin(folder).close();
        allowed(DEAD + "-2");
        try (var _ = SessionLife.begin(folder)) {
            assertThat(told()).isEmpty();
        }
        assertThat(told()).hasSize(1);
    }

    @Test
    void an_act_that_has_its_outcome_or_belongs_to_somebody_else_is_let_alone() throws IOException {
        SessionLife.begin(recorded()).close();
        allowed(DEAD + "-1");
        allowed("otherfolde-1");
        allowed("no session's id");
        try (var log = log()) {
            log.append(Event.outcome(
                    Origin.of(DEAD.value(), "build").decision(DEAD + "-1"), JsonObject.EMPTY, JsonObject.EMPTY));
        }
        assertThat(told()).isEmpty();
    }

    @Test
    void what_cannot_be_written_down_is_told_by_the_next_one() throws IOException {
        SessionLife.begin(recorded()).close();
        allowed(DEAD + "-1");
        var log = log();
        log.close();
        assertThatThrownBy(() -> new InterruptedRuns(log, folders).settle())
                .isInstanceOf(IOException.class)
                .hasMessage("the audit log is closed");
        assertThat(told()).hasSize(1);
    }

    @Test
    void a_session_is_lived_once() throws IOException {
        var folder = recorded();
        try (var _ = SessionLife.begin(folder)) {
            assertThatThrownBy(() -> SessionLife.begin(folder)).hasMessageContaining("is in use by this process");
            assertThat(SessionLife.takeOver(folder)).isEmpty();
        }
        SessionLife.takeOver(folder).orElseThrow().close();
        assertThat(SessionLife.takeOver(folders.session(new SessionId("aaaaaaaaaa"))))
                .as("one that never began")
                .isEmpty();
    }
}
