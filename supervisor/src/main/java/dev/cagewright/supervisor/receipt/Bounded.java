package dev.cagewright.supervisor.receipt;

import java.util.ArrayList;
import java.util.List;

/// Lists that a receipt can hold whatever a run did.
public final class Bounded {
    /// The most sentences of one kind.
    private static final int MOST = 1_000;

    /// The most characters of them together.
    private static final int LONGEST = 256 << 10;

    private Bounded() {}

    /// The first sentences, as far as they are few and short, and how many were left out.
    public static List<String> sentences(List<String> all) {
        int length = 0;
        for (int kept = 0; kept < all.size(); kept++) {
            length += all.get(kept).length();
            if (kept == MOST || length > LONGEST) {
                var some = new ArrayList<>(all.subList(0, kept));
                some.add("[cut] " + (all.size() - kept) + " more");
                return some;
            }
        }
        return all;
    }
}
