package dev.cagewright.supervisor.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.Budgets;
import dev.cagewright.policy.decision.DecisionId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a killed process has used is used: real processes, SIGKILL, the same files.
class KilledTest {
    private static final int BUDGET = 2000;
    private static final int ROUNDS = 3;
    private static final int SAID_BEFORE_DEATH = 150;

    @TempDir
    private Path home;

    @Test
    void B037_what_passed_before_a_kill_and_after_it_is_the_budget_and_never_more() throws Exception {
        int requests = 0;
        int bytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var said = killed();
            requests += said.replace("b", "").length();
            bytes += said.replace("r", "").length();
        }
        try (var meters = Spender.meters(home.toString())) {
            var budgets = Spender.budgets(home.toString(), meters);
            var allowance = budgets.of(Spender.GET);
            while (allowance.reserve(new DecisionId("s-1")).isEmpty()) {
                requests++;
            }
            while (allowance.take(Budgets.Way.SENT, 1).isEmpty()) {
                bytes++;
            }
        }
        int lost = ROUNDS * Spender.THREADS / 2;
        assertThat(requests).isBetween(BUDGET - lost, BUDGET);
        assertThat(bytes).isBetween(BUDGET - lost, BUDGET);
    }

    @Test
    void B037_processes_at_once_spend_one_budget_between_them() throws Exception {
        var one = start();
        var other = start();
        var said = said(one) + said(other);
        assertThat(said.replace("r", "")).hasSize(BUDGET);
        assertThat(said.replace("b", "").length()).isBetween(1, BUDGET);
    }

    private static String said(Process process) throws IOException {
        try (var out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.US_ASCII);
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Spender.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// What a process said that was killed in the middle.
    private String killed() throws IOException {
        var process = start();
        try (var out = process.getInputStream()) {
            var said = new String(out.readNBytes(SAID_BEFORE_DEATH), StandardCharsets.US_ASCII);
            process.toHandle().destroyForcibly();
            said += new String(out.readAllBytes(), StandardCharsets.US_ASCII);
            var ended = process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
            assertThat(ended.exitValue()).as("killed").isEqualTo(128 + 9);
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
