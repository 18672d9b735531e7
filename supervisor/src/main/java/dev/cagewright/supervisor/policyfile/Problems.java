package dev.cagewright.supervisor.policyfile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What was found wrong in one file so far. One thread.
final class Problems {
    /// A person mends no more at a time, and a hostile file gets no longer answer.
    static final int MAX = 50;

    private final String file;
    private final List<Problem> found = new ArrayList<>();
    private int unlisted;

    /// @param file printable
    Problems(String file) {
        this.file = file;
    }

    void add(Position at, String message, String hint) {
        if (found.size() < MAX) {
            found.add(new Problem(file, at, message, hint));
        } else {
            unlisted++;
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    int count() {
        return found.size() + unlisted;
    }

    String file() {
        return file;
    }

    PolicySyntaxException asException() {
        return new PolicySyntaxException(
                found.stream().sorted(Comparator.comparing(Problem::at)).toList(), unlisted);
    }

    /// @throws PolicySyntaxException if anything was found
    void throwIfAny() throws PolicySyntaxException {
        if (!found.isEmpty()) {
            throw asException();
        }
    }
}
