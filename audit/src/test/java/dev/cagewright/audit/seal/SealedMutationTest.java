package dev.cagewright.audit.seal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.event.LineComposer;
import dev.cagewright.audit.event.LineDigest;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.key.SealKey;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Sealing.Tail;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An attacker who takes the machine at some time: has the log and the stored state, can compute every hash, and every
/// key from the stored one on, but has no seal key and no key of the past. Whatever of the past is changed is found.
class SealedMutationTest {
    private final SealKey key = SealKey.generate();

    @TempDir
    Path folder;

    private Path path = Path.of("");
    private Path statePath = Path.of("");
    private List<byte[]> lines = List.of();
    private byte[] state = {};

    @BeforeEach
    void three_writers_log_before_the_attack() throws IOException {
        path = SampleLog.write(folder.resolve("log"), 2);
        statePath = folder.resolve("log.seal");
        AuditLog.seal(path, key, _ -> {}, InstantSource.system());
        SampleLog.write(path, 3);
        SampleLog.write(path, 2);
        lines = SampleLog.lines(Files.readAllBytes(path));
        state = Files.readAllBytes(statePath);
    }

    @AfterEach
    void wipe() {
        key.close();
    }

    @Test
    void the_log_itself_is_proven_and_complete() throws Exception {
        assertThat(found(lines, state)).isEmpty();
    }

    @Test
    void every_line_that_is_changed_and_chained_anew_is_found() throws Exception {
        for (int i = 0; i < lines.size(); i++) {
            assertThat(found(rechain(changed(lines, i)), state))
                    .as("line " + (i + 1))
                    .isNotEmpty();
        }
    }

    @Test
    void every_line_that_is_removed_from_a_chain_that_is_made_anew_is_found() throws Exception {
        for (int i = 0; i < lines.size(); i++) {
            var fewer = new ArrayList<>(lines);
            fewer.remove(i);
            assertThat(found(rechain(fewer), state)).as("line " + (i + 1)).isNotEmpty();
        }
    }

    @Test
    void every_cut_is_found_whatever_becomes_of_the_state() throws Exception {
        for (int i = 0; i < lines.size(); i++) {
            assertThat(found(lines.subList(0, i), state)).as("cut to " + i).isNotEmpty();
            Files.deleteIfExists(statePath);
            assertThat(found(lines.subList(0, i), null))
                    .as("cut to " + i + ", no state")
                    .isNotEmpty();
        }
    }

    @Test
    void every_change_whose_later_seals_are_taken_out_is_found() throws Exception {
        for (int i = 0; i < lines.size(); i++) {
            var changed = changed(lines, i);
            for (int n = changed.size() - 1; n > i; n--) {
                if (new String(changed.get(n), UTF_8).contains("log.seal")) {
                    changed.remove(n);
                }
            }
            assertThat(found(rechain(changed), state)).as("line " + (i + 1)).isNotEmpty();
        }
    }

    @Test
    void an_epoch_of_the_attackers_behind_a_cut_is_found() throws Exception {
        for (int i = 1; i < lines.size(); i++) {
            put(lines.subList(0, i), state);
            try (var stolen = SealFile.of(path).load();
                    var after = stolen.begun(stolen.open())) {
                var forged = new ArrayList<>(lines.subList(0, i));
                forged.addAll(seals(forged, stolen));
                SealFile.of(path).create(after);
                assertThat(found(forged, Files.readAllBytes(statePath)))
                        .as("cut to " + i)
                        .isNotEmpty();
            }
        }
    }

    @Test
    void keys_that_follow_from_the_stored_one_seal_nothing_of_the_past() throws Exception {
        for (int i = 0; i < lines.size(); i++) {
            if (!new String(lines.get(i), UTF_8).contains("log.seal")) {
                continue;
            }
            put(lines, state);
            try (var stolen = SealFile.of(path).load()) {
                var forged = new ArrayList<>(lines.subList(0, i));
                if (i > 3) {
                    forged = new ArrayList<>(rechain(changed(forged, i - 1)));
                }
                var seal = Seal.of(LineFormat.parse(bare(lines.get(i))));
                forged.add(sealLine(forged, stolen.key().firstStep(), seal));
                forged.addAll(lines.subList(i + 1, lines.size()));
                assertThat(found(rechain(forged), state))
                        .as("seal in line " + (i + 1))
                        .isNotEmpty();
            }
        }
    }

