package dev.cagewright.audit.alone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A command line.
///
/// @param command `verify` or `verify-proof`
/// @param file the log or the proof
/// @param options by name, with their values in order; a flag's value is empty
record Words(String command, Path file, Map<String, List<String>> options) {
    static final String USAGE = """
            usage: java -jar cagewright-audit.jar verify LOG [--key PUB] [--checkpoint FILE]... [--since OLD]
                     [--witness-key FILE]... [--require-witness N] [--seal-key FILE] [--require-anchored] [--json]
                   java -jar cagewright-audit.jar verify-proof PROOF --key PUB [--line FILE] [--since OLD]
                     [--witness-key FILE]... [--require-witness N] [--json]""";

    private static final Set<String> FLAGS = Set.of("--require-anchored", "--json");
    private static final Set<String> VALUES =
            Set.of("--key", "--checkpoint", "--since", "--witness-key", "--require-witness", "--seal-key", "--line");

    static Words parse(String... words) {
        var options = new LinkedHashMap<String, List<String>>();
        var rest = new ArrayList<String>();
        for (int i = 0; i < words.length; i++) {
            var word = words[i];
            if (FLAGS.contains(word)) {
                options.computeIfAbsent(word, _ -> new ArrayList<>()).add("");
            } else if (VALUES.contains(word)) {
                if (++i == words.length) {
                    throw new IllegalArgumentException(word + ": nothing (expected: a value)");
                }
                options.computeIfAbsent(word, _ -> new ArrayList<>()).add(words[i]);
            } else if (word.startsWith("-")) {
                throw new IllegalArgumentException(word + ": no such option");
            } else {
                rest.add(word);
            }
        }
        if (rest.size() != 2 || !Set.of("verify", "verify-proof").contains(rest.getFirst())) {
            throw new IllegalArgumentException("words: " + rest + " (expected: verify LOG or verify-proof PROOF)");
        }
        return new Words(rest.getFirst(), Path.of(rest.getLast()), options);
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    List<Path> files(String option) {
        return options.getOrDefault(option, List.of()).stream().map(Path::of).toList();
    }

    Optional<Path> file(String option) {
        var files = files(option);
        return files.isEmpty() ? Optional.empty() : Optional.of(files.getLast());
    }

    int number(String option) {
        var text = options.getOrDefault(option, List.of("0")).getLast();
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + ": " + text + " (expected: a whole number)", e);
        }
    }
}
