package dev.cagewright.egress.inspect.credential;

import java.util.ArrayList;
import java.util.List;

/// Formats, ready to be looked for. Immutable and safe for all threads.
final class FormatSet {
    private final Literals literals;
    private final Format[] byLiteral;
    private final int[] lengths;

    private FormatSet(List<String> all, List<Format> owners) {
        this.literals = Literals.of(all);
        this.byLiteral = owners.toArray(Format[]::new);
        this.lengths = all.stream().mapToInt(String::length).toArray();
    }

    static FormatSet of(List<Format> formats) {
        var all = new ArrayList<String>();
        var owners = new ArrayList<Format>();
        for (var format : formats) {
            for (String prefix : format.prefixes()) {
                all.add(prefix);
                owners.add(format);
            }
        }
        return new FormatSet(all, owners);
    }

    Literals literals() {
        return literals;
    }

    Format format(int literal) {
        return byLiteral[literal];
    }

    int prefixLength(int literal) {
        return lengths[literal];
    }
}
