package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One thread that appends while no other does.
class LoneAppendTest {
    @TempDir
    Path folder;

    private final List<Thread> flushing = new ArrayList<>();

    private AuditLog open(Runnable beforeFlush) throws IOException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        Channels channels = (name, options, attributes) ->
                StoppingChannel.beforeFlush(FileChannel.open(name, options, attributes), beforeFlush);
        return AuditLog.open(path, InstantSource.system(), channels, AuditLog.PATIENCE);
    }

    private void intact(long count) throws IOException {
        assertThat(LogVerifier.of(folder.resolve("log")).verify())
                .isInstanceOfSatisfying(
                        Verdict.Intact.class,
                        verdict -> assertThat(verdict.count()).isEqualTo(count));
    }

    @Test
    void the_thread_that_brings_a_line_writes_it() throws Exception {
        try (var log = open(() -> flushing.add(Thread.currentThread()))) {
            log.append(intent("a-1", "allow"));
            log.append(intent("a-2", "allow"));
            assertThat(flushing).containsExactly(Thread.currentThread(), Thread.currentThread());
        }
    }

    @Test
    void a_line_that_finds_the_lock_taken_is_written_by_the_logs_own_thread() throws IOException, InterruptedException {
        try (var log = open(() -> flushing.add(Thread.currentThread()));
                var lock = LogLock.open(folder.resolve("log.lock"))) {
            var held = lock.acquire(Duration.ofSeconds(5));
            var appending = Thread.ofPlatform().start(() -> appendUnchecked(log));
            while (appending.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            held.close();
            appending.join();
            assertThat(flushing).singleElement().extracting(Thread::getName).isEqualTo("audit-log");
        }
    }

    @Test
    void an_interrupt_in_the_middle_of_the_flush_costs_neither_line_nor_log() throws Exception {
        var first = new AtomicBoolean(true);
        try (var log = open(() -> {
            if (first.getAndSet(false)) {
                Thread.currentThread().interrupt();
            }
        })) {
            assertThat(log.append(intent("a-1", "allow")).seq()).isEqualTo(3);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(log.append(intent("a-2", "allow")).seq()).isEqualTo(4);
        }
        intact(4);
    }

    @Test
    @SuppressWarnings("Interruption") // interrupting is what this is about
    void a_thread_that_is_interrupted_all_the_time_appends_each_line_once() throws Exception {
        var done = new AtomicBoolean();
        var path = folder.resolve("log");
        try (var log = AuditLog.open(path, InstantSource.system())) {
            var victim = Thread.currentThread();
            var tormentor = Thread.ofPlatform().start(() -> {
                while (!done.get()) {
                    victim.interrupt();
                    Thread.onSpinWait();
                }
            });
            try {
                for (int i = 0; i < 300; i++) {
                    assertThat(log.append(intent("a-" + i, "allow")).seq()).isEqualTo(i + 2);
                }
            } finally {
                done.set(true);
                while (tormentor.isAlive()) {
                    Thread.onSpinWait();
                }
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        intact(301);
    }

    @Test
    void a_log_that_was_sealed_outlives_interrupts_too() throws IOException, InterruptedException {
        var path = folder.resolve("log");
        try (var key = SealKey.generate()) {
            AuditLog.seal(path, key, _ -> {}, InstantSource.system());
        }
        try (var log = open(() -> {
            if (flushing.isEmpty() && Thread.currentThread().getName().equals("lone")) {
                flushing.add(Thread.currentThread());
                Thread.currentThread().interrupt();
            }
        })) {
            var lone = Thread.ofPlatform().name("lone").start(() -> appendUnchecked(log));
            lone.join();
            assertThat(flushing).containsExactly(lone);
            log.append(intent("a-2", "allow"));
        }
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void a_marker_put_beside_a_log_that_was_long_quiet_stops_the_next_append() throws Exception {
        try (var log = settled()) {
            Files.createFile(folder.resolve("log.tainted"));
            assertThatThrownBy(() -> log.append(intent("a-1", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("is frozen by the marker " + folder.resolve("log.tainted"));
            Files.delete(folder.resolve("log.tainted"));
            log.append(intent("a-2", "allow"));
        }
    }

    @Test
    void a_log_that_is_exchanged_after_a_long_quiet_gets_no_more_lines() throws Exception {
        try (var log = settled()) {
            Files.move(folder.resolve("log"), folder.resolve("old"));
            Files.copy(folder.resolve("old"), folder.resolve("log"));
            assertThatThrownBy(() -> log.append(intent("a-1", "allow")))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("was replaced while it was open");
        }
    }

    @Test
    void a_lock_file_deleted_after_a_long_quiet_is_made_again() throws Exception {
        try (var log = settled()) {
            Files.delete(folder.resolve("log.lock"));
            log.append(intent("a-1", "allow"));
            assertThat(folder.resolve("log.lock")).exists();
        }
    }

    @Test
    void a_folder_is_known_until_a_name_in_it_changes() throws Exception {
        var place = new Folder(folder);
        assertThat(place.isKnown()).isFalse();
        var name = Files.createFile(folder.resolve("a"));
        known(place);
        Files.writeString(name, "what a file holds does not matter");
        assertThat(place.isKnown()).isTrue();
        Files.move(name, folder.resolve("b"));
        assertThat(place.isKnown()).isFalse();
        known(place);
        Files.delete(folder.resolve("b"));
        assertThat(place.isKnown()).isFalse();
    }

    private static void known(Folder place) throws IOException {
        while (!place.isKnown()) {
            place.known();
            LockSupport.parkNanos(20_000_000);
        }
    }

    /// A log whose folder has not changed for so long that one look at it is enough.
    private AuditLog settled() throws IOException {
        var log = AuditLog.open(folder.resolve("log"), InstantSource.system());
        var place = new Folder(folder);
        known(place);
        log.append(intent("settled-1", "allow"));
        log.append(intent("settled-2", "allow"));
        return log;
    }

    private static void appendUnchecked(AuditLog log) {
        try {
            log.append(intent("a-1", "allow"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
