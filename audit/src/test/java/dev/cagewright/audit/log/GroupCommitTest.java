package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupCommitTest {
    @TempDir
    Path folder;

    /// The kernel's file with a count of its flushes and a gate in front of them.
    private static final class CountingDisk implements Channels {
        final AtomicInteger flushes = new AtomicInteger();
        final CountDownLatch held = new CountDownLatch(1);
        final CountDownLatch reached = new CountDownLatch(1);

        @Override
        public FileChannel open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return StoppingChannel.beforeFlush(FileChannel.open(path, options, attributes), () -> {
                if (flushes.incrementAndGet() == 1) {
                    reached.countDown();
                    awaitQuietly(held);
                }
            });
        }
    }

    @Test
    void a_single_append_waits_for_exactly_one_flush() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 1);
        var disk = new CountingDisk();
        disk.held.countDown();
        try (var log = AuditLog.open(path, InstantSource.system(), disk, AuditLog.PATIENCE)) {
            for (int i = 1; i <= 10; i++) {
                log.append(intent("a-" + i, "allow"));
                assertThat(disk.flushes).hasValue(i);
            }
        }
    }

    @Test
    void everything_that_waits_shares_one_flush() throws IOException, InterruptedException, ExecutionException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        var disk = new CountingDisk();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor();
                var log = AuditLog.open(path, InstantSource.system(), disk, AuditLog.PATIENCE)) {
            Callable<Appended> append = () -> log.append(intent("a-1", "allow"));
            var running = new ArrayList<Future<Appended>>();
            running.add(pool.submit(append));
            disk.reached.await();
            for (int i = 0; i < 500; i++) {
                running.add(pool.submit(append));
            }
            while (log.waiting() < 500) {
                Thread.onSpinWait();
            }
            disk.held.countDown();
            var seqs = new HashSet<Long>();
            for (var appended : running) {
                seqs.add(appended.get().seq());
            }
            assertThat(seqs).hasSize(501);
            assertThat(disk.flushes).hasValue(2);
        }
    }

    @Test
    void many_threads_of_many_openings_make_one_chain() throws Exception {
        var path = folder.resolve("log");
        var hashes = ConcurrentHashMap.<String>newKeySet();
        try (var one = AuditLog.open(path, InstantSource.system());
                var two = AuditLog.open(path, InstantSource.system());
                var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                var log = i % 2 == 0 ? one : two;
                pool.execute(() -> {
                    for (int n = 0; n < 10; n++) {
                        hashes.add(appendUnchecked(log).hash());
                    }
                });
            }
        }
        assertThat(hashes).hasSize(2000);
        assertThat(LogVerifier.of(path).verify())
                .isInstanceOfSatisfying(
                        Verdict.Intact.class,
                        intact -> assertThat(intact.count()).isEqualTo(2001));
    }

    @Test
    void an_interrupted_thread_still_learns_what_became_of_its_event() throws Exception {
        var path = folder.resolve("log");
        try (var log = AuditLog.open(path, InstantSource.system())) {
            Thread.currentThread().interrupt();
            assertThat(log.append(intent("a-1", "allow")).seq()).isEqualTo(2);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(log.append(intent("a-2", "allow")).seq()).isEqualTo(3);
        }
    }

    @Test
    void time_never_goes_backwards() throws Exception {
        var path = folder.resolve("log");
        AuditLog.open(path, InstantSource.fixed(Instant.parse("2030-01-01T00:00:00Z")))
                .close();
        try (var log = AuditLog.open(path, InstantSource.fixed(Instant.parse("2020-01-01T00:00:00Z")))) {
            log.append(intent("a-1", "allow"));
        }
        assertThat(SampleLog.text(path))
                .contains("\"seq\":2,\"time\":\"2030-01-01T00:00:00.000000Z\"")
                .doesNotContain("2020");
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void the_names_of_the_log_itself_are_refused() throws Exception {
        try (var log = AuditLog.open(folder.resolve("log"), InstantSource.system())) {
            var forged = Event.note(
                    SampleLog.ORIGIN, Json.object().put("name", "log.panic").build(), JsonObject.EMPTY);
            assertThatThrownBy(() -> log.append(forged))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("action: log.panic (expected: no name that starts with log.)");
        }
    }

    @Test
    void a_lock_that_another_process_keeps_is_refused_with_its_number() throws Exception {
        var path = SampleLog.write(folder.resolve("log"), 1);
        var lock = folder.resolve("log.lock");
        try (var child = Child.start("hold", lock.toString())) {
            assertThat(child.next()).isEqualTo("holding Held");
            assertThatThrownBy(
                            () -> AuditLog.open(path, InstantSource.system(), Channels.KERNEL, Duration.ofMillis(50)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the audit log is in use by process " + child.pid() + " for more than 50 ms (lock "
                            + lock + ")");
        }
    }

    @Test
    void a_lock_file_that_was_deleted_is_made_again() throws Exception {
        var path = folder.resolve("log");
        try (var one = AuditLog.open(path, InstantSource.system())) {
            Files.delete(folder.resolve("log.lock"));
            try (var two = AuditLog.open(path, InstantSource.system())) {
                assertThat(two.append(intent("b-1", "allow")).seq()).isEqualTo(2);
                assertThat(one.append(intent("a-1", "allow")).seq()).isEqualTo(3);
                assertThat(two.append(intent("b-2", "allow")).seq()).isEqualTo(4);
            }
        }
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    private static Appended appendUnchecked(AuditLog log) {
        try {
            return log.append(intent("a-1", "allow"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
