package dev.cagewright.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// One run with one fault in front of one step, and what is true afterwards: no process lives, what ran is in the log,
/// the log verifies, the next start works, tells what was interrupted, and leaves the workspace as if nothing had
/// happened.
///
/// @param step of a run, by its name
record Round(String step, Fault fault) {
    private static final int DENIED = 5;
    private static final int NO_CAGE = 125;
    private static final int KILLED = 137;

    /// What came of it.
    ///
    /// @param struck what was done; empty if the run took another way this time
    /// @param findings what does not hold, one sentence each
    record Result(String struck, List<String> findings) {
        Result {
            findings = List.copyOf(findings);
        }

        boolean isReached() {
            return !struck.isEmpty() && !struck.equals("nobody");
        }
    }

    /// Plays it in a folder of its own below `root`, which is gone afterwards.
    Result play(Stopper stopper, Path root) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory(root, "round");
        try {
            return play(Trial.in(stopper, folder));
        } finally {
            delete(folder);
        }
    }

    private Result play(Trial trial) throws IOException, InterruptedException {
        var stopped =
                trial.stopper().disturb(step, fault.word(), trial.command(), trial.workspace(), trial.variables());
        var findings = Trial.afterRun(stopped);
        switch (fault) {
            case Fault.Kill(Victim victim) -> killed(victim, stopped, findings);
            case Fault.Failure _ -> failed(trial, stopped, findings);
        }
        findings.addAll(trial.afterNextStart());
        return new Result(stopped.struck(), findings);
    }

    private static void killed(Victim victim, Stopper.Stopped stopped, List<String> findings) {
        var codes = victim == Victim.SUPERVISOR ? List.of(KILLED) : List.of(0, NO_CAGE, KILLED);
        if (stopped.struck().equals(victim.word()) && !codes.contains(stopped.exit())) {
            findings.add("ended with " + stopped.exit() + ": " + stopped.err());
        }
    }

    /// Either the program ran and its own code comes back, or it did not, and the code and a sentence say so.
    private static void failed(Trial trial, Stopper.Stopped stopped, List<String> findings) throws IOException {
        boolean hasRun = trial.hasRun();
        var codes = hasRun ? List.of(0) : List.of(DENIED, NO_CAGE);
        if (!codes.contains(stopped.exit()) || stopped.err().isBlank()) {
            findings.add(
                    (hasRun ? "ran" : "did not run") + ", and ended with " + stopped.exit() + ": " + stopped.err());
        }
        if (hasRun && !Files.readString(trial.log()).contains("\"kind\":\"intent\"")) {
            findings.add("ran without an intent in the log");
        }
        if (hasRun && !trial.open().isEmpty() && !stopped.err().contains("unrecorded: ")) {
            findings.add("ran, and did not tell that its outcome is not in the log: " + stopped.err());
        }
    }

    static void delete(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public String toString() {
        return fault + " before: " + step;
    }
}