    @Test
    void what_the_attacker_adds_behind_the_past_leaves_the_past_proven() throws Exception {
        SampleLog.write(path, 1);

        assertThat(found(SampleLog.lines(Files.readAllBytes(path)), Files.readAllBytes(statePath)))
                .isEmpty();
    }

    /// What the verifier finds wrong; empty if the log is proven and complete.
    private String found(List<byte[]> forged, byte @Nullable [] forgedState) throws IOException {
        put(forged, forgedState);
        return switch (LogVerifier.of(path).sealed(key).verify()) {
            case Verdict.Broken broken -> broken.reason();
            case Verdict.Intact intact ->
                switch (intact.notes().sealing().tail()) {
                    case Tail.Complete _ -> "";
                    case Tail.Unknown _ -> "unknown";
                    case Tail.Unanchored(var reason) -> reason;
                    case Tail.Cut(var reason) -> reason;
                };
        };
    }

    private void put(List<byte[]> log, byte @Nullable [] forgedState) throws IOException {
        Files.write(path, SampleLog.join(log));
        if (forgedState != null) {
            Files.write(statePath, forgedState);
        }
    }

    /// A whole epoch of the attacker's, made with the stolen key: it takes all others for over.
    private static List<byte[]> seals(List<byte[]> before, SealState stolen) throws Exception {
        var head = LineFormat.parse(bare(before.getLast()));
        var composer = new LineComposer();
        composer.begin(head.hash(), Instant.now().isBefore(head.time()) ? head.time() : Instant.now());
        try (var epoch = stolen.epoch()) {
            epoch.add(composer, head.seq() + 1, Seal.Part.BEGIN, epoch.number() + 1, stolen.open());
            epoch.add(composer, head.seq() + 2, Seal.Part.END, epoch.number() + 1, List.of());
        }
        var bytes = new byte[composer.size()];
        composer.lines().get(bytes);
        return SampleLog.lines(bytes);
    }

    private static byte[] sealLine(List<byte[]> before, StepKey step, Seal seal) throws Exception {
        var composer = new LineComposer();
        var last = LineFormat.parse(bare(before.getLast()));
        composer.begin(last.hash(), last.time());
        composer.addSealed(last.seq() + 1, LineFormat.body(seal.event()), new LineComposer.Cover() {
            @Override
            public int tail() {
                return Seal.MAC_MEMBER;
            }

            @Override
            public int digits() {
                return Seal.MAC_END;
            }

            @Override
            public byte[] code(byte[] prev, byte[] bytes, int from, int to) {
                var code = new byte[32];
                step.mac(prev, bytes, from, to, code);
                return code;
            }
        });
        var bytes = new byte[composer.size()];
        composer.lines().get(bytes);
        return bytes;
    }

    private static List<byte[]> changed(List<byte[]> lines, int at) {
        var changed = new ArrayList<>(lines);
        var text = new String(lines.get(at), UTF_8);
        changed.set(at, text.replace("\"cage\":\"", "\"cage\":\"forged").getBytes(UTF_8));
        return changed;
    }

    /// Numbers and chains all lines as they stand.
    private static List<byte[]> rechain(List<byte[]> lines) {
        var digest = new LineDigest();
        var forged = new ArrayList<byte[]>();
        var hash = LineFormat.NO_HASH;
        int seq = 0;
        for (var line : lines) {
            var text = new String(line, UTF_8).strip();
            text = text.replaceFirst("^\\{\"seq\":[0-9]+", "{\"seq\":" + ++seq);
            text = text.replaceAll("\"prev\":\"[0-9a-f]{64}\"", "\"prev\":\"" + hash + "\"");
            hash = digest.hash(hash, text.getBytes(UTF_8));
            text = text.replaceAll("\"hash\":\"[0-9a-f]{64}\"}$", "\"hash\":\"" + hash + "\"}");
            forged.add((text + "\n").getBytes(UTF_8));
        }
        return forged;
    }

    private static byte[] bare(byte[] line) {
        return Arrays.copyOf(line, line.length - 1);
    }
}
