package dev.cagewright.cli.run;

import dev.cagewright.policy.document.Isolation;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The options of `run`, as the person gave them.
final class RunOptions {
    @Option(
            names = "--policy",
            paramLabel = "FILE|NAME",
            description = "The cage's policy: a path, or the name of a file in the policies folder.")
    private Optional<String> policy = Optional.empty();

    @Option(
            names = "--audit",
            paramLabel = "LOG",
            description = "The audit log; by default the one of your state folder.")
    private Optional<String> audit = Optional.empty();

    @Option(
            names = {"--isolation", "--tier"},
            paramLabel = "LEVEL",
            description =
                    "process, namespaces, gvisor or microvm (tier0, tier1, tier2); never weaker than the policy asks.")
    private Optional<String> isolation = Optional.empty();

    @Option(
            names = "--workspace",
            paramLabel = "DIR",
            description = "The directory that the policy calls /workspace; by default this one.")
    private Optional<String> workspace = Optional.empty();

    @Option(
            names = "--copy",
            description = "Let the program work on a copy of the workspace: your files stay as they are, and what it "
                    + "changed waits for cagewright changes and apply.")
    private boolean copy;

    @Option(names = "--json", description = "Print one JSON object with decision, output and exit on standard output.")
    private boolean json;

    @Option(names = "--dry-run", description = "Decide and explain; build and run nothing.")
    private boolean dryRun;

    @Option(names = "--no-tty", description = "Give the program pipes even on a terminal.")
    private boolean noTerminal;

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing about runs that go well.")
    private boolean quiet;

    @Option(
            names = "--unsafe-no-isolation",
            description = "Run without any cage. Policy and log still hold; nothing else does.")
    private boolean unsafeNoIsolation;

    Optional<String> policy() {
        return policy;
    }

    Optional<String> audit() {
        return audit;
    }

    /// @throws IllegalArgumentException naming the accepted levels
    Optional<Isolation> isolation() {
        return isolation.map(word -> Isolation.parse("--isolation", word));
    }

    /// @throws IllegalArgumentException if its bytes are no text: the JVM could not open it
    Optional<String> workspace() {
        if (workspace.orElse("").indexOf('\ufffd') >= 0) {
            throw new IllegalArgumentException("--workspace: \""
                    + workspace.get().replace("\ufffd", "\\u{fffd}")
                    + "\" is not UTF-8 (expected: a path in UTF-8; rename the directory)");
        }
        return workspace;
    }

    boolean copy() {
        return copy;
    }

    boolean json() {
        return json;
    }

    boolean dryRun() {
        return dryRun;
    }

    boolean noTerminal() {
        return noTerminal;
    }

    RunText.Voice voice() {
        return quiet ? RunText.Voice.QUIET : RunText.Voice.NORMAL;
    }

    boolean unsafeNoIsolation() {
        return unsafeNoIsolation;
    }
}
