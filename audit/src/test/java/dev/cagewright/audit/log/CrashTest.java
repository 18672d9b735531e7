package dev.cagewright.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Sealing.Tail;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// kill -9 in the middle of everything.
class CrashTest {
    private static final int LOGS = 25;
    private static final int ROUNDS = 40;

    @TempDir
    Path folder;

    @Test
    void nothing_acknowledged_is_lost_in_a_thousand_kills_at_every_step() throws Exception {
        var acknowledged = new HashMap<Integer, Map<Long, String>>();
        var keys = new HashMap<Integer, SealKey>();
        for (int i = 0; i < LOGS; i += 2) {
            keys.put(i, SealKey.generate());
            AuditLog.seal(folder.resolve("log-" + i), keys.get(i), _ -> {}, InstantSource.system());
        }
        int kills = 0;
        for (int round = 0; round < ROUNDS; round++) {
            kills += killOnce(round, acknowledged);
            for (int i = 0; i < LOGS; i++) {
                holds(folder.resolve("log-" + i), acknowledged.getOrDefault(i, Map.of()));
            }
        }

        assertThat(kills).isEqualTo(LOGS * ROUNDS);
        int torn = 0;
        for (int i = 0; i < LOGS; i++) {
            var path = folder.resolve("log-" + i);
            AuditLog.open(path, InstantSource.system()).close();
            assertThat(LogVerifier.of(path).verify()).isInstanceOf(Verdict.Intact.class);
            if (keys.containsKey(i)) {
                isProven(path, keys.get(i));
            }
            torn += count(SampleLog.text(path), "\"torn_bytes\":");
        }
        assertThat(torn).as("torn lines that were set aside and noted").isGreaterThan(LOGS);
    }

    @Test
    void B195_twenty_processes_append_to_one_log_while_some_are_killed() throws IOException, InterruptedException {
        var path = folder.resolve("log");
        try (var key = SealKey.generate()) {
            AuditLog.seal(path, key, _ -> {}, InstantSource.system());
            appendFromTwenty(path);
            isSealed(path, key);
        }
    }

    private static void isSealed(Path path, SealKey key) throws IOException {
        assertThat(LogVerifier.of(path).sealed(key).verify())
                .isInstanceOfSatisfying(
                        Verdict.Intact.class,
                        intact -> assertThat(intact.notes().sealing().sealed()).isEqualTo(intact.count()));
    }

    private static void appendFromTwenty(Path path) throws IOException, InterruptedException {
        var children = new ArrayList<Child>();
        for (int i = 0; i < 20; i++) {
            // those that are killed would not come to their end before that
            children.add(Child.start("append", path.toString(), "p" + i, i < 5 ? "1000000" : "100"));
        }
        var acknowledged = new HashMap<Long, String>();
        for (int i = 0; i < 5; i++) {
            take(children.get(i).next(), acknowledged);
            children.get(i).kill();
        }
        for (int i = 0; i < 20; i++) {
            var before = acknowledged.size();
            children.get(i).rest().forEach(line -> take(line, acknowledged));
            assertThat(children.get(i).exit()).isEqualTo(i < 5 ? 137 : 0);
            if (i >= 5) {
                assertThat(acknowledged.size() - before).isEqualTo(100);
            }
            children.get(i).close();
        }

        AuditLog.open(path, InstantSource.system()).close();
        assertThat(LogVerifier.of(path).verify())
                .isInstanceOfSatisfying(
                        Verdict.Intact.class,
                        intact -> assertThat(intact.count()).isGreaterThan(acknowledged.size()));
        holds(path, acknowledged);
    }

    /// All kills left the log sealed to its end; the verifier knows that its writers were killed.
    private static void isProven(Path path, SealKey key) throws IOException {
        assertThat(LogVerifier.of(path).sealed(key).verify()).isInstanceOfSatisfying(Verdict.Intact.class, intact -> {
            assertThat(intact.notes().sealing().sealed()).isEqualTo(intact.count());
            assertThat(intact.notes().sealing().epochs()).isGreaterThan(ROUNDS / 2);
            assertThat(intact.notes().sealing().tail())
                    .isInstanceOfSatisfying(
                            Tail.Unanchored.class,
                            tail -> assertThat(tail.reason()).contains("takes its writer for killed"));
        });
    }

    /// Returns how many logs were in the middle of a step when their process was killed.
    private int killOnce(int round, Map<Integer, Map<Long, String>> acknowledged) throws IOException {
        int stopped = 0;
        try (var child = Child.start("stop", folder.toString(), String.valueOf(LOGS), String.valueOf(round))) {
            while (stopped < LOGS) {
                var words = List.of(child.next().split(" ", 4));
                if (words.getFirst().equals("stopped")) {
                    stopped++;
                } else {
                    assertThat(words.getFirst()).as(words.toString()).isEqualTo("acked");
                    acknowledged
                            .computeIfAbsent(Integer.valueOf(words.get(1)), _ -> new HashMap<>())
                            .put(Long.valueOf(words.get(2)), words.get(3));
                }
            }
            child.kill();
        }
        return stopped;
    }

    private static void take(String line, Map<Long, String> acknowledged) {
        if (!line.isEmpty()) {
            var words = List.of(line.split(" ", 3));
            assertThat(acknowledged.put(Long.valueOf(words.get(1)), words.get(2)))
                    .as("line " + words.get(1) + " acknowledged once")
                    .isNull();
        }
    }

    private static void holds(Path path, Map<Long, String> acknowledged) throws IOException {
        var lines = SampleLog.lines(Files.readAllBytes(path));
        acknowledged.forEach((seq, hash) -> assertThat(new String(lines.get(Math.toIntExact(seq - 1)), UTF_8))
                .startsWith("{\"seq\":" + seq + ",")
                .endsWith("\"hash\":\"" + hash + "\"}\n"));
    }

    private static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }
}
