package dev.cagewright.audit.log;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Event.Ruling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Durable appends a second: a program, not a test. Arguments: folder, seconds, then numbers of producers.
@SuppressWarnings("SystemOut")
final class AppendBenchmark {
    private final Path folder;
    private final Duration length;

    private AppendBenchmark(Path folder, Duration length) {
        this.folder = folder;
        this.length = length;
    }

    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        var benchmark = new AppendBenchmark(
                Path.of(arguments[0]), Duration.ofMillis((long) (1000 * Double.parseDouble(arguments[1]))));
        System.out.println("producers   events/s   p50 us   p99 us  cpu us/ev  load");
        for (var producers : Arrays.asList(arguments).subList(2, arguments.length)) {
            benchmark.run(Integer.parseInt(producers));
        }
    }

    private void run(int producers) throws IOException, ExecutionException, InterruptedException {
        var path = Files.createTempFile(folder, "bench", ".log");
        Files.delete(path);
        var samples = new Samples();
        long nanos;
        Duration cpu;
        try (var log = AuditLog.open(path, InstantSource.system())) {
            measure(log, producers, new Samples(), length.dividedBy(2));
            var before = cpu();
            nanos = measure(log, producers, samples, length);
            cpu = cpu().minus(before);
        }
        System.out.printf(
                Locale.ROOT,
                "%9d %10.0f %8d %8d %9.2f  %s%n",
                producers,
                samples.count.sum() * 1e9 / nanos,
                samples.quantile(0.5),
                samples.quantile(0.99),
                cpu.toNanos() / 1000.0 / Math.max(1, samples.count.sum()),
                Files.readString(Path.of("/proc/loadavg")).substring(0, 4));
        for (var suffix : List.of("", ".lock")) {
            Files.delete(path.resolveSibling(path.getFileName() + suffix));
        }
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long measure(AuditLog log, int producers, Samples samples, Duration length)
            throws ExecutionException, InterruptedException {
        ThreadFactory threads = !Boolean.getBoolean("platform")
                ? Thread.ofVirtual().factory()
                : Thread.ofPlatform().factory();
        long start = System.nanoTime();
        long end = start + length.toNanos();
        var running = new ArrayList<Future<Long>>();
        try (var pool = Executors.newThreadPerTaskExecutor(threads)) {
            for (int i = 0; i < producers; i++) {
                int producer = i;
                running.add(pool.submit(() -> produce(log, producer, samples, end)));
            }
        }
        for (var producer : running) {
            producer.get();
        }
        return System.nanoTime() - start;
    }

    private static long produce(AuditLog log, int producer, Samples samples, long end) throws IOException {
        var origin = SampleLog.ORIGIN;
        var ruling = new Ruling(Ruling.ALLOW, List.of("exec:allow"));
        long number = 0;
        long before = System.nanoTime();
        while (before < end) {
            var id = producer + "-" + number++;
            log.append(Event.intent(origin.decision(id), SampleLog.exec("python3", "analyse.py", "data.csv"), ruling));
            long after = System.nanoTime();
            samples.add((after - before) / 1000);
            before = after;
        }
        return number;
    }

    /// Latencies in microseconds; the last million.
    private static final class Samples {
        final LongAdder count = new LongAdder();
        private final AtomicLong kept = new AtomicLong();
        private final long[] micros = new long[1 << 20];

        void add(long latency) {
            count.increment();
            long at = kept.getAndIncrement();
            micros[(int) (at & (micros.length - 1))] = latency;
        }

        long quantile(double share) {
            int length = (int) Math.min(kept.get(), micros.length);
            var sorted = Arrays.copyOf(micros, length);
            Arrays.sort(sorted);
            return length == 0 ? 0 : sorted[(int) (share * (length - 1))];
        }
    }
}
