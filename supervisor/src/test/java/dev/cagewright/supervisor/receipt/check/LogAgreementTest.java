package dev.cagewright.supervisor.receipt.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.supervisor.receipt.Argv;
import dev.cagewright.supervisor.receipt.Decisions;
import dev.cagewright.supervisor.receipt.LogRange;
import dev.cagewright.supervisor.receipt.Receipt;
import dev.cagewright.supervisor.receipt.RunEnd;
import dev.cagewright.supervisor.receipt.RunStated;
import dev.cagewright.supervisor.receipt.issue.RecordedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Receipts that say something else than the log of their run.
class LogAgreementTest {
    private static final String ID = "abcdefghij";

    private final RecordedRun runs;

    LogAgreementTest(@TempDir Path folder) {
        this.runs = new RecordedRun(folder);
    }

    private Receipt ran() throws Exception {
        runs.run("bbbbbbbbbb", "/bin/true");
        runs.run(ID, "/bin/false", "x");
        return runs.receipt(ID).receipt();
    }

    private List<String> complaints(Receipt receipt) throws IOException {
        return LogAgreement.complaints(receipt, SessionLines.of(runs.log(), receipt));
    }

    private static Receipt ended(Receipt receipt, UnaryOperator<RunEnd> change) {
        return new Receipt(
                receipt.run(),
                receipt.product(),
                receipt.policy(),
                receipt.cage(),
                receipt.decisions(),
                receipt.changes(),
                change.apply(receipt.end()),
                receipt.log());
    }

    private static Receipt logged(Receipt receipt, UnaryOperator<LogRange> change) {
        return new Receipt(
                receipt.run(),
                receipt.product(),
                receipt.policy(),
                receipt.cage(),
                receipt.decisions(),
                receipt.changes(),
                receipt.end(),
                change.apply(receipt.log()));
    }

    private static Receipt decided(Receipt receipt, Decisions decisions) {
        return new Receipt(
                receipt.run(),
                receipt.product(),
                receipt.policy(),
                receipt.cage(),
                decisions,
                receipt.changes(),
                receipt.end(),
                receipt.log());
    }

    private static RunEnd end(RunEnd end, String cause, long status, String why) {
        return new RunEnd(cause, status, end.code(), why, end.used(), end.notices(), end.afterwards());
    }

    @Test
    void the_receipt_of_a_run_agrees() throws Exception {
        assertThat(complaints(ran())).isEmpty();
    }

    @Test
    void another_end_is_found() throws Exception {
        var receipt = ran();

        assertThat(complaints(ended(receipt, end -> end(end, "exited", 0, ""))))
                .containsExactly("exit: the receipt says 0, the log 1");
        assertThat(complaints(ended(receipt, end -> end(end, "killed", 1, ""))))
                .containsExactly("cause: the receipt says killed, the log exited");
        assertThat(complaints(ended(receipt, end -> end(end, "exited", 1, "tired"))))
                .containsExactly("why: the receipt says tired, the log nothing");
        assertThat(complaints(ended(receipt, end -> end(end, "denied", 0, ""))))
                .containsExactly("the receipt says denied, but the log has an outcome");
        assertThat(complaints(ended(receipt, end -> end(end, "no_cage", 1, ""))))
                .contains("ran: the receipt says false, the log true");
    }

    @Test
    void an_end_that_the_log_does_not_have_is_found() throws Exception {
        runs.run(ID, "sh", "-c", "true");
        var receipt = runs.receipt(ID).receipt();

        assertThat(complaints(ended(receipt, end -> end(end, "exited", 0, ""))))
                .containsExactly("the log has no outcome");
    }

