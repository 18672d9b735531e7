package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many threads that append while batches are flushed, and something goes wrong.
class CrowdTest {
    private static final int CROWD = 300;

    @TempDir
    Path folder;

    private Path path;
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final AtomicInteger refused = new AtomicInteger();

    enum Kind {
        SEALED,
        UNSEALED
    }

    @BeforeEach
    void name() {
        path = folder.resolve("log");
    }

    private void make(Kind kind) throws IOException {
        if (kind == Kind.UNSEALED) {
            SampleLog.write(path, 1);
            return;
        }
        try (var key = SealKey.generate()) {
            AuditLog.seal(path, key, _ -> {}, InstantSource.system());
        }
    }

    private AuditLog open(Runnable beforeFlush) throws IOException {
        Channels channels = (name, options, attributes) ->
                StoppingChannel.beforeFlush(FileChannel.open(name, options, attributes), beforeFlush);
        return AuditLog.open(path, InstantSource.system(), channels, AuditLog.PATIENCE);
    }

    private void crowd(AuditLog log, int each) {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                int producer = i;
                pool.execute(() -> {
                    for (int n = 0; n < each; n++) {
                        append(log, "p" + producer + "-" + n + ".");
                    }
                });
            }
        }
    }

    private void append(AuditLog log, String id) {
        try {
            acknowledged.put(id, log.append(intent(id, "allow")).seq());
        } catch (IOException _) {
            refused.incrementAndGet();
        }
    }

    /// The log verifies, and has each acknowledged event once, in its place, and no refused one.
    private void holdsWhatWasAcknowledged() throws IOException {
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
        var lines = SampleLog.text(path)
                .lines()
                .filter(line -> line.contains("\"id\":\"p"))
                .toList();
        assertThat(lines).hasSize(acknowledged.size());
        for (var line : lines) {
            var id = line.replaceFirst(".*\"id\":\"(p[^\"]*)\".*", "$1");
            assertThat(line).startsWith("{\"seq\":" + acknowledged.get(id) + ",");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_flush_that_fails_now_and_then_takes_nothing_of_what_was_acknowledged(Kind kind) throws Exception {
        make(kind);
        var flushes = new AtomicInteger();
        try (var log = open(() -> {
            if (flushes.incrementAndGet() % 5 == 0) {
                throw new UncheckedIOException(new IOException("Input/output error"));
            }
        })) {
            crowd(log, 10);
        }
        assertThat(refused).hasPositiveValue();
        assertThat(acknowledged).hasSize(10 * CROWD - refused.get()).isNotEmpty();
        holdsWhatWasAcknowledged();
    }

    @ParameterizedTest
    @EnumSource
    void a_batch_that_fails_is_refused_and_what_waits_behind_it_has_its_own_try(Kind kind) throws Exception {
        make(kind);
        var first = new AtomicBoolean(true);
        var reached = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        try (var log = open(() -> {
                    if (Thread.currentThread().getName().equals("audit-log") && first.getAndSet(false)) {
                        reached.countDown();
                        await(held);
                        throw new UncheckedIOException(new IOException("Input/output error"));
                    }
                });
                var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; reached.getCount() > 0; i++) {
                var id = "p-first-" + i + ".";
                pool.execute(() -> append(log, id));
            }
            for (int i = 0; i < CROWD; i++) {
                var id = "p" + i + ".";
                pool.execute(() -> append(log, id));
            }
            while (log.waiting() < CROWD) {
                Thread.onSpinWait();
            }
            held.countDown();
        }
        assertThat(refused).hasPositiveValue();
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(CROWD);
        holdsWhatWasAcknowledged();
    }

    @ParameterizedTest
    @EnumSource
    void a_lock_file_deleted_again_and_again_costs_no_acknowledged_line(Kind kind)
            throws IOException, InterruptedException {
        make(kind);
        var done = new AtomicBoolean();
        try (var log = open(() -> {})) {
            var vandal = Thread.ofPlatform().start(() -> {
                while (!done.get()) {
                    delete(folder.resolve("log.lock"));
                    Thread.onSpinWait();
                }
            });
            crowd(log, 5);
            done.set(true);
            vandal.join();
        }
        assertThat(acknowledged).isNotEmpty();
        assertThat(acknowledged.size() + refused.get()).isEqualTo(5 * CROWD);
        holdsWhatWasAcknowledged();
    }

    @ParameterizedTest
    @EnumSource
    void a_panic_in_a_crowd_is_the_last_line_and_refuses_the_rest(Kind kind) throws IOException, InterruptedException {
        make(kind);
        try (var log = open(() -> {})) {
            var panic = Thread.ofVirtual().unstarted(() -> panic(log));
            var crowd = Thread.ofPlatform().start(() -> crowd(log, 50));
            while (acknowledged.size() < CROWD) {
                Thread.onSpinWait();
            }
            panic.start();
            panic.join();
            crowd.join();
            assertThatThrownBy(() -> log.append(intent("a-1", "allow"))).hasMessageContaining("frozen by a panic");
        }
        assertThat(refused).hasPositiveValue();
        assertThat(acknowledged).hasSize(50 * CROWD - refused.get());
        holdsWhatWasAcknowledged();
        var behind = SampleLog.text(path)
                .replaceFirst("(?s).*\"name\":\"log.panic\"[^\n]*\n", "")
                .stripTrailing();
        assertThat(behind.lines()
                        .filter(line -> !line.contains("\"name\":\"log.seal\""))
                        .filter(line -> line.startsWith("{")))
                .isEmpty();
    }

    private static void panic(AuditLog log) {
        try {
            log.panic(Origin.of("k3v9x2m4qp", "analysis"), "enough");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path name) {
        try {
            Files.deleteIfExists(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
