package dev.cagewright.supervisor.resident;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.Argv;
import dev.cagewright.supervisor.receipt.ProgramsStated;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.RunStated;
import dev.cagewright.supervisor.receipt.SignedReceipt;
import dev.cagewright.supervisor.receipt.check.LogAgreement;
import dev.cagewright.supervisor.receipt.check.SessionLines;
import dev.cagewright.supervisor.receipt.issue.ReceiptKey;
import dev.cagewright.supervisor.resident.wire.Frame;
import dev.cagewright.supervisor.resident.wire.Line;
import dev.cagewright.supervisor.state.SessionRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What named cages leave on record, and what has to go well before they are up.
class CagesOnRecordTest extends HostedCages {
    @Test
    void a_cage_that_is_stopped_has_a_receipt_that_its_log_agrees_with() throws Exception {
        up("one");
        exec("one", text(""), "id");
        exec("one", text(""), "ls", "/nonexistent");
        exec("one", text(""), "no-such-program");
        assertThatThrownBy(() -> exec("one", text(""), "uname")).isInstanceOf(RefusedException.class);

        var session = LastSession.of(folders, "one").orElseThrow();
        assertThat(client.stop("one")).contains("receipt: cagewright receipt verify " + session.id());

        var signed = receipt(session);
        var receipt = signed.receipt();
        assertThat(signed.envelope().isSignedBy(PinnedKey.read(ReceiptKey.publicFile(folders))))
                .isTrue();
        assertThat(receipt.run().cage()).isEqualTo("one");
        assertThat(receipt.run().argv().count()).isZero();
        assertThat(receipt.run().environment()).contains("HOME", "PATH");
        assertThat(receipt.run().phases().stream().map(RunStated.Phase::name))
                .containsExactly("asked", "caged", "ended", "recorded");
        assertThat(receipt.end().cause()).isEqualTo("stopped");
        assertThat(receipt.cage().places()).anyMatch(place -> place.access().equals("rw"));
        assertThat(receipt.cage().held().enforced()).isNotEmpty();
        var programs = receipt.run().programs().orElseThrow();
        assertThat(programs.count()).isEqualTo(3);
        assertThat(programs.first().stream().map(one -> one.cause() + " " + one.status()))
                .containsExactly("exited 0", "exited 2", "no_program 0");
        assertThat(receipt.decisions().denied()).isEqualTo(1);
        var lines = SessionLines.of(folders.auditLog(), receipt);
        assertThat(LogAgreement.complaints(receipt, lines)).isEmpty();
        assertThat(LogAgreement.names(lines, signed.sha256())).isTrue();
    }

    @Test
    void a_receipt_that_tells_of_another_end_or_other_programs_of_a_cage_is_found() throws Exception {
        up("one");
        exec("one", text(""), "id");
        client.stop("one");
        var receipt = receipt(LastSession.of(folders, "one").orElseThrow()).receipt();
        var lines = SessionLines.of(folders.auditLog(), receipt);
        var one = receipt.run().programs().orElseThrow().first().getFirst();

        assertThat(LogAgreement.complaints(
                        telling(receipt, new ProgramsStated(1, List.of(ended(one, "exited", 1))), "stopped"), lines))
                .containsExactly(one.id() + ": exit: the receipt says 1, the log 0");
        assertThat(LogAgreement.complaints(
                        telling(receipt, new ProgramsStated(1, List.of(ended(one, "unknown", 0))), "stopped"), lines))
                .containsExactly(one.id() + ": the receipt knows no end, but the log has an outcome");
        assertThat(LogAgreement.complaints(telling(receipt, new ProgramsStated(0, List.of()), "ended"), lines))
                .containsExactly(
                        "programs: the receipt says 0, the log 1", "end: the receipt says ended, the log stopped");
        var other =
                new ProgramsStated.Program(one.id(), Argv.of(List.of(ByteString.of("ls"))), one.cause(), one.status());
        assertThat(LogAgreement.complaints(telling(receipt, new ProgramsStated(1, List.of(other)), "stopped"), lines))
                .containsExactly(one.id() + ": arguments: the receipt and the log tell different ones");
    }

    @Test
    void a_supervisor_that_ends_in_order_leaves_receipts_of_its_cages() throws Exception {
        up("one", "two");

        server.close();

        for (String name : List.of("one", "two")) {
            var receipt = receipt(LastSession.of(folders, name).orElseThrow()).receipt();
            assertThat(receipt.end().cause()).isEqualTo("stopped");
            assertThat(LogAgreement.complaints(receipt, SessionLines.of(folders.auditLog(), receipt)))
                    .isEmpty();
        }
    }

