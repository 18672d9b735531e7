package dev.cagewright.policy.argv;

import java.util.ArrayList;
import java.util.List;

/// A program with its arguments, as a stretch of a longer argument list; positions are those of the whole list.
///
/// @param words one char for each byte
/// @param from the position of the program
/// @param to the position behind the last argument
/// @param unknown what is not in the list but will be there when it runs
record Command(List<String> words, int from, int to, Unknown unknown) {
    /// Code to any interpreter that would read it as an option.
    private static final String ANYTHING = "-rec";

    /// Arguments that whatever runs the command adds, as `xargs` does.
    sealed interface Unknown {
        /// There are none.
        record Nothing() implements Unknown {}

        /// Behind the last argument.
        record Appended() implements Unknown {}

        /// In place of arguments that begin with `mark`.
        record InPlaceOf(String mark) implements Unknown {}
    }

    static Command of(List<String> words) {
        return new Command(words, 0, words.size(), new Unknown.Nothing());
    }

    String word(int position) {
        return words.get(position);
    }

    ProgramName program() {
        return ProgramName.of(word(from));
    }

    Command startingAt(int position) {
        return new Command(words, position, to, unknown);
    }

    Command within(int start, int end) {
        return new Command(words, start, end, new Unknown.Nothing());
    }

    Command with(Unknown more) {
        return new Command(words, from, to, more);
    }

    /// This command with the worst that the unknown arguments could be.
    Command atWorst() {
        return switch (unknown) {
            case Unknown.Nothing _ -> this;
            case Unknown.Appended _ -> {
                var longer = new ArrayList<>(words.subList(0, to));
                longer.add(ANYTHING);
                longer.add("x");
                yield of(longer).startingAt(from);
            }
            case Unknown.InPlaceOf(String mark) -> {
                var filled = new ArrayList<>(words.subList(0, to));
                filled.replaceAll(word -> word.startsWith(mark) ? ANYTHING : word);
                yield of(filled).startingAt(from);
            }
        };
    }
}
