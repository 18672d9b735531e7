package dev.cagewright.audit.alone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.proof.LogProver;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The verifier in a process of its own that has this module's classes and nothing else.
class MainTest {
    @TempDir
    Path folder;

    private Path log = Path.of("");
    private Path key = Path.of("");

    private record Answer(int code, String out, String err) {}

    @BeforeEach
    void write_a_signed_log() throws IOException {
        log = SampleLog.write(folder.resolve("log"), 9);
        SigningKey.generate(folder.resolve("k"));
        key = folder.resolve("k.pub.hex");
        new CheckpointFiles(log).write(sign());
    }

    @Test
    void a_log_is_judged_with_nothing_but_this_module() throws IOException, InterruptedException {
        var ok = run("verify", log.toString(), "--key", key.toString(), "--require-anchored");
        assertThat(ok.code()).as(ok.err()).isZero();
        assertThat(ok.out()).startsWith("ok: 10 events, head ").contains("checkpoints verified: 1");

        SampleLog.write(log, 2);
        var json = run("verify", log.toString(), "--key", key.toString(), "--require-anchored", "--json");
        assertThat(json.code()).isEqualTo(6);
        assertThat(json.out()).startsWith("{\"intact\":true,").contains("\"anchored\":10,\"unanchored\":2,");

        var bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 1;
        Files.write(log, bytes);
        var broken = run("verify", log.toString(), "--key", key.toString());
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.out()).startsWith("broken: line ");
    }

    @Test
    void proofs_are_judged_with_nothing_but_this_module()
            throws BrokenChainException, IOException, InterruptedException {
        var old = Checkpoint.read(new CheckpointFiles(log).file(10));
        SampleLog.write(log, 5);
        var prover = new LogProver(log, sign());
        var proof = Files.write(folder.resolve("proof"), prover.inclusion(12).bytes());
        var grown = Files.write(folder.resolve("grown"), prover.consistency(old).bytes());
        var kept = Files.write(folder.resolve("kept"), old.bytes());

        assertThat(run("verify-proof", proof.toString(), "--key", key.toString())
                        .out())
                .startsWith("ok: line 12 of log " + old.log() + " with 15 lines\n  #12 ");
        var growth = run("verify-proof", grown.toString(), "--key", key.toString(), "--since", kept.toString());
        assertThat(growth.out()).isEqualTo("ok: log " + old.log() + " only grew, from 10 to 15 lines\n");
        var refused = run("verify-proof", proof.toString(), "--key", key.toString(), "--line", kept.toString());
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out())
                .isEqualTo("not proven: the line is not line 12 of the log that the checkpoint is about\n");
    }

    @Test
    void a_cut_end_is_told_apart_with_nothing_but_this_module() throws IOException, InterruptedException {
        var sealed = folder.resolve("sealed");
        var file = folder.resolve("seal.hex");
        try (var seal = SealKey.generate()) {
            AuditLog.seal(sealed, seal, _ -> {}, InstantSource.system());
            seal.write(file);
        }
        SampleLog.write(sealed, 5);
        var whole = run("verify", sealed.toString(), "--seal-key", file.toString());
        assertThat(whole.code()).as(whole.out() + whole.err()).isZero();
        assertThat(whole.out()).contains(", end complete");

        var lines = SampleLog.lines(Files.readAllBytes(sealed));
        Files.write(sealed, SampleLog.join(lines.subList(0, lines.size() - 1)));
        var cut = run("verify", sealed.toString(), "--seal-key", file.toString());
        assertThat(cut.code()).isEqualTo(7);
        assertThat(cut.out()).contains(", end unanchored: cut: ");
    }

    @Test
    void wrong_words_and_missing_files_are_told() throws IOException, InterruptedException {
        assertThat(run("verify").err())
                .startsWith("cagewright-audit: words: [verify] (expected: verify LOG or verify-proof PROOF)\nusage: ");
        assertThat(run("verify", "log", "--pink").code()).isEqualTo(2);
        assertThat(run("verify", "log", "--key").err())
                .startsWith("cagewright-audit: --key: nothing (expected: a value)");
        var missing = run("verify-proof", "none", "--key", "none");
        assertThat(missing.code()).isEqualTo(125);
        assertThat(missing.err()).isEqualTo("cagewright-audit: none: no such file\n");
        assertThat(run("verify", folder.resolve("none").toString()).out())
                .isEqualTo("broken: line 0 (byte 0): there is no log at " + folder.resolve("none") + "\n");
    }

    private Checkpoint sign() throws IOException {
        var intact = (Verdict.Intact) LogVerifier.of(log).verify();
        return intact.sign(SigningKey.read(folder.resolve("k.secret.hex")), Instant.EPOCH);
    }

    private Answer run(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-p",
                Path.of("target/classes").toString(),
                "-m",
                "dev.cagewright.audit/dev.cagewright.audit.alone.Main"));
        command.addAll(List.of(words));
        var err = folder.resolve("err");
        var process = new ProcessBuilder(command).redirectError(err.toFile()).start();
        var out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Answer(process.waitFor(), out, Files.readString(err));
    }
}
