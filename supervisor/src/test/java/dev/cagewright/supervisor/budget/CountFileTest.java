package dev.cagewright.supervisor.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountFileTest {
    private static final byte[] KEY = "cage x\n".getBytes(StandardCharsets.UTF_8);
    private static final int THREADS = 16;

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("count");
    }

    @Test
    void all_who_begin_it_at_once_have_the_same_number() throws Exception {
        try (var threads = Executors.newFixedThreadPool(THREADS)) {
            var opened = Stream.generate(() -> CompletableFuture.supplyAsync(this::counted, threads))
                    .limit(THREADS)
                    .toList();
            opened.forEach(CompletableFuture::join);
        }
        try (var file = CountFile.open(file(), KEY)) {
            assertThat(file.get()).isEqualTo(THREADS);
        }
        try (var names = Files.list(folder)) {
            assertThat(names).containsExactly(file());
        }
    }

    /// Adds one.
    private long counted() {
        try (var file = CountFile.open(file(), KEY)) {
            long before = file.get();
            while (!file.replace(before, before + 1)) {
                before = file.get();
            }
            return before;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void B204_a_file_that_was_cut_anywhere_is_an_error_and_no_smaller_number() throws IOException {
        try (var file = CountFile.open(file(), KEY)) {
            file.replace(0, 77);
        }
        var whole = Files.readAllBytes(file());
        for (int size : new int[] {0, 1, 20, 64, 68, 71, 72, 128, 134, 4095, 4097}) {
            Files.write(file(), Arrays.copyOf(whole, size));
            assertThatThrownBy(() -> CountFile.open(file(), KEY))
                    .isInstanceOf(IOException.class)
                    .hasMessage("budget count: " + file() + " is not whole or counts something else"
                            + " (expected: as it was written; remove it to begin at 0)");
        }
        Files.write(file(), whole);
        try (var file = CountFile.open(file(), KEY)) {
            assertThat(file.get()).isEqualTo(77);
        }
    }

    @Test
    void B204_each_byte_beside_the_number_counts() throws IOException {
        CountFile.open(file(), KEY).close();
        var whole = Files.readAllBytes(file());
        for (int at : new int[] {0, 19, 20, 63, 71, 72, 127, 128, 134, 135, 4095}) {
            var changed = whole.clone();
            changed[at] ^= (byte) 0x80;
            Files.write(file(), changed);
            assertThatThrownBy(() -> CountFile.open(file(), KEY))
                    .as("byte " + at)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is not whole");
        }
    }

    @Test
    void the_count_of_something_else_is_not_taken_and_a_link_not_followed() throws IOException {
        CountFile.open(file(), KEY).close();
        assertThatThrownBy(() -> CountFile.open(file(), "cage y\n".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("counts something else");
        var link = Files.createSymbolicLink(folder.resolve("link"), file());
        assertThatThrownBy(() -> CountFile.open(link, KEY)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> CountFile.open(folder.resolve("long"), new byte[3969]))
                .hasMessage("budget count: what it counts is 3969 bytes (expected: at most 3968)");
    }

    @Test
    void a_file_that_is_cut_while_it_is_in_use_lets_nothing_more_through() throws IOException {
        try (var file = CountFile.open(file(), KEY)) {
            var meter = new WindowMeter(Window.DAY, file, new SetClock("2026-03-01T00:00:00Z"));
            assertThat(meter.take(1, 5)).isNotEqualTo(Meter.REFUSED);
            try (var cut = Files.newByteChannel(file(), StandardOpenOption.WRITE)) {
                cut.truncate(0);
            }
            assertThatThrownBy(() -> meter.take(1, 5))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("budget count " + file() + " was cut while it was in use");
        }
    }
}
