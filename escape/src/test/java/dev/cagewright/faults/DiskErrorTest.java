package dev.cagewright.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.faults.Fault.Errno;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A disk that says no at one step of a run and at every later step like it.
class DiskErrorTest {
    @TempDir
    private Path root;

    @ParameterizedTest
    @CsvSource({
        "supervisor mkdir ID#1, ENOSPC",
        "supervisor create alive#1, EROFS",
        "supervisor create audit.jsonl#1, ENOSPC",
        "supervisor fdatasync audit.jsonl#2, ENOSPC",
        "supervisor fdatasync session.json.new#1, EIO",
        "supervisor rename session.json#1, EIO",
        "supervisor fsync placeholders.next#1, EIO",
        "supervisor create commondir#1, ENOSPC",
        "supervisor unlinkat config#1, ENOSPC",
        "supervisor unlinkat .idea#1, EIO",
        "supervisor rmdir no-workspace#1, EROFS",
        "supervisor fdatasync receipt.json.new#1, EIO",
    })
    void B198_whatever_the_disk_refuses_nothing_is_lost_and_the_next_start_works(String step, Errno errno)
            throws IOException, InterruptedException {
        var result = new Round(step, new Fault.Failure(errno)).play(Stopper.compile(), root);

        assertThat(result.isReached()).as("the step is taken").isTrue();
        assertThat(result.findings()).isEmpty();
    }

    @Test
    void B198_an_intent_whose_flush_fails_is_a_denial_and_nothing_runs() throws IOException, InterruptedException {
        var trial = Trial.in(Stopper.compile(), root);
        var stopped = fail(trial, "supervisor fdatasync audit.jsonl#2");

        assertThat(stopped.exit()).as(stopped.err()).isEqualTo(5);
        assertThat(stopped.err()).contains("audit:unavailable").contains("Input/output error");
        assertThat(trial.hasRun()).isFalse();
        assertThat(trial.afterNextStart()).isEmpty();
    }

    @Test
    void B198_an_outcome_that_cannot_be_written_is_told_and_the_next_start_knows_of_it()
            throws IOException, InterruptedException {
        var trial = Trial.in(Stopper.compile(), root);
        var stopped = fail(trial, "supervisor pwrite audit.jsonl#3");

        assertThat(stopped.exit()).as(stopped.err()).isZero();
        assertThat(stopped.err()).contains("unrecorded: ").contains("Input/output error");
        assertThat(trial.hasRun()).isTrue();
        assertThat(trial.open()).hasSize(1);
        assertThat(trial.afterNextStart()).isEmpty();
    }

    private static Stopper.Stopped fail(Trial trial, String step) throws IOException, InterruptedException {
        return trial.stopper()
                .disturb(
                        step,
                        new Fault.Failure(Errno.EIO).word(),
                        trial.command(),
                        trial.workspace(),
                        trial.variables());
    }
}
