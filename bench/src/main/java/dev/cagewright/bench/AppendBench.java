package dev.cagewright.bench;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Event.Ruling;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.log.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/// Durable appends: each producer is a virtual thread that waits for the disk after every event. The figure to read
/// is `events`, events a second. The log lies in the folder of `-Dbench.folder`, by default the working directory:
/// a memory file system measures nothing.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class AppendBench {
    private static final int EVENTS_EACH = 50;

    @Param({"1", "16", "64", "1000"})
    public int producers;

    private Path folder;
    private AuditLog log;

    /// Events that are on the disk.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Durable {
        public long events;
    }

    @Setup(Level.Iteration)
    public void open() throws IOException {
        folder = Files.createTempDirectory(Path.of(System.getProperty("bench.folder", ".")), "append");
        log = AuditLog.open(folder.resolve("log"), InstantSource.system());
    }

    @TearDown(Level.Iteration)
    public void remove() throws IOException {
        log.close();
        for (var name : List.of("log", "log.lock")) {
            Files.delete(folder.resolve(name));
        }
        Files.delete(folder);
    }

    @Benchmark
    public void append(Durable durable) throws ExecutionException, InterruptedException {
        var running = new ArrayList<Future<Integer>>(producers);
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < producers; i++) {
                int producer = i;
                running.add(pool.submit(() -> produce(producer)));
            }
        }
        for (var producer : running) {
            durable.events += producer.get();
        }
    }

    private int produce(int producer) throws IOException {
        var origin = Origin.of("k3v9x2m4qp", "analysis");
        var ruling = new Ruling(Ruling.ALLOW, List.of("exec:allow"));
        for (int i = 0; i < EVENTS_EACH; i++) {
            var action = Json.object()
                    .put("name", "proc.exec")
                    .put("argv", List.of("python3", "analyse.py", "data.csv"))
                    .build();
            log.append(Event.intent(origin.decision(producer + "-" + i), action, ruling));
        }
        return EVENTS_EACH;
    }

    /// Runs this class and leaves its figures: `append.<producers>.events`, events a second.
    ///
    /// @throws RunnerException if a benchmark fails
    static void main(String... arguments) throws RunnerException, IOException {
        var figures = new Figures();
        var options = Effort.of(arguments).options(AppendBench.class);
        for (var result : new Runner(options.build()).run()) {
            var events = result.getSecondaryResults().get("events");
            figures.put("append." + result.getParams().getParam("producers") + ".events", events.getScore());
        }
        figures.write("append");
    }
}
