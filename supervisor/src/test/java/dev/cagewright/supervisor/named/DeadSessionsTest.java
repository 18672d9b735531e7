package dev.cagewright.supervisor.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What of sessions that are over can go.
class DeadSessionsTest {
    private static final Instant NOW = Instant.parse("2026-06-30T12:00:00Z");
    private static final Duration MONTH = Duration.ofDays(30);

    @TempDir
    private Path folder;

    private StateFolders folders() {
        return new StateFolders(folder.resolve("config"), folder.resolve("state"));
    }

    private Path session(String id, Duration ago) throws IOException {
        var started = NOW.minus(ago).minusSeconds(60);
        var record = new SessionRecord(
                new SessionId(id),
                "default",
                List.of("true"),
                "/srv",
                "/srv/audit.jsonl",
                new SessionRecord.Policy("default", ""),
                started,
                Optional.of(new SessionRecord.End(NOW.minus(ago), "exited", 0)));
        new SessionStore(folders()).write(record);
        var made = folders().session(record.id());
        SessionLife.begin(made).close();
        return made;
    }

    private DeadSessions.Found found(int keep) throws IOException {
        return new DeadSessions(folders(), keep, MONTH, NOW).find();
    }

    private List<String> dead(int keep) throws IOException {
        return found(keep).dead().stream().map(one -> one.id().value()).toList();
    }

    @Test
    void only_those_that_are_old_and_not_among_the_newest_go() throws IOException {
        session("aaaaaaaaaa", Duration.ofDays(31));
        session("bbbbbbbbbb", Duration.ofDays(40));
        session("cccccccccc", Duration.ofDays(29));

        assertThat(dead(0)).containsExactly("aaaaaaaaaa", "bbbbbbbbbb");
        assertThat(dead(2)).containsExactly("bbbbbbbbbb");
        assertThat(dead(3)).isEmpty();
    }

    @Test
    void one_that_lives_is_never_touched_not_even_when_it_came_to_life_after_the_look() throws IOException {
        var living = session("aaaaaaaaaa", Duration.ofDays(90));
        var reborn = session("bbbbbbbbbb", Duration.ofDays(90));
        var sessions = new DeadSessions(folders(), 0, MONTH, NOW);

        try (var life = SessionLife.begin(living)) {
            assertThat(life).isNotNull();
            var dead = sessions.find().dead();
            assertThat(dead).extracting(one -> one.id().value()).containsExactly("bbbbbbbbbb");
            try (var again = SessionLife.begin(reborn)) {
                assertThat(again).isNotNull();
                assertThat(sessions.remove(dead.getFirst())).isFalse();
            }
            assertThat(reborn.resolve("session.json")).exists();
            assertThat(sessions.remove(dead.getFirst())).isTrue();
            assertThat(reborn).doesNotExist();
        }
        assertThat(living.resolve("session.json")).exists();
    }

    @Test
    void the_last_session_of_a_named_cage_stays() throws IOException, PolicySyntaxException {
        session("aaaaaaaaaa", Duration.ofDays(90));
        var cages = NamedCages.of(folders());
        cages.create(
                new NamedCage("mine", Path.of("/srv"), Optional.empty(), List.of(), List.of()),
                FirstPolicy.text("mine", Optional.empty(), Scaffolds.of(folders())));
        Files.writeString(cages.state("mine").resolve("session"), "aaaaaaaaaa\n");

        assertThat(dead(0)).isEmpty();
        assertThat(CageSession.of(cages, "mine"))
                .contains(new CageSession(new SessionId("aaaaaaaaaa"), /* isAlive= */ false));
    }

    @Test
    void a_folder_that_never_became_a_session_goes_when_it_is_old() throws IOException {
        var old = folders().session(new SessionId("aaaaaaaaaa"));
        var fresh = folders().session(new SessionId("bbbbbbbbbb"));
        Files.setLastModifiedTime(old, FileTime.from(NOW.minus(Duration.ofHours(2))));
        Files.setLastModifiedTime(fresh, FileTime.from(NOW.minus(Duration.ofMinutes(2))));
        var sessions = new DeadSessions(folders(), 0, MONTH, NOW);

        assertThat(sessions.find().dead()).extracting(one -> one.id().value()).containsExactly("aaaaaaaaaa");
        assertThat(sessions.remove(sessions.find().dead().getFirst())).isTrue();
        assertThat(old).doesNotExist();
    }

    @Test
    void a_folder_that_somebody_filled_with_links_is_removed_and_they_are_not_followed() throws IOException {
        var made = session("aaaaaaaaaa", Duration.ofDays(90));
        var elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("file"), "stays");
        Files.createSymbolicLink(made.resolve("link"), elsewhere);

        for (var dead : found(0).dead()) {
            assertThat(new DeadSessions(folders(), 0, MONTH, NOW).remove(dead)).isTrue();
        }

        assertThat(made).doesNotExist();
        assertThat(elsewhere.resolve("file")).hasContent("stays");
    }
}
