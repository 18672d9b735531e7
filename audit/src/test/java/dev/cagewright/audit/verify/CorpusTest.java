package dev.cagewright.audit.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonNumber;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.note.NoteKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two verifiers that share no code, this module and `clients/verify.py`, judge the same damaged logs, checkpoints and
/// proofs.
class CorpusTest {
    private static final Path PYTHON_VERIFIER = Path.of("../clients/verify.py");

    @TempDir
    Path folder;

    /// What one verifier says of one case, in words.
    private record Judgement(String log, String proof) {}

    @Test
    void both_verifiers_agree_on_three_hundred_damaged_logs_notes_and_proofs() throws Exception {
        var damage = Corpus.write(folder, 20261129);
        assertThat(damage).hasSizeGreaterThanOrEqualTo(300);

        var ours = new TreeMap<String, Judgement>();
        for (var name : damage.keySet()) {
            ours.put(name, judge(folder.resolve(name)));
        }
        var theirs = python();

        assertThat(theirs.keySet()).isEqualTo(ours.keySet());
        var differences = new ArrayList<String>();
        ours.forEach((name, judgement) -> {
            if (!judgement.equals(theirs.get(name))) {
                differences.add(name + " (" + damage.get(name) + "): " + judgement + " here, " + theirs.get(name));
            }
        });
        assertThat(differences).isEmpty();
        assertThat(ours.values().stream().filter(judged -> judged.log().startsWith("broken")))
                .as("logs and notes that were found to be damaged")
                .hasSizeGreaterThan(200);
        assertThat(ours.values().stream().filter(judged -> judged.log().startsWith("intact")))
                .as("the others, whose proof was damaged or whose change is harmless")
                .hasSizeGreaterThan(50);
        assertThat(ours.values().stream().filter(judged -> judged.proof().equals("refused")))
                .hasSizeGreaterThan(50);
        assertThat(ours.values().stream().filter(judged -> judged.proof().equals("proven")))
                .hasSizeGreaterThan(100);
    }

    private Judgement judge(Path item) throws IOException {
        var key = PinnedKey.read(folder.resolve("key.pub.hex"));
        var witness = NoteKey.read(folder.resolve("witness.vkey"));
        int quorum = Files.exists(item.resolve("witnessed")) ? 1 : 0;
        var verdict = LogVerifier.of(item.resolve("log"))
                .pinned(key)
                .witnessed(List.of(witness), quorum)
                .verify();
        var log = switch (verdict) {
            case Verdict.Intact intact -> intact(intact.count(), intact.head(), intact.anchored());
            case Verdict.Broken broken -> "broken in line " + broken.line();
        };
        return new Judgement(
                log, proof(item, new ProofVerifier(Trust.NOBODY.pinned(key).witnessed(List.of(witness), quorum))));
    }

    private static String proof(Path item, ProofVerifier verifier) throws IOException {
        var bytes = Files.readAllBytes(item.resolve("proof"));
        var old = item.resolve("old");
        var verdict = Files.exists(old)
                ? verifier.consistency(bytes, Checkpoint.read(old))
                : verifier.inclusion(bytes, Optional.empty());
        return verdict instanceof ProofVerdict.Refused ? "refused" : "proven";
    }

    private static String intact(long events, String head, long anchored) {
        return "intact, " + events + " events to " + head + ", anchored to " + anchored;
    }

    private Map<String, Judgement> python() throws IOException, InterruptedException, JsonSyntaxException {
        var errors = folder.resolve("errors");
        var process = new ProcessBuilder("python3", PYTHON_VERIFIER.toString(), "corpus", folder.toString())
                .redirectError(errors.toFile())
                .start();
        process.getOutputStream().close();
        var lines = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        var judged = new TreeMap<String, Judgement>();
        for (var line : lines.lines().toList()) {
            var answer = (JsonObject) Json.parse(line);
            judged.put(answer.text("case").orElseThrow(), new Judgement(log(answer), proof(answer)));
        }
        return judged;
    }

    private static String log(JsonObject answer) {
        var log = (JsonObject) answer.member("log").orElseThrow();
        return truth(log, "intact")
                ? intact(number(log, "events"), log.text("head").orElseThrow(), number(log, "anchored"))
                : "broken in line " + number(log, "line");
    }

    private static String proof(JsonObject answer) {
        return truth((JsonObject) answer.member("proof").orElseThrow(), "proven") ? "proven" : "refused";
    }

    private static boolean truth(JsonObject object, String name) {
        return ((JsonBoolean) object.member(name).orElseThrow()).value();
    }

    private static long number(JsonObject object, String name) {
        return ((JsonNumber) object.member(name).orElseThrow()).asLong();
    }
}
