package dev.cagewright.supervisor.evidence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.supervisor.copy.Mechanism;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.receipt.issue.ReceiptKey;
import dev.cagewright.supervisor.receipt.issue.RecordedRun;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceTest {
    private static final String ID = "abcdefghij";

    private final Path folder;
    private final RecordedRun runs;
    private int bundles;

    EvidenceTest(@TempDir Path folder) {
        this.folder = folder;
        this.runs = new RecordedRun(folder);
    }

    private EvidenceExport.Exported export(EvidenceExport.Contents contents) throws Exception {
        var file = folder.resolve("bundle-" + bundles++ + ".zip");
        return new EvidenceExport(runs.folders(), runs.record(ID), contents).to(file);
    }

    private byte[] bundle() throws Exception {
        return Files.readAllBytes(export(EvidenceExport.Contents.LISTED).file());
    }

    private PinnedKey key() throws IOException {
        return PinnedKey.read(ReceiptKey.publicFile(runs.folders()));
    }

    private EvidenceCheck.Keys keys() throws IOException {
        return new EvidenceCheck.Keys(Optional.of(key()), Optional.empty());
    }

    private static EvidenceCheck.Answer check(byte[] zip, EvidenceCheck.Keys keys) throws IOException, BundleException {
        return EvidenceCheck.check(BundleArchive.open(BundleArchive.Source.of(zip)), keys);
    }

    /// A bundle whose own list of entries is right again.
    private byte[] listed(Map<String, byte[]> entries) throws IOException {
        var all = new TreeMap<>(entries);
        var items = new ArrayList<Sections.Item>();
        all.remove(EntryName.SECTIONS);
        all.forEach((name, bytes) -> items.add(new Sections.Item(name, bytes.length, Sha256.of(bytes))));
        all.put(EntryName.SECTIONS, new Sections(ID, items, List.of()).bytes());
        return ZipPatch.zip(folder, all);
    }

    private PinnedKey checkpoint() throws IOException {
        var prefix = folder.resolve("log-key");
        var open = SigningKey.generate(prefix);
        if (LogVerifier.of(runs.log()).verify() instanceof Verdict.Intact intact) {
            var secret = SigningKey.read(folder.resolve("log-key.secret.hex"));
            new CheckpointFiles(runs.log()).write(intact.sign(secret, Instant.parse("2026-01-02T03:04:05Z")));
        }
        return open;
    }

    @Test
    void a_bundle_of_a_run_holds_with_the_machines_key() throws Exception {
        runs.run(ID, "/bin/true");
        var answer = check(bundle(), keys());

        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.session()).isEqualTo(ID);
        assertThat(answer.trust()).isEqualTo(EvidenceCheck.Trust.PINNED);
        assertThat(answer.findings())
                .contains("log: the lines are the receipt's", "log: names this receipt")
                .anyMatch(line -> line.startsWith("absent, captures: "))
                .anyMatch(line -> line.startsWith("absent, proofs: no checkpoint reaches the run's lines"));
    }

    @Test
    void a_bundle_of_a_denied_run_holds_too() throws Exception {
        runs.run(ID, "sh", "-c", "true");

        assertThat(check(bundle(), keys()).complaints()).isEmpty();
    }

    @Test
    void without_a_key_from_elsewhere_a_bundle_is_its_own_word() throws Exception {
        runs.run(ID, "/bin/true");
        var answer = check(bundle(), new EvidenceCheck.Keys(Optional.empty(), Optional.empty()));

        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.trust()).isEqualTo(EvidenceCheck.Trust.OWN_WORD);
    }

    @Test
    void another_key_did_not_sign_it() throws Exception {
        runs.run(ID, "/bin/true");
        var other = SigningKey.generate(folder.resolve("other"));
        var answer = check(bundle(), new EvidenceCheck.Keys(Optional.of(other), Optional.empty()));

        assertThat(answer.complaints()).containsExactly("the receipt's signature is not one of key " + other.hex());
    }

    @Test
    void the_same_session_makes_the_same_bytes_and_never_over_a_file() throws Exception {
        runs.run(ID, "/bin/true");
        var first = bundle();

        assertThat(bundle()).isEqualTo(first);
        bundles--;
        assertThatThrownBy(this::bundle).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllBytes(folder.resolve("bundle-1.zip"))).isEqualTo(first);
    }

    @Test
    void lines_of_other_sessions_stay_at_home() throws Exception {
        runs.run("bbbbbbbbbb", "/bin/echo", "somebody-elses-words");
        runs.run(ID, "/bin/true");
        runs.run("cccccccccc", "/bin/echo", "somebody-elses-words");
        var zip = bundle();

        assertThat(Files.readString(runs.log())).contains("somebody-elses-words");
        assertThat(new String(zip, ISO_8859_1)).doesNotContain("somebody-elses-words");
        assertThat(check(zip, keys()).complaints()).isEmpty();
    }

    @Test
    void with_a_checkpoint_each_line_is_proven_to_be_in_the_log() throws Exception {
        runs.run("bbbbbbbbbb", "/bin/true");
        runs.run(ID, "/bin/true");
        var logKey = checkpoint();
        var zip = bundle();

        var answer = check(zip, new EvidenceCheck.Keys(Optional.of(key()), Optional.of(logKey)));
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.findings())
                .contains("checkpoint: signed by " + logKey.hex())
                .contains("proofs: 3 of 3 lines are in the log of the checkpoint");
        assertThat(check(zip, new EvidenceCheck.Keys(Optional.of(key()), Optional.of(key())))
                        .complaints())
                .containsExactly("the checkpoint is not signed with the log's key that was named");
    }

    @Test
    void a_proof_of_another_line_is_found() throws Exception {
        runs.run(ID, "/bin/true");
        checkpoint();
        var entries = ZipPatch.entries(bundle());
        entries.put("log/2.proof", entries.getOrDefault("log/3.proof", new byte[0]));

        assertThat(check(listed(entries), keys()).complaints())
                .containsExactly("proofs: log/2.proof does not prove its line");
    }

    @Test
    void a_proof_without_its_line_is_found() throws Exception {
        runs.run(ID, "/bin/true");
        checkpoint();
        var entries = ZipPatch.entries(bundle());
        entries.put("log/9.proof", entries.getOrDefault("log/3.proof", new byte[0]));

        assertThat(check(listed(entries), keys()).complaints())
                .containsExactly("proofs: 1 prove no line of the bundle");
    }

    @Test
    void a_policy_that_is_not_the_one_that_held_is_found() throws Exception {
        runs.run(ID, "/bin/true");
        var entries = ZipPatch.entries(bundle());
        var name = entries.keySet().stream()
                .filter(one -> one.startsWith("policy/"))
                .findFirst()
                .orElseThrow();
        entries.put(name, "tool: other\n".getBytes(UTF_8));
        assertThat(check(listed(entries), keys()).complaints())
                .containsExactly("policy: " + name + " has another digest");

        entries.remove(name);
        assertThat(check(listed(entries), keys()).complaints()).containsExactly("policy: " + name + " is missing");

        entries.put("policy/" + "0".repeat(64) + ".yaml", new byte[0]);
        assertThat(check(listed(entries), keys()).complaints())
                .containsExactly(
                        "policy: " + name + " is missing",
                        "policy: the receipt does not know policy/" + "0".repeat(64) + ".yaml");
    }

    private List<String> complaintsOfLines(String from, String to) throws Exception {
        var entries = ZipPatch.entries(bundle());
        var lines = new String(entries.getOrDefault(EntryName.LINES, new byte[0]), UTF_8);
        var changed = lines.replaceFirst(from, to);
        assertThat(changed).isNotEqualTo(lines);
        entries.put(EntryName.LINES, changed.getBytes(UTF_8));
        return check(listed(entries), keys()).complaints();
    }

    @Test
    void a_changed_line_of_the_log_is_found() throws Exception {
        runs.run(ID, "/bin/false");

        assertThat(complaintsOfLines("\"exit\":1", "\"exit\":0"))
                .containsExactly("log: line 3 does not have its own hash");
        assertThat(complaintsOfLines("\\{\"seq\":3,.*\n", ""))
                .containsExactly("log: lines: the receipt says 2, the log 1");
        assertThat(complaintsOfLines("\"hash\":\"[0-9a-f]{4}", "\"hash\":\"0000"))
                .containsExactly("log: line 2 does not have its own hash");
    }

    @Test
    void a_bundle_without_its_lines_is_incomplete() throws Exception {
        runs.run(ID, "/bin/true");
        var entries = ZipPatch.entries(bundle());
        entries.remove(EntryName.LINES);

        assertThat(check(listed(entries), keys()).complaints())
                .containsExactly("log: log/lines.jsonl is missing", "log: lines: the receipt says 2, the log 0");
    }

    @Test
    void other_advice_for_a_third_party_is_found() throws Exception {
        runs.run(ID, "/bin/true");
        var entries = ZipPatch.entries(bundle());
        entries.put(EntryName.VERIFY, "just trust it\n".getBytes(UTF_8));

        assertThat(check(listed(entries), keys()).complaints())
                .containsExactly("VERIFY.md is another text than this version's: do not follow it");
    }

    @Test
    void what_no_bundle_has_is_refused() throws Exception {
        runs.run(ID, "/bin/true");
        var entries = ZipPatch.entries(bundle());
        entries.put("run.sh", new byte[0]);

        assertThatThrownBy(() -> check(listed(entries), keys()))
                .isInstanceOf(BundleException.class)
                .hasMessage("it has an entry that no bundle has: run.sh");
        entries.remove("run.sh");
        assertThatThrownBy(() -> check(ZipPatch.zip(folder, without(entries, EntryName.RECEIPT)), keys()))
                .hasMessage("receipt.json is missing");
        assertThatThrownBy(() -> check(ZipPatch.zip(folder, without(entries, EntryName.KEY)), keys()))
                .hasMessage("sections.json tells another content than the bundle has");
    }

    private static Map<String, byte[]> without(Map<String, byte[]> entries, String name) {
        var rest = new TreeMap<>(entries);
        rest.remove(name);
        return rest;
    }

    /// The run worked on a copy of `host`, and left these files in it.
    private void worked(Path session, Map<String, String> files) throws IOException {
        var host = Files.createDirectories(folder.resolve("host"));
        var upper = Files.createDirectories(session.resolve("copy/upper"));
        for (var file : files.entrySet()) {
            var path = upper.resolve(file.getKey());
            Files.createDirectories(path.resolveSibling("."));
            Files.writeString(path, file.getValue());
        }
        new SessionCopy(
                        session.resolve("copy"),
                        ByteString.of(host.toRealPath().toString()),
                        new GuestPath("/workspace"),
                        Mechanism.COPY,
                        new SessionCopy.Root(
                                ((Number) Files.getAttribute(host, "unix:dev")).longValue(),
                                ((Number) Files.getAttribute(host, "unix:ino")).longValue()),
                        Instant.now(),
                        List.of())
                .store();
    }

    @Test
    void I2_contents_go_along_when_asked_for_and_those_of_secret_names_never() throws Exception {
        var files = Map.of(
                "out/result.txt", "forty-two",
                "twin", "forty-two",
                ".env", "A=canary-in-env",
                "conf/api_token", "canary-in-token",
                ".ssh/config", "canary-in-ssh",
                "server.pem", "canary-in-pem");
        runs.then(session -> worked(session, files)).run(ID, "/bin/true");
        var receipt = runs.receipt(ID).receipt();
        assertThat(receipt.changes().isStated()).isTrue();
        assertThat(receipt.cage().relaxations()).containsExactly("session-copy of /workspace by copy");

        var plain = Files.readAllBytes(export(EvidenceExport.Contents.LISTED).file());
        assertThat(ZipPatch.entries(plain)).doesNotContainKey("files/" + Sha256.of("forty-two".getBytes(UTF_8)));

        var exported = export(EvidenceExport.Contents.INCLUDED);
        var zip = Files.readAllBytes(exported.file());
        assertThat(ZipPatch.entries(zip)).containsKey("files/" + Sha256.of("forty-two".getBytes(UTF_8)));
        assertThat(new String(zip, ISO_8859_1)).contains("forty-two").doesNotContain("canary-in-");
        assertThat(exported.absent())
                .contains("files: .env is left out: its name says that it holds a secret")
                .anyMatch(line -> line.startsWith("files: conf/api_token is left out"));
        var answer = check(zip, keys());
        assertThat(answer.complaints()).isEmpty();
        assertThat(answer.findings()).contains("files: the contents of 1 are what the list says");
    }

    @Test
    void a_file_that_changed_after_the_run_is_left_out_and_told() throws Exception {
        runs.then(session -> worked(session, Map.of("a", "then"))).run(ID, "/bin/true");
        Files.writeString(runs.folder(ID).resolve("copy/upper/a"), "now");
        var exported = export(EvidenceExport.Contents.INCLUDED);

        assertThat(exported.absent()).contains("files: a has changed since the run");
        assertThat(check(Files.readAllBytes(exported.file()), keys()).complaints())
                .isEmpty();
    }

    @Test
    void another_list_of_changes_is_found() throws Exception {
        runs.then(session -> worked(session, Map.of("a", "then"))).run(ID, "/bin/true");
        var entries = ZipPatch.entries(bundle());
        var list = new String(entries.getOrDefault(EntryName.CHANGES, new byte[0]), UTF_8);
        entries.put(EntryName.CHANGES, list.replace("\"a\"", "\"b\"").getBytes(UTF_8));
        entries.put("files/" + "0".repeat(64), new byte[0]);

        assertThat(check(listed(entries), keys()).complaints())
                .containsExactly(
                        "changes: changes.jsonl is not the list of the receipt",
                        "files: the list of changes does not know files/" + "0".repeat(64));
    }

    /// Runs the commands that VERIFY.md tells, in a folder with the entries.
    private String followed(byte[] zip) throws IOException, BundleException {
        var unpacked = Files.createTempDirectory(folder, "unpacked");
        for (var entry : ZipPatch.entries(zip).entrySet()) {
            var file = unpacked.resolve(entry.getKey());
            Files.createDirectories(file.resolveSibling("."));
            Files.write(file, entry.getValue());
        }
        var script = new StringBuilder();
        var code = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(unpacked.resolve(EntryName.VERIFY)));
        while (code.find()) {
            script.append(code.group(1).replace("/tmp/", folder + "/"));
        }
        var process = new ProcessBuilder("sh", "-c", script.toString())
                .directory(unpacked.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void what_a_bundle_tells_a_third_party_to_do_finds_it_right() throws Exception {
        runs.then(session -> worked(session, Map.of("a", "then"))).run(ID, "/bin/echo", "w\u00f6rter", " \\n ");
        var zip = Files.readAllBytes(export(EvidenceExport.Contents.INCLUDED).file());

        assertThat(followed(zip)).isEqualTo("Signature Verified Successfully\n");
    }

    @Test
    void what_a_bundle_tells_a_third_party_to_do_finds_changes() throws Exception {
        runs.run(ID, "/bin/false");
        var entries = ZipPatch.entries(bundle());
        var lines = new String(entries.getOrDefault(EntryName.LINES, new byte[0]), UTF_8);
        entries.put(EntryName.LINES, lines.replace("\"exit\":1", "\"exit\":0").getBytes(UTF_8));
        var name = entries.keySet().stream()
                .filter(one -> one.startsWith("policy/"))
                .findFirst()
                .orElseThrow();
        entries.put(name, new byte[0]);

        assertThat(followed(listed(entries))).contains("wrong: " + name, "not in the receipt: ", "wrong: {\"seq\":3,");
    }

    private String pythons(Path unpacked, int seq, String line) throws IOException {
        Files.writeString(unpacked.resolve("line"), line);
        var process = new ProcessBuilder(
                        "python3",
                        Path.of("../clients/verify.py")
                                .toAbsolutePath()
                                .normalize()
                                .toString(),
                        "proof",
                        "log-" + seq + ".proof",
                        "--line",
                        "line",
                        "--key",
                        folder.resolve("log-key.pub.hex").toString())
                .directory(unpacked.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void the_verifier_in_python_finds_the_proofs_right_and_another_line_wrong() throws Exception {
        runs.run("bbbbbbbbbb", "/bin/true");
        runs.run(ID, "/bin/false");
        checkpoint();
        var entries = ZipPatch.entries(bundle());
        var unpacked = Files.createDirectory(folder.resolve("unpacked"));
        var lines = new String(entries.getOrDefault(EntryName.LINES, new byte[0]), UTF_8)
                .lines()
                .toList();

        assertThat(lines).hasSize(3);
        for (int i = 0; i < lines.size(); i++) {
            int seq = 5 + i;
            assertThat(lines.get(i)).startsWith("{\"seq\":" + seq + ",");
            Files.write(
                    unpacked.resolve("log-" + seq + ".proof"), entries.getOrDefault(EntryName.proof(seq), new byte[0]));
            assertThat(pythons(unpacked, seq, lines.get(i))).startsWith("ok: line " + seq + ",");
        }
        assertThat(pythons(unpacked, 6, lines.get(1).replace("\"exit\":1", "\"exit\":0")))
                .startsWith("not proven: ");
    }

    @Test
    void a_session_without_a_receipt_has_no_bundle() throws Exception {
        runs.run(ID, "/bin/true");
        Files.delete(runs.folder(ID).resolve("receipt.json"));

        assertThatThrownBy(this::bundle)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("there is no receipt at ");
        assertThat(folder.resolve("bundle-0.zip")).doesNotExist();
    }
}
