package dev.cagewright.life;

import dev.cagewright.escape.stage.Product;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A short life with all that happens in a long one; `escape/life-rounds` is the long one.
@SuppressWarnings("NullAway") // set before each test
class LifeTest {
    @TempDir
    private Path root;

    private LifeRounds rounds;

    @BeforeEach
    void make() throws IOException, PolicySyntaxException {
        var silence = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var command = List.of(Product.built().command().toString(), "supervise");
        rounds = new LifeRounds(Folk.in(root, command), 3, 1, silence);
    }

    @Test
    void I7_cages_that_come_and_go_leave_nothing_behind() throws IOException, InterruptedException {
        rounds.churn(10);
        rounds.checkLog();
    }

    @Test
    void I12_a_supervisor_that_is_killed_at_any_moment_takes_every_process_with_it()
            throws IOException, InterruptedException {
        rounds.kills(5);
        rounds.checkLog();
    }
}
