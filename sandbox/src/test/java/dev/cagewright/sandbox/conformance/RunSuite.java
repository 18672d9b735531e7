package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Programs start, speak, and end.
public abstract class RunSuite extends RuntimeConformance {
    @Test
    void true_runs_and_returns_zero() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            var ran = Ran.program(cage, workspace.toString(), "/bin/true");
            assertThat(ran.exit().status()).isZero();
            assertThat(ran.exit().cause()).isEqualTo(Exit.Cause.EXITED);
        }
    }

    @Test
    void cat_gives_back_its_input_byte_for_byte() throws ConfinementException, InterruptedException {
        var input = "first\0second\r\nümläut\n".getBytes(StandardCharsets.UTF_8);
        try (var cage = runtime().create(spec())) {
            var ran = Ran.withInput(cage, workspace.toString(), input, "/bin/cat");
            assertThat(ran.out()).isEqualTo(new String(input, StandardCharsets.UTF_8));
            assertThat(ran.exit().output().outBytes()).isEqualTo(input.length);
        }
    }

    @Test
    void a_shell_starts_in_the_workspace_and_writes_to_it() throws ConfinementException, InterruptedException {
        assertThat(ok(spec(), "pwd; echo made > file; id -un")).isEqualTo(workspace + "\ncage\n");
        assertThat(workspace.resolve("file")).hasContent("made\n");
    }
}
