package dev.cagewright.supervisor.receipt.issue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.receipt.PolicyLayer;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.RunStated;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.receipt.check.LogAgreement;
import dev.cagewright.supervisor.receipt.check.SessionLines;
import dev.cagewright.supervisor.state.PolicyArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptsTest {
    private static final String ID = "abcdefghij";

    private final Path folder;
    private final RecordedRun runs;

    ReceiptsTest(@TempDir Path folder) {
        this.folder = folder;
        this.runs = new RecordedRun(folder);
    }

    private Receipt receipt() throws Exception {
        return runs.receipt(ID).receipt();
    }

    private List<LogLine> lines() throws Exception {
        return SessionLines.of(runs.log(), receipt());
    }

    @Test
    void a_run_ends_in_a_signed_receipt_that_the_log_agrees_with_and_names() throws Exception {
        var issue = runs.run(ID, "/bin/true");
        var signed = runs.receipt(ID);

        assertThat(issue).isInstanceOfSatisfying(Receipts.Issue.Issued.class, issued -> {
            assertThat(issued.sha256()).isEqualTo(signed.sha256());
            assertThat(issued.unnamed()).isEmpty();
            assertThat(signed.envelope().isSignedBy(issued.key().open())).isTrue();
        });
        assertThat(LogAgreement.complaints(signed.receipt(), lines())).isEmpty();
        assertThat(LogAgreement.names(lines(), signed.sha256())).isTrue();
        assertThat(LogAgreement.names(lines(), Sha256.of(new byte[0]))).isFalse();
    }

    /// Of the program itself, as the product carries it.
    private static String helperDigest() throws Exception {
        var machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        try (var helper =
                NamespacesRuntime.class.getResourceAsStream("/native/linux-" + machine + "/cagewright-init")) {
            return Sha256.of(requireNonNull(helper).readAllBytes());
        }
    }

    @Test
    void a_receipt_states_what_was_asked_what_held_and_how_it_ended() throws Exception {
        runs.run(ID, "/bin/false", "x");
        var receipt = receipt();

        assertThat(receipt.run().argv().words()).hasSize(2);
        assertThat(receipt.run().cage()).isEqualTo("sample");
        assertThat(receipt.run().environment()).contains("HOME", "PATH").isSorted();
        assertThat(receipt.run().phases())
                .extracting(RunStated.Phase::name)
                .containsExactly("asked", "decided", "planned", "caged", "started", "ended", "recorded");
        assertThat(receipt.run().phases()).extracting(RunStated.Phase::at).isSorted();
        assertThat(receipt.product().helperSha256()).isEqualTo(helperDigest());
        assertThat(receipt.policy())
                .extracting(PolicyLayer::sha256)
                .containsExactly(Sha256.of(Files.readAllBytes(runs.policyFile())));
        assertThat(receipt.cage().held().enforced())
                .extracting(Enforcement.Enforced::limit)
                .contains("namespaces", "seccomp", "landlock", "wall");
        assertThat(receipt.cage().relaxations()).isEmpty();
        assertThat(receipt.decisions().allowed()).isEqualTo(1);
        assertThat(receipt.end().cause()).isEqualTo("exited");
        assertThat(receipt.end().status()).isEqualTo(1);
        assertThat(receipt.end().code()).isEqualTo(7);
        assertThat(receipt.changes().why()).isEqualTo("the run worked on no session copy");
    }

    @Test
    void a_denied_run_gets_a_receipt_without_an_outcome() throws Exception {
        runs.run(ID, "sh", "-c", "touch pwned");
        var receipt = receipt();

        assertThat(receipt.end().cause()).isEqualTo("denied");
        assertThat(receipt.end().why()).startsWith("SHELL: ");
        assertThat(receipt.end().ran()).isFalse();
        assertThat(receipt.decisions().denied()).isEqualTo(1);
        assertThat(receipt.decisions().denials()).singleElement().satisfies(denial -> {
            assertThat(denial.id()).isEqualTo("abcdefghij-1");
            assertThat(denial.action()).isEqualTo("proc.exec");
            assertThat(denial.rules()).first().isEqualTo("deny:shell");
        });
        assertThat(receipt.cage().held().enforced()).isEmpty();
        assertThat(LogAgreement.complaints(receipt, lines())).isEmpty();
    }

    @Test
    void a_run_whose_cage_could_not_be_built_gets_a_receipt() throws Exception {
        runs.by(() -> {
                    throw new ConfinementException("namespaces", "clone(NEWUSER)", "No space left on device", "more");
                })
                .run(ID, "/bin/true");

        assertThat(receipt().end().cause()).isEqualTo("no_cage");
        assertThat(receipt().end().why()).contains("No space left on device");
        assertThat(LogAgreement.complaints(receipt(), lines())).isEmpty();
    }

    @Test
    void a_program_that_is_not_there_gets_a_receipt() throws Exception {
        runs.run(ID, "no-such-program");

        assertThat(receipt().end().cause()).isEqualTo("no_program");
        assertThat(LogAgreement.complaints(receipt(), lines())).isEmpty();
    }

    @Test
    void a_run_that_is_killed_by_its_time_says_so() throws Exception {
        runs.under(RecordedRun.WORKSPACE_RW + "resources: {timeout: 1s}\n").run(ID, "/bin/sleep", "60");

        assertThat(receipt().end().cause()).isEqualTo("timeout");
        assertThat(receipt().end().used().wall()).isGreaterThanOrEqualTo(1_000);
    }

    @Test
    void a_receipt_that_cannot_be_written_is_told_and_recorded_and_the_run_stands() throws Exception {
        var issue = runs.then(own -> Files.createDirectories(own.resolve("receipt.json/in-the-way")))
                .run(ID, "/bin/true");

        assertThat(issue)
                .isInstanceOfSatisfying(
                        Receipts.Issue.Missing.class,
                        missing -> assertThat(missing.why()).contains("receipt.json"));
        assertThat(Files.readString(runs.log()))
                .contains("\"cause\":\"exited\"")
                .contains(
                        "\"action\":{\"name\":\"receipt\"},\"decision\":\"\",\"rules\":[],\"detail\":{\"missing\":\"");
        assertThat(runs.folder(ID).toFile().list()).noneMatch(name -> name.contains(".new"));
    }

    @Test
    void a_key_that_others_may_read_signs_nothing() throws Exception {
        runs.run(ID, "/bin/true");
        var secret = folder.resolve("state/receipt-key/key.secret.hex");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(runs.run("bbbbbbbbbb", "/bin/true"))
                .isInstanceOfSatisfying(
                        Receipts.Issue.Missing.class,
                        missing -> assertThat(missing.why()).contains("is open to others (rw-r--r--)"));
    }

    @Test
    void the_key_is_made_once_for_its_owner_alone_and_used_again() throws Exception {
        var first = ReceiptKey.of(runs.folders());
        var second = ReceiptKey.of(runs.folders());

        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();
        assertThat(second.open().hex()).isEqualTo(first.open().hex());
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve("state/receipt-key/key.secret.hex"))))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("state/receipt-key"))))
                .isEqualTo("rwx------");
    }

    @Test
    void of_many_that_make_the_first_key_at_once_one_wins_and_nothing_is_left()
            throws IOException, InterruptedException, ExecutionException {
        Set<String> found = ConcurrentHashMap.newKeySet();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = Stream.<Callable<Boolean>>generate(() ->
                            () -> found.add(ReceiptKey.of(runs.folders()).open().hex()))
                    .limit(32)
                    .toList();
            for (var done : pool.invokeAll(tasks)) {
                done.get();
            }
        }

        assertThat(found).hasSize(1);
        assertThat(folder.resolve("state").toFile().list()).containsExactlyInAnyOrder("receipt-key", "sessions");
    }

    @Test
    void a_pair_of_keygen_can_be_put_there_before() throws Exception {
        var own = Files.createDirectories(runs.folders().sessions().resolveSibling("receipt-key"));
        var open = SigningKey.generate(own.resolve("key"));
        runs.run(ID, "/bin/true");

        assertThat(runs.receipt(ID).envelope().isSignedBy(open)).isTrue();
        assertThat(PinnedKey.read(ReceiptKey.publicFile(runs.folders())).hex()).isEqualTo(open.hex());
    }

    @Test
    void the_policy_that_held_is_kept_when_its_file_changes_afterwards() throws Exception {
        runs.run(ID, "/bin/true");
        var then = Files.readAllBytes(runs.policyFile());
        Files.writeString(runs.policyFile(), "tool: other\n");

        var kept = new PolicyArchive(runs.folders())
                .find(receipt().policy().getFirst().sha256());
        assertThat(kept)
                .hasValueSatisfying(bytes -> assertThat(bytes.toByteArray()).isEqualTo(then));
    }

    @Test
    void I2_a_receipt_names_variables_and_never_their_values() throws Exception {
        runs.under(RecordedRun.WORKSPACE_RW + "exec: {env: [PLAIN, BUILD_TOKEN]}\n")
                .with("PLAIN", "canary-in-plain-1f7e")
                .with("BUILD_TOKEN", "canary-in-token-90ab")
                .run(ID, "/bin/true");

        try (var all = Files.walk(folder.resolve("state"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain("canary-in-");
            }
        }
        assertThat(new String(runs.receipt(ID).envelope().payload().toByteArray(), StandardCharsets.UTF_8))
                .contains("\"PLAIN\"")
                .doesNotContain("canary-in-");
    }
}
