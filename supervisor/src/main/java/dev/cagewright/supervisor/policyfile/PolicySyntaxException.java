package dev.cagewright.supervisor.policyfile;

import dev.cagewright.supervisor.policyfile.yaml.Problem;
import dev.cagewright.supervisor.policyfile.yaml.Problems;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/// A policy file that is not taken, with everything that is wrong in it.
public final class PolicySyntaxException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;
    private final int unlisted;

    PolicySyntaxException(Problems problems) {
        super(text(problems.inOrder(), problems.unlisted()));
        this.problems = problems.inOrder();
        this.unlisted = problems.unlisted();
    }

    private static String text(List<Problem> problems, int unlisted) {
        return problems.stream().map(Problem::toString).collect(Collectors.joining("\n"))
                + (unlisted == 0 ? "" : "\n... and " + unlisted + " more");
    }

    /// In the order of the file, never empty, at most [Problems#MAX].
    public List<Problem> problems() {
        return problems;
    }

    /// How many problems were found beyond those listed.
    public int unlisted() {
        return unlisted;
    }
}
