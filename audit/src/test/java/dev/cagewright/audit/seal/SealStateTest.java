package dev.cagewright.audit.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.key.SealKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealStateTest {
    private static final String LOG = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path folder;

    @Test
    void a_state_is_what_was_written_and_only_its_owner_may_read_it() throws Exception {
        var file = SealFile.of(folder.resolve("log"));
        try (var key = SealKey.generate();
                var state = SealState.after(key, LOG);
                var next = state.begun(List.of())) {
            file.create(state);
            file.replace(next);

            try (var found = file.load()) {
                assertThat(found.log()).isEqualTo(LOG);
                assertThat(found.next()).isEqualTo(2);
                assertThat(found.open()).containsExactly(0L, 1L);
                assertThat(found.key().isSame(next.key())).isTrue();
            }
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("log.seal"))))
                .isEqualTo("rw-------");
    }

    @Test
    void the_key_before_is_gone_from_the_file() throws Exception {
        var file = SealFile.of(folder.resolve("log"));
        try (var key = SealKey.generate();
                var state = SealState.after(key, LOG);
                var next = state.begun(List.of());
                var third = next.begun(List.of(0L))) {
            file.create(state);
            file.replace(next);
            file.replace(third);
            var text = Files.readString(folder.resolve("log.seal"), StandardCharsets.ISO_8859_1);

            assertThat(text).doesNotContain(digits(EpochKey.first(key)), digits(state.key()), digits(next.key()));
            assertThat(text).contains(digits(third.key()), "open 1 2\n");
        }
    }

    @Test
    void B204_a_state_that_was_cut_anywhere_is_an_error_and_never_an_older_state() throws Exception {
        var file = SealFile.of(folder.resolve("log"));
        var path = folder.resolve("log.seal");
        try (var key = SealKey.generate();
                var state = SealState.after(key, LOG);
                var next = state.begun(List.of())) {
            file.create(state);
            file.replace(next);
        }
        var whole = Files.readAllBytes(path);
        int from = 64 << 10;
        int length = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\0', from) - from;
        for (int kept = 0; kept < length; kept++) {
            Files.write(path, Arrays.copyOf(whole, from + kept));
            assertThatThrownBy(file::load)
                    .as("cut behind %d bytes", kept)
                    .isInstanceOf(IOException.class)
                    .hasMessage("the seal state " + path + " cannot be read: it was cut or changed");
        }
        Files.write(path, Arrays.copyOf(whole, from + length));
        file.load().close();
    }

    @Test
    void a_changed_digit_is_an_error() throws Exception {
        var file = SealFile.of(folder.resolve("log"));
        var path = folder.resolve("log.seal");
        try (var key = SealKey.generate();
                var state = SealState.after(key, LOG)) {
            file.create(state);
        }
        var text = Files.readString(path, StandardCharsets.ISO_8859_1);
        Files.writeString(path, text.replace("epoch 1\n", "epoch 0\n"), StandardCharsets.ISO_8859_1);

        assertThatThrownBy(file::load).hasMessageEndingWith("cannot be read: it was cut or changed");
    }

    @Test
    void of_two_whole_states_the_newer_one_counts() throws Exception {
        var file = SealFile.of(folder.resolve("log"));
        var path = folder.resolve("log.seal");
        try (var key = SealKey.generate();
                var state = SealState.after(key, LOG);
                var next = state.begun(List.of())) {
            file.create(state);
            var first = Files.readAllBytes(path);
            file.replace(next);
            var second = Files.readAllBytes(path);
            System.arraycopy(first, 0, second, 0, 64 << 10);
            Files.write(path, second);

            try (var found = file.load()) {
                assertThat(found.next()).isEqualTo(2);
            }
        }
    }

    @Test
    void a_state_that_others_may_read_is_refused_for_writing_and_readable_for_a_verifier() throws Exception {
        var file = SealFile.of(folder.resolve("log"));
        try (var key = SealKey.generate();
                var state = SealState.after(key, LOG)) {
            file.create(state);
        }
        Files.setPosixFilePermissions(folder.resolve("log.seal"), PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(file::load).hasMessageContaining("is open to others (rw-r--r--)");
        file.peek().close();
    }

    @Test
    void as_many_writers_as_may_be_are_kept_and_no_more() throws Exception {
        var file = SealFile.of(folder.resolve("log"));
        try (var key = SealKey.generate()) {
            var state = SealState.after(key, LOG);
            while (state.open().size() < SealState.MAX_OPEN) {
                state = state.begun(List.of());
            }
            file.create(state);
            try (var found = file.load()) {
                assertThat(found.open()).hasSize(SealState.MAX_OPEN);
            }
            var full = state;
            assertThat(full.begun(List.of(0L)).open()).hasSize(SealState.MAX_OPEN);
            assertThatThrownBy(() -> full.begun(List.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("more than 3000 writers have the audit log open");
        }
    }

    private static String digits(EpochKey key) {
        var digits = new byte[64];
        key.write(digits, 0);
        return new String(digits, StandardCharsets.US_ASCII);
    }
}
