package dev.cagewright.supervisor.schema.pattern;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An expression as states: from each one may go on to others at once, or to the next behind a character of a set
/// (Thompson 1968). Built once.
final class Program {
    static final int MOST = 4_000;
    static final int NONE = -1;

    /// What a state does.
    enum Step {
        /// Takes one character.
        TAKE,
        /// Goes both ways.
        FORK,
        /// Goes on where a text begins.
        BEGIN,
        /// Goes on where a text ends.
        END,
        /// Has found it.
        FOUND
    }

    private final List<Step> steps = new ArrayList<>();
    private final List<@Nullable CodeSet> sets = new ArrayList<>();
    private final List<int[]> ways = new ArrayList<>();

    private Program() {}

    /// @throws IllegalArgumentException if there are too many states
    static Program of(Expression expression) {
        var program = new Program();
        int found = program.add(Step.FOUND, null, NONE, NONE);
        program.start = program.build(expression, found);
        return program;
    }

    private int start;

    int start() {
        return start;
    }

    int size() {
        return steps.size();
    }

    Step step(int state) {
        return steps.get(state);
    }

    /// Of a state that takes one.
    CodeSet set(int state) {
        var set = sets.get(state);
        if (set == null) {
            throw new IllegalStateException("state " + state + ": takes nothing (expected: a set)");
        }
        return set;
    }

    int next(int state) {
        return ways.get(state)[0];
    }

    int other(int state) {
        return ways.get(state)[1];
    }

    private int add(Step step, @Nullable CodeSet set, int next, int other) {
        if (steps.size() >= MOST) {
            throw new IllegalArgumentException("a pattern that comes to more than " + MOST + " states");
        }
        steps.add(step);
        sets.add(set);
        ways.add(new int[] {next, other});
        return steps.size() - 1;
    }

    /// The state from which `expression` leads to `next`.
    private int build(Expression expression, int next) {
        return switch (expression) {
            case Expression.OneOf(CodeSet set) -> add(Step.TAKE, set, next, NONE);
            case Expression.Begin _ -> add(Step.BEGIN, null, next, NONE);
            case Expression.End _ -> add(Step.END, null, next, NONE);
            case Expression.Row(List<Expression> parts) -> {
                int to = next;
                for (Expression part : parts.reversed()) {
                    to = build(part, to);
                }
                yield to;
            }
            case Expression.Choice(List<Expression> parts) -> {
                int to = build(parts.getLast(), next);
                for (Expression part : parts.subList(0, parts.size() - 1).reversed()) {
                    to = add(Step.FORK, null, build(part, next), to);
                }
                yield to;
            }
            case Expression.Times times -> repeated(times, next);
        };
    }

    private int repeated(Expression.Times times, int next) {
        int to = next;
        if (times.most() == Expression.Times.OPEN) {
            int loop = add(Step.FORK, null, NONE, next);
            ways.get(loop)[0] = build(times.part(), loop);
            to = loop;
        } else {
            for (int i = times.least(); i < times.most(); i++) {
                to = add(Step.FORK, null, build(times.part(), to), next);
            }
        }
        for (int i = 0; i < times.least(); i++) {
            to = build(times.part(), to);
        }
        return to;
    }
}
