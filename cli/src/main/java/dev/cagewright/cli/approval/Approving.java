package dev.cagewright.cli.approval;

import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.approval.Question;
import java.util.List;
import java.util.stream.Stream;

/// What becomes of what needs approval, as the person chose it.
public enum Approving {
    /// It waits where somebody can be asked.
    ASK,
    /// It waits as long as the policy says.
    WAIT,
    /// It is denied at once.
    NEVER;

    /// Reads what follows `--approvals`.
    public static Approving parse(String word) {
        return switch (word) {
            case "ask" -> ASK;
            case "wait" -> WAIT;
            case "never" -> NEVER;
            default ->
                throw new IllegalArgumentException("--approvals: \"" + word + "\" (expected: ask, wait or never)");
        };
    }

    /// The ways to a person out of those there are.
    public List<Asker> of(List<Asker> ways) {
        return switch (this) {
            case ASK -> ways;
            case WAIT -> Stream.concat(ways.stream(), Stream.of(new Later())).toList();
            case NEVER -> List.of();
        };
    }

    /// Whoever comes by and looks.
    private record Later() implements Asker {
        @Override
        public boolean reaches() {
            return true;
        }

        @Override
        public Asked ask(Question question, Answers answers) {
            return () -> {};
        }
    }
}