    @Test
    void a_set_up_runs_before_its_cage_is_up_and_is_told_and_in_its_receipt() throws Exception {
        withSetup("three", "echo prepares; touch /home/cage/prepared of-setup\n");
        var told = new ArrayList<String>();
        var output = new ByteArrayOutputStream();

        client.up(wanted("three"), new ResidentClient.Hearer(told::addAll, output));

        assertThat(told).anyMatch(line -> line.startsWith("set-up: /") && line.endsWith("/setup-three"));
        assertThat(output.toString(StandardCharsets.UTF_8)).isEqualTo("prepares\n");
        assertThat(exec("three", text(""), "ls", "/home/cage/prepared").code()).isZero();
        client.stop("three");
        var receipt = receipt(LastSession.of(folders, "three").orElseThrow()).receipt();
        var setup = receipt.run().setup().orElseThrow();
        assertThat(setup.end().cause()).isEqualTo("exited");
        assertThat(receipt.run().programs().orElseThrow().count()).isEqualTo(1);
        assertThat(receipt.run().phases().stream().map(RunStated.Phase::name))
                .containsSubsequence("asked", "setup-decided", "setup-ended", "caged", "ended", "recorded");
        assertThat(LogAgreement.complaints(receipt, SessionLines.of(folders.auditLog(), receipt)))
                .isEmpty();
    }

    @Test
    void a_set_up_that_fails_leaves_no_cage_and_says_why() throws Exception {
        withSetup("three", "echo no way >&2; exit 7\n");
        var output = new ByteArrayOutputStream();

        assertThatThrownBy(() -> client.up(wanted("three"), new ResidentClient.Hearer(_ -> {}, output)))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(123))
                .hasMessage("three is not up: the set-up ended with 7");

        assertThat(output.toString(StandardCharsets.UTF_8)).isEqualTo("no way\n");
        assertThat(client.state().cages()).isEmpty();
        var session = LastSession.of(folders, "three").orElseThrow();
        assertThat(session.end().orElseThrow().state()).isEqualTo("setup-failed");
        var receipt = receipt(session).receipt();
        assertThat(receipt.end().cause()).isEqualTo("setup_failed");
        assertThat(LogAgreement.complaints(receipt, SessionLines.of(folders.auditLog(), receipt)))
                .isEmpty();
        make("four", POLICY.formatted("four"));
        up("four");
    }

    @Test
    void a_set_up_that_the_policy_does_not_let_run_is_denied() throws Exception {
        make("three", POLICY.formatted("three") + "phases: {setup: {command: [uname]}}\n");

        assertThatThrownBy(() -> client.up(wanted("three")))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        denied ->
                                assertThat(denied.denial().orElseThrow().what()).isEqualTo("proc.exec uname"));
        assertThat(client.state().cages()).isEmpty();
    }

    @Test
    void whoever_goes_away_ends_the_set_up_of_the_cage_that_they_wanted() throws Exception {
        withSetup("three", "touch begun; sleep 1000\n");
        var line = new Line(connected());
        var question = Json.object().put("ask", "up").put("version", Conversation.VERSION);
        wanted("three").write(question);
        line.write(Frame.of(Frame.Kind.ASK, question.build()));
        await(() -> Files.exists(root.resolve("workspace/begun")));

        line.close();

        await(() -> {
            try {
                return LastSession.of(folders, "three").orElseThrow().end().isPresent();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(client.state().cages()).isEmpty();
    }

    private SignedReceipt receipt(SessionRecord session) throws Exception {
        return SignedReceipt.parse(ReceiptFile.read(ReceiptFile.in(folders.session(session.id()))));
    }

    private static ProgramsStated.Program ended(ProgramsStated.Program one, String cause, long status) {
        return new ProgramsStated.Program(one.id(), one.argv(), cause, status);
    }

    private static Receipt telling(Receipt receipt, ProgramsStated programs, String cause) {
        var run = receipt.run();
        return new Receipt(
                new RunStated(
                        run.session(),
                        run.cage(),
                        run.argv(),
                        run.directory(),
                        run.environment(),
                        run.phases(),
                        run.setup(),
                        Optional.of(programs)),
                receipt.product(),
                receipt.policy(),
                receipt.cage(),
                receipt.decisions(),
                receipt.changes(),
                RunEnd.ofCage(cause, receipt.end().used(), receipt.end().afterwards()),
                receipt.log());
    }

    private void withSetup(String name, String script) throws IOException, PolicySyntaxException {
        var own = Files.writeString(root.resolve("workspace/setup-" + name), "#!/bin/bash\n" + script);
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        var program = own.toRealPath();
        make(
                name,
                POLICY.formatted(name).replace("bash]", "bash, " + program + "]") + "phases: {setup: {command: ["
                        + program + "]}}\n");
    }

    private static UpOrder wanted(String name) throws IOException {
        return new UpOrder(name, List.of(), CallerEnvironment.read());
    }
}
