package dev.cagewright.policy.engine;

import dev.cagewright.policy.document.Origin;
import dev.cagewright.policy.document.Origins;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A document that cannot be compiled; carries everything that is wrong with it.
public final class BadPolicyException extends Exception {
    private static final long serialVersionUID = 1;

    /// One thing that is wrong.
    ///
    /// @param pointer where, as a JSON pointer
    /// @param origin the line, where the document came from a file
    /// @param message field, value and what would be right
    public record Problem(String pointer, Optional<Origin> origin, String message) {
        /// E.g. `cage.yaml:7:5: net.hosts[0].alias: "gh" (expected: ...)`.
        @Override
        public String toString() {
            return origin.map(place -> place + ": ").orElse("") + message;
        }
    }

    private final transient List<Problem> problems;

    BadPolicyException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /// One thing that is wrong with a document.
    ///
    /// @param field its name as in `net.hosts[2].host`
    public static BadPolicyException of(Origins origins, String field, String message) {
        var pointer = Origins.pointer(field);
        return new BadPolicyException(List.of(new Problem(pointer, origins.at(pointer), message)));
    }

    /// The same of a document that holds during the set-up, in the words of the whole.
    public BadPolicyException ofSetup() {
        return new BadPolicyException(problems.stream()
                .map(problem -> problem.pointer().startsWith("/net")
                        ? new Problem(
                                "/phases/setup" + problem.pointer(),
                                problem.origin(),
                                "phases.setup." + problem.message())
                        : problem)
                .toList());
    }

    public List<Problem> problems() {
        return problems;
    }
}
