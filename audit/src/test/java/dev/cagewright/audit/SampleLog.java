package dev.cagewright.audit;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Event.Ruling;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Real logs of a few lines of every kind, and their lines as bytes.
public final class SampleLog {
    public static final Origin ORIGIN = Origin.of("k3v9x2m4qp", "analysis");

    private SampleLog() {}

    /// Writes `events` events, every fifth allowed one without an outcome.
    public static Path write(Path path, int events) throws IOException {
        try (var log = AuditLog.open(path, InstantSource.system())) {
            for (int i = 1; i <= events; i++) {
                log.append(event(i));
            }
        }
        return path;
    }

    public static Event event(int number) {
        var origin = ORIGIN.decision("k3v9x2m4qp-" + (number + 1) / 2);
        return switch (number % 10) {
            case 1, 3, 5, 9 -> Event.intent(origin, exec("python3", "analyse.py", "naïve \u202e\n\u0000.csv"), allow());
            case 7 -> Event.intent(origin, exec("sh", "-c", "echo \"pwned\" \\ 🙂"), deny());
            case 2, 4, 6 ->
                Event.outcome(
                        origin,
                        exec("python3"),
                        Json.object().put("exit", number).build());
            default -> Event.note(ORIGIN, Json.object().put("name", "run.note").build(), JsonObject.EMPTY);
        };
    }

    public static Event intent(String id, String decision) {
        return Event.intent(ORIGIN.decision(id), exec("true"), new Ruling(decision, List.of("exec:allow")));
    }

    public static JsonObject exec(String... argv) {
        return Json.object().put("name", "proc.exec").put("argv", List.of(argv)).build();
    }

    /// The file's lines, each with its line end.
    public static List<byte[]> lines(byte[] file) {
        var lines = new ArrayList<byte[]>();
        int from = 0;
        for (int i = 0; i < file.length; i++) {
            if (file[i] == '\n') {
                lines.add(Arrays.copyOfRange(file, from, i + 1));
                from = i + 1;
            }
        }
        return lines;
    }

    public static byte[] join(List<byte[]> lines) {
        var out = new ByteArrayOutputStream();
        lines.forEach(out::writeBytes);
        return out.toByteArray();
    }

    public static String text(Path path) throws IOException {
        return Files.readString(path, StandardCharsets.UTF_8);
    }

    private static Ruling allow() {
        return new Ruling(Ruling.ALLOW, List.of("exec:allow", "fs:workspace"));
    }

    private static Ruling deny() {
        return new Ruling("deny", List.of("deny:shell"));
    }
}
