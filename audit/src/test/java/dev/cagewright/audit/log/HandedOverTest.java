package dev.cagewright.audit.log;

import static dev.cagewright.audit.SampleLog.intent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lines that no thread waits for.
class HandedOverTest {
    @TempDir
    private Path folder;

    /// What one line's listener hears.
    private static final class Heard extends CompletableFuture<Appended> implements AuditLog.Told {
        @Override
        public void appended(Appended line) {
            assertThat(complete(line)).as("told once").isTrue();
        }

        @Override
        public void failed(IOException why) {
            assertThat(completeExceptionally(why)).as("told once").isTrue();
        }
    }

    private static Heard handOver(AuditLog log, String decision) throws IOException {
        var heard = new Heard();
        log.append(intent(decision, "allow"), heard);
        return heard;
    }

    @Test
    void whoever_is_told_finds_the_line_in_the_file() throws ExecutionException, IOException, InterruptedException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        try (var log = AuditLog.open(path, InstantSource.system())) {
            var onDisk = new CompletableFuture<String>();
            log.append(intent("a-1", "allow"), new AuditLog.Told() {
                @Override
                public void appended(Appended line) {
                    try {
                        onDisk.complete(Files.readString(path));
                    } catch (IOException e) {
                        onDisk.completeExceptionally(e);
                    }
                }

                @Override
                public void failed(IOException why) {
                    onDisk.completeExceptionally(why);
                }
            });
            assertThat(onDisk.get()).contains("a-1");
        }
    }

    @Test
    void lines_of_waiting_threads_and_of_others_are_all_told_and_stand_in_order()
            throws ExecutionException, IOException, InterruptedException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        var handed = new ArrayList<Heard>();
        var waited = new ArrayList<Callable<Appended>>();
        try (var log = AuditLog.open(path, InstantSource.system());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                var name = "w-" + i;
                waited.add(() -> log.append(intent(name, "allow")));
            }
            var running = new ArrayList<Future<Appended>>();
            for (var each : waited) {
                running.add(threads.submit(each));
                handed.add(handOver(log, "h-" + handed.size()));
            }
            for (var each : running) {
                assertThat(each.get().seq()).isPositive();
            }
            long before = 0;
            for (var each : handed) {
                assertThat(each.get().seq()).isGreaterThan(before);
                before = each.get().seq();
            }
        }
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void a_flush_that_fails_is_told_and_later_lines_go_through()
            throws ExecutionException, IOException, InterruptedException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        var disk = new FailingDisk();
        try (var log = AuditLog.open(path, InstantSource.system(), disk, AuditLog.PATIENCE)) {
            disk.fails = true;
            assertThatThrownBy(handOver(log, "a-1")::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("No space left on device");
            disk.fails = false;
            assertThat(handOver(log, "a-2").get().seq()).isPositive();
        }
        assertThat(Files.readString(path)).contains("a-2").doesNotContain("a-1");
    }

    @Test
    void a_listener_that_throws_stops_nobody() throws ExecutionException, IOException, InterruptedException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        try (var log = AuditLog.open(path, InstantSource.system())) {
            log.append(intent("a-1", "allow"), new AuditLog.Told() {
                @Override
                public void appended(Appended line) {
                    throw new IllegalStateException("not today");
                }

                @Override
                public void failed(IOException why) {
                    throw new IllegalStateException("nor now");
                }
            });
            assertThat(handOver(log, "a-2").get().seq()).isPositive();
        }
        assertThat(Files.readString(path)).contains("a-1", "a-2");
    }

    @Test
    void lines_in_no_haste_come_by_themselves() throws ExecutionException, IOException, InterruptedException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        try (var log = AuditLog.open(path, InstantSource.system())) {
            assertThat(lingering(log, "asleep").get().seq()).isPositive();
            assertThat(lingering(log, "awake").get().seq()).isPositive();
        }
        assertThat(Files.readString(path)).contains("asleep", "awake");
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void lines_in_no_haste_go_before_one_that_somebody_waits_for()
            throws ExecutionException, IOException, InterruptedException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        try (var log = AuditLog.open(path, InstantSource.system())) {
            for (int i = 0; i < 50; i++) {
                var first = lingering(log, "l-" + i);
                var second = lingering(log, "m-" + i);
                long last = handOver(log, "h-" + i).get().seq();
                assertThat(first).isDone();
                assertThat(second.get().seq()).isGreaterThan(first.get().seq()).isLessThan(last);
            }
            var before = lingering(log, "before");
            long alone = log.append(intent("alone", "allow")).seq();
            assertThat(before.get().seq()).isNotEqualTo(alone);
        }
        assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
    }

    private static Heard lingering(AuditLog log, String decision) throws IOException {
        var heard = new Heard();
        log.appendSoon(intent(decision, "allow"), heard);
        return heard;
    }

    @Test
    void everything_taken_is_told_before_a_close_is_over_and_nothing_is_taken_after_it()
            throws ExecutionException, IOException, InterruptedException {
        var path = SampleLog.write(folder.resolve("log"), 1);
        var log = AuditLog.open(path, InstantSource.system());
        List<Heard> handed = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            handed.add(handOver(log, "h-" + i));
            handed.add(lingering(log, "l-" + i));
        }
        log.close();
        assertThat(handed).allMatch(Heard::isDone);
        var late = new Heard();
        assertThatThrownBy(() -> log.append(intent("late", "allow"), late))
                .isInstanceOf(IOException.class)
                .hasMessage("the audit log is closed");
        assertThat(late).isNotDone();
    }
}