    @Test
    void another_range_is_found() throws Exception {
        var receipt = ran();

        assertThat(complaints(logged(
                        receipt, log -> new LogRange(log.id(), 3, log.sha256(), log.first(), log.last(), log.head()))))
                .containsExactly("lines: the receipt says 3, the log 2");
        assertThat(complaints(logged(
                        receipt,
                        log -> new LogRange(log.id(), 2, log.sha256(), log.first(), log.last(), "0".repeat(64)))))
                .singleElement()
                .asString()
                .startsWith("hash of the last line: the receipt says 0000");
        assertThat(complaints(logged(
                        receipt,
                        log -> new LogRange(log.id(), 2, "0".repeat(64), log.first(), log.last(), log.head()))))
                .singleElement()
                .asString()
                .startsWith("digest of the lines: the receipt says 0000");
        assertThat(complaints(logged(
                        receipt,
                        log -> new LogRange(log.id(), 2, log.sha256(), log.first() - 1, log.last(), log.head()))))
                .singleElement()
                .asString()
                .startsWith("first line: the receipt says ");
    }

    @Test
    void another_count_of_decisions_is_found() throws Exception {
        var receipt = ran();
        var denial = new Decisions.Denial("abcdefghij-9", "fs.read", List.of("default:deny"), "no");

        assertThat(complaints(decided(receipt, new Decisions(2, 0, List.of()))))
                .containsExactly("allowed: the receipt says 2, the log 1");
        assertThat(complaints(decided(receipt, new Decisions(1, 1, List.of(denial)))))
                .containsExactly(
                        "denied: the receipt says 1, the log 0",
                        "the receipt names a denial that the log does not have");
    }

    @Test
    void another_count_of_uses_of_a_secret_is_found() throws Exception {
        var lent = List.of(new Decisions.Lent("github_token", 1), new Decisions.Lent("other", 0));

        assertThat(complaints(decided(ran(), new Decisions(1, 0, List.of(), lent))))
                .containsExactly("uses of github_token: the receipt says 1, the log 0");
    }

    @Test
    void other_arguments_are_found() throws Exception {
        var receipt = ran();
        var run = receipt.run();
        var argv = new Argv(run.argv().sha256(), 2, run.argv().words().reversed());
        var other = new Receipt(
                new RunStated(
                        run.session(),
                        run.cage(),
                        argv,
                        run.directory(),
                        run.environment(),
                        run.phases(),
                        Optional.empty(),
                        Optional.empty()),
                receipt.product(),
                receipt.policy(),
                receipt.cage(),
                receipt.decisions(),
                receipt.changes(),
                receipt.end(),
                receipt.log());

        assertThat(complaints(other)).containsExactly("arguments: the receipt and the log tell different ones");
    }

    @Test
    void lines_of_another_session_are_no_evidence() throws Exception {
        var receipt = ran();
        var others = SessionLines.of(runs.log(), runs.receipt("bbbbbbbbbb").receipt());
        var moved = logged(
                receipt,
                log -> new LogRange(
                        log.id(),
                        2,
                        log.sha256(),
                        others.getFirst().seq(),
                        others.get(1).seq(),
                        log.head()));

        assertThat(LogAgreement.complaints(moved, others))
                .contains("line " + others.getFirst().seq() + " is another session's");
    }

    @Test
    void a_line_that_was_changed_does_not_have_its_own_hash() throws Exception {
        var receipt = ran();
        var lines = new ArrayList<LogLine>(SessionLines.of(runs.log(), receipt));
        var changed = lines.get(1).json().replace("\"exit\":1", "\"exit\":0");
        lines.set(1, LineFormat.parse(changed.getBytes(StandardCharsets.UTF_8)));

        assertThat(LogAgreement.complaints(receipt, lines))
                .containsExactly("line " + lines.get(1).seq() + " does not have its own hash");
    }

    @Test
    void bytes_that_are_no_line_in_the_range_end_the_reading() throws Exception {
        var receipt = ran();
        var lines = Files.readAllLines(runs.log());
        lines.set((int) receipt.log().last() - 1, "nothing");
        Files.write(runs.log(), lines);

        assertThatThrownBy(() -> SessionLines.of(runs.log(), receipt))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has a line that is none: ");
    }
}
