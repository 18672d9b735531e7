package dev.cagewright.supervisor.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateTest {
    private static final SessionRecord RECORD = new SessionRecord(
            new SessionId("abcdefghij"),
            "build",
            List.of("python3", "a b.py"),
            "/home/ada/repo",
            "/home/ada/.local/state/cagewright/audit.jsonl",
            new SessionRecord.Policy("build.yaml", "00ff"),
            Instant.parse("2026-01-31T12:00:00Z"),
            Optional.empty());

    @TempDir
    private Path folder;

    private StateFolders folders() throws IOException {
        return StateFolders.of(Map.of("XDG_STATE_HOME", folder.resolve("state").toString(), "HOME", "/nowhere"));
    }

    @Test
    void folders_follow_the_xdg_rules() throws IOException {
        var plain = StateFolders.of(Map.of("HOME", "/home/ada"));
        assertThat(plain.state()).hasToString("/home/ada/.local/state/cagewright");
        assertThat(plain.config()).hasToString("/home/ada/.config/cagewright");

        var relative = StateFolders.of(Map.of("HOME", "/home/ada", "XDG_STATE_HOME", "state", "XDG_CONFIG_HOME", ""));
        assertThat(relative).isEqualTo(plain);
        assertThatThrownBy(() -> StateFolders.of(Map.of("HOME", "ada")))
                .hasMessageStartingWith("HOME is not an absolute path");
    }

    @Test
    void the_state_folder_is_its_owners_alone() throws IOException {
        folders().auditLog();

        var made = folder.resolve("state/cagewright");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwx---"));
        assertThatThrownBy(() -> folders().auditLog()).hasMessageContaining("is writable for others");
    }

    @Test
    void a_state_folder_that_is_a_link_is_refused() throws IOException {
        Files.createDirectories(folder.resolve("state"));
        Files.createDirectories(folder.resolve("elsewhere"));
        Files.createSymbolicLink(folder.resolve("state/cagewright"), folder.resolve("elsewhere"));

        assertThatThrownBy(() -> folders().auditLog()).hasMessageContaining("is not a directory");
    }

    @Test
    void records_come_back_as_they_were_written_newest_first() throws IOException {
        var store = new SessionStore(folders());
        var later = new SessionRecord(
                new SessionId("bbbbbbbbbb"),
                "x",
                List.of("true"),
                "/",
                "/log",
                new SessionRecord.Policy("p", ""),
                RECORD.start().plusSeconds(1),
                Optional.of(new SessionRecord.End(RECORD.start().plusSeconds(2), "exited", 7)));
        store.write(RECORD);
        store.write(later);

        assertThat(store.find(RECORD.id())).contains(RECORD);
        assertThat(store.list((path, why) -> {})).containsExactly(later, RECORD);
        assertThat(store.find(new SessionId("cccccccccc"))).isEmpty();
    }

    @Test
    void B204_a_record_that_was_cut_anywhere_is_an_error_and_never_a_smaller_record() throws IOException {
        var whole = RECORD.ended(new SessionRecord.End(RECORD.start(), "exited", 123))
                .toJson()
                .bytes();
        for (int length = 0; length < whole.length; length++) {
            var cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> SessionRecord.parse(cut)).isInstanceOf(IOException.class);
        }
        assertThat(SessionRecord.parse(whole).end())
                .map(SessionRecord.End::exit)
                .contains(123);
    }

    @Test
    void an_unreadable_record_is_told_and_the_others_are_listed() throws IOException {
        var store = new SessionStore(folders());
        store.write(RECORD);
        var broken = folders().session(new SessionId("bbbbbbbbbb"));
        Files.writeString(broken.resolve("session.json"), "{\"id\":");
        var told = new ArrayList<Path>();

        assertThat(store.list((path, why) -> told.add(path))).containsExactly(RECORD);
        assertThat(told).containsExactly(broken);
    }

    @Test
    void session_ids_have_one_form() {
        assertThat(SessionId.random(new Random(1)).value()).matches("[a-z2-7]{10}");
        for (String bad :
                List.of("", "abcdefghi", "abcdefghijk", "ABCDEFGHIJ", "abcdefghi1", "abcdefghi\n", "../../../x")) {
            assertThatThrownBy(() -> new SessionId(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
