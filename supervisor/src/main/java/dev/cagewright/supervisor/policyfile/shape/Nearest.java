package dev.cagewright.supervisor.policyfile.shape;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds what somebody probably meant.
public final class Nearest {
    private Nearest() {}

    /// `did you mean "allowlist"?`, or else the list of all `names`.
    public static String hint(String text, Collection<String> names) {
        return nearest(text, names)
                .map(name -> "did you mean \"" + name + "\"?")
                .orElseGet(() -> "one of " + String.join(", ", names));
    }

    /// The name with the fewest changed, missing, added or swapped letters, at most a third of `text`.
    static Optional<String> nearest(String text, Collection<String> names) {
        var folded = fold(text);
        int most = Math.max(1, folded.length() / 3);
        record Candidate(String name, int distance) {}
        return names.stream()
                .filter(name -> Math.abs(name.length() - folded.length()) <= most)
                .map(name -> new Candidate(name, distance(folded, fold(name))))
                .filter(candidate -> candidate.distance() <= most)
                .min(Comparator.comparingInt(Candidate::distance))
                .map(Candidate::name);
    }

    private static String fold(String text) {
        return text.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /// Optimal string alignment distance.
    private static int distance(String a, String b) {
        var rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : cell(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int cell(int[][] rows, String a, String b, int i, int j) {
        int changed = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(changed, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, rows[i - 2][j - 2] + 1) : best;
    }
}
