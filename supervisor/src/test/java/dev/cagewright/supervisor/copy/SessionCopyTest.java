package dev.cagewright.supervisor.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SessionCopyTest {
    private static final ByteString NO_UTF8 = ByteString.copyOf(new byte[] {'/', 'w', (byte) 0xff});

    @TempDir
    Path session;

    private SessionCopy copy(int number) throws IOException {
        return new SessionCopy(
                Files.createDirectory(SessionCopy.folderOf(session, number)),
                NO_UTF8,
                new GuestPath("/home/a/work"),
                Mechanism.OVERLAY,
                new SessionCopy.Root(Long.MAX_VALUE, 7),
                Instant.parse("2026-11-29T10:00:00.123456789Z"),
                List.of(ByteString.of(".envrc"), ByteString.copyOf(new byte[] {(byte) 0xe9, '/', 'x'})));
    }

    @Test
    void what_is_stored_is_what_is_loaded_byte_for_byte() throws IOException {
        var copy = copy(0);
        copy.store();
        copy.store();

        assertThat(SessionCopy.load(copy.folder())).contains(copy);
        assertThat(copy.upper()).isEqualTo(session.resolve("copy/upper"));
    }

    @Test
    void a_session_without_copies_has_none() throws IOException {
        assertThat(SessionCopy.all(session)).isEmpty();
    }

    @Test
    void further_mounts_have_folders_of_their_own_in_order() throws IOException {
        var first = copy(0);
        var second = copy(1);
        second.store();
        first.store();

        assertThat(SessionCopy.all(session)).containsExactly(first, second);
        assertThat(second.folder()).hasFileName("copy-2");
    }

    @Test
    void a_cut_file_is_never_read_as_a_whole_one() throws IOException {
        var copy = copy(0);
        copy.store();
        var file = copy.folder().resolve("copy.json");
        var bytes = Files.readAllBytes(file);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> SessionCopy.load(copy.folder()))
                    .as("cut at %d", length)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_link_in_place_of_the_file_is_not_followed() throws IOException {
        var copy = copy(0);
        copy.store();
        var file = copy.folder().resolve("copy.json");
        var elsewhere = Files.move(file, session.resolve("elsewhere"));
        Files.createSymbolicLink(file, elsewhere);

        assertThatThrownBy(() -> SessionCopy.load(copy.folder()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not a regular file");
    }

    @Test
    void another_mechanism_than_the_known_ones_is_refused() throws IOException {
        var copy = copy(0);
        copy.store();
        var file = copy.folder().resolve("copy.json");
        Files.writeString(file, Files.readString(file).replace("overlay", "magic"));

        assertThatThrownBy(() -> SessionCopy.load(copy.folder())).hasMessage("copy: mechanism \"magic\"");
    }
}
