package dev.cagewright.supervisor.policyfile.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What was found wrong in one file so far. One thread.
public final class Problems {
    /// A person mends no more at a time, and a hostile file gets no longer answer.
    public static final int MAX = 50;

    private final String file;
    private final List<Problem> found = new ArrayList<>();
    private int unlisted;

    /// @param file printable
    public Problems(String file) {
        this.file = file;
    }

    public void add(Position at, String message, String hint) {
        if (found.size() < MAX) {
            found.add(new Problem(file, at, message, hint));
        } else {
            unlisted++;
        }
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public String file() {
        return file;
    }

    /// Those that are listed, at most [#MAX], by line and column.
    public List<Problem> inOrder() {
        return found.stream().sorted(Comparator.comparing(Problem::at)).toList();
    }

    /// How many more there are.
    public int unlisted() {
        return unlisted;
    }
}
