package dev.cagewright.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.event.LineDigest;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.log.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Both verifiers judge the same damaged seals and seal states, with the seal key.
class SealedCorpusTest {
    private static final Path PYTHON_VERIFIER = Path.of("../clients/verify.py");

    @TempDir
    Path folder;

    private final Random random = new Random(20261130);
    private final Map<String, String> damage = new TreeMap<>();

    @Test
    void both_verifiers_agree_on_a_hundred_damaged_seals_and_ends()
            throws IOException, InterruptedException, JsonSyntaxException {
        var kept = Files.createTempDirectory(folder, "kept");
        var log = kept.resolve("log");
        try (var key = SealKey.generate()) {
            AuditLog.seal(log, key, _ -> {}, InstantSource.system());
            Files.writeString(folder.resolve("seal.hex"), new String(key.digits(), UTF_8).strip() + "\n");
            var early = Files.readAllBytes(log.resolveSibling("log.seal"));
            SampleLog.write(log, 6);
            var middle = Files.readAllBytes(log.resolveSibling("log.seal"));
            SampleLog.write(log, 7);
            write(Files.readAllBytes(log), Files.readAllBytes(log.resolveSibling("log.seal")), List.of(early, middle));
            agree(key);
        }
    }

    private void write(byte[] log, byte[] state, List<byte[]> older) throws IOException {
        keep("nothing", log, state);
        for (var old : older) {
            keep("an older seal state", log, old);
        }
        keep("no seal state", log, new byte[0]);
        var lines = SampleLog.lines(log);
        for (int i = 1; i < lines.size(); i++) {
            keep("cut to " + i + " lines", SampleLog.join(lines.subList(0, i)), state);
            keep("chained anew from line " + i, rechain(lines, i), state);
        }
        for (int i = 0; i < 50; i++) {
            keep("a bit of the log flipped", flip(log, log.length), state);
            keep("a bit of the seal state flipped", log, flip(state, 400));
        }
    }

    private void agree(SealKey key) throws IOException, InterruptedException, JsonSyntaxException {
        var ours = new TreeMap<String, String>();
        for (var name : damage.keySet()) {
            ours.put(name, judge(folder.resolve(name).resolve("log"), key));
        }
        var theirs = python();
        var differences = new ArrayList<String>();
        ours.forEach((name, judgement) -> {
            if (!judgement.equals(theirs.get(name))) {
                differences.add(name + " (" + damage.get(name) + "): " + judgement + " here, " + theirs.get(name));
            }
        });
        assertThat(differences).isEmpty();
        assertThat(ours).hasSizeGreaterThan(100);
        for (var word : List.of("complete", "unanchored", "cut")) {
            assertThat(ours.values()).as(word).anyMatch(judgement -> judgement.endsWith(word));
        }
        assertThat(ours.values().stream().filter(judgement -> judgement.startsWith("broken")))
                .hasSizeGreaterThan(50);
    }

    private static String judge(Path log, SealKey key) throws IOException {
        return switch (LogVerifier.of(log).sealed(key).verify()) {
            case Verdict.Broken broken -> "broken in line " + broken.line();
            case Verdict.Intact intact ->
                intact.count() + " lines, "
                        + switch (intact.notes().sealing().tail()) {
                            case Sealing.Tail.Unknown _ -> "unchecked";
                            case Sealing.Tail.Complete _ -> "complete";
                            case Sealing.Tail.Unanchored _ -> "unanchored";
                            case Sealing.Tail.Cut _ -> "cut";
                        };
        };
    }

    private Map<String, String> python() throws IOException, InterruptedException, JsonSyntaxException {
        var errors = folder.resolve("errors");
        var process = new ProcessBuilder("python3", PYTHON_VERIFIER.toString(), "corpus", folder.toString())
                .redirectError(errors.toFile())
                .start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        var judged = new TreeMap<String, String>();
        for (var line : output.lines().toList()) {
            var answer = (JsonObject) Json.parse(line);
            var log = (JsonObject) answer.member("log").orElseThrow();
            boolean intact = ((JsonBoolean) log.member("intact").orElseThrow()).value();
            judged.put(
                    answer.text("case").orElseThrow(),
                    intact
                            ? number(log, "events") + " lines, "
                                    + log.text("sealing").orElseThrow()
                            : "broken in line " + number(log, "line"));
        }
        return judged;
    }

    private static long number(JsonObject object, String name) {
        return ((JsonNumber) object.member(name).orElseThrow()).asLong();
    }

    private void keep(String what, byte[] log, byte[] state) throws IOException {
        var name = String.format(Locale.ROOT, "case-%03d", damage.size());
        damage.put(name, what);
        var item = Files.createDirectory(folder.resolve(name));
        Files.write(item.resolve("log"), log);
        if (state.length > 0) {
            Files.write(item.resolve("log.seal"), state);
        }
    }

    private byte[] flip(byte[] whole, int before) {
        var changed = Arrays.copyOf(whole, whole.length);
        changed[random.nextInt(before)] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }

    /// What somebody makes who can write the file and knows the format, but has no key.
    private static byte[] rechain(List<byte[]> lines, int from) {
        var digest = new LineDigest();
        var forged = new ArrayList<byte[]>();
        var hash = LineFormat.NO_HASH;
        for (int i = 0; i < lines.size(); i++) {
            var text = new String(lines.get(i), UTF_8).strip();
            text = i == from ? text.replace("\"rules\":[\"exec", "\"rules\":[\"forged") : text;
            text = text.replaceAll("\"prev\":\"[0-9a-f]{64}\"", "\"prev\":\"" + hash + "\"");
            hash = digest.hash(hash, text.getBytes(UTF_8));
            text = text.replaceAll("\"hash\":\"[0-9a-f]{64}\"}$", "\"hash\":\"" + hash + "\"}");
            forged.add((text + "\n").getBytes(UTF_8));
        }
        return SampleLog.join(forged);
    }
}
