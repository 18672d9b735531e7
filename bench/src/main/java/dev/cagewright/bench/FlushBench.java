package dev.cagewright.bench;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Event.Ruling;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;

/// One durable event alone beside what the disk asks for the same bytes: one write and one `fdatasync` in a file
/// whose blocks are already there. Interleaved.
final class FlushBench {
    private static final int LINE_BYTES = 400;
    private static final long SEGMENT_BYTES = 8L << 20;

    private FlushBench() {}

    static void main(String... arguments)
            throws IOException, InterruptedException, ConfinementException, DeniedException {
        var effort = Effort.of(arguments);
        var figures = new Figures();
        var folder = Files.createTempDirectory(Path.of(System.getProperty("bench.folder", ".")), "flush");
        try (var log = AuditLog.open(folder.resolve("log"), InstantSource.system());
                var segment = segment(folder.resolve("segment"));
                var race = new Race(List.of(flush(segment), append(log)), 1)) {
            race.run(effort == Effort.SHORT ? 1 : 3);
            race.run(effort == Effort.SHORT ? 2 : 8);
            race.write(figures, "flush.");
        } finally {
            for (var name : List.of("log", "log.lock", "segment")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
        figures.write("flush");
    }

    private static FileChannel segment(Path file) throws IOException {
        var segment = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        for (long at = 0; at < SEGMENT_BYTES; at += 1 << 20) {
            segment.write(ByteBuffer.allocate(1 << 20), at);
        }
        segment.force(true);
        return segment;
    }

    private static Way flush(FileChannel segment) {
        return new Way() {
            private long at;

            @Override
            public String name() {
                return "plain";
            }

            @Override
            public Rest once() throws IOException {
                segment.write(ByteBuffer.allocate(LINE_BYTES), at);
                segment.force(false);
                at = (at + LINE_BYTES) % (SEGMENT_BYTES - LINE_BYTES);
                return Rest.NOTHING;
            }
        };
    }

    private static Way append(AuditLog log) {
        var origin = Origin.of("k3v9x2m4qp", "analysis");
        var ruling = new Ruling(Ruling.ALLOW, List.of("exec:allow"));
        return new Way() {
            private long number;

            @Override
            public String name() {
                return "append";
            }

            @Override
            public Rest once() throws IOException {
                var action = Json.object()
                        .put("name", "proc.exec")
                        .put("argv", List.of("python3", "analyse.py", "data.csv"))
                        .build();
                log.append(Event.intent(origin.decision("k3v9x2m4qp-" + number++), action, ruling));
                return Rest.NOTHING;
            }
        };
    }
}
