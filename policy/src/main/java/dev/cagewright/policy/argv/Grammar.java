package dev.cagewright.policy.argv;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which options a program knows, and which of them take values. Written as words: `v` a short flag, `k:` a short
/// option with a value (the rest of its element, or the next one), `i?` with a value only in its own element, `0#`
/// with digits, or `:` and a text, in its own element; `help` a long flag, `signal=` a long option with a value,
/// `color?` a long one whose value needs a `=`.
final class Grammar {

    /// Where options may stand.
    enum Order {
        /// Before the first operand only, as for programs that hand the rest on.
        OPTIONS_FIRST,
        /// Anywhere before `--`.
        MIXED
    }

    private enum Value {
        NONE,
        REQUIRED,
        ATTACHED,
        DIGITS,
        UNKNOWN
    }

    /// One element, or a part of a bundle, understood.
    sealed interface Token {
        int at();

        /// An option, alone or out of a bundle.
        ///
        /// @param name without dashes; one letter for a short option
        record Option(int at, String name, @Nullable String value, Known known) implements Token {
            boolean isOneOf(String... names) {
                return List.of(names).contains(name);
            }

            /// As it is written, e.g. `-c` or `--eval`.
            String dashed() {
                return (name.length() == 1 ? "-" : "--") + name;
            }
        }

        record Operand(int at, String text) implements Token {}
    }

    enum Known {
        YES,
        NO
    }

    /// Whether the beginning of a long option stands for it, as with `getopt_long(3)`.
    enum Abbreviation {
        ACCEPTED,
        REFUSED
    }

    private final Map<String, Value> values = new HashMap<>();
    private final Order order;
    private final Abbreviation abbreviation;

    private Grammar(Order order, Abbreviation abbreviation) {
        this.order = order;
        this.abbreviation = abbreviation;
    }

    static Grammar of(Order order, Abbreviation abbreviation, String options) {
        var grammar = new Grammar(order, abbreviation);
        for (String word : options.strip().split("\\s+", -1)) {
            var name = word.length() > 1 ? word.substring(0, word.length() - 1) : word;
            switch (word.charAt(word.length() - 1)) {
                case ':', '=' -> grammar.values.put(name, Value.REQUIRED);
                case '?' -> grammar.values.put(name, Value.ATTACHED);
                case '#' -> grammar.values.put(name, Value.DIGITS);
                default -> grammar.values.put(word, Value.NONE);
            }
        }
        return grammar;
    }

    /// The elements behind the program, understood. When options come first, the last token is the first operand,
    /// if there is one; `-` alone is an operand.
    ///
    /// A long option that is not known may or may not take the next element, so both are read: an operand behind
    /// it does not end the options.
    List<Token> tokens(Command command) {
        var tokens = new ArrayList<Token>();
        int i = command.from() + 1;
        boolean optionsOver = false;
        boolean doubtful = false;
        while (i < command.to()) {
            var word = command.word(i);
            if (optionsOver || !word.startsWith("-") || word.equals("-")) {
                tokens.add(new Token.Operand(i, word));
                if (order == Order.OPTIONS_FIRST && !doubtful) {
                    return tokens;
                }
                doubtful = false;
                i++;
            } else if (word.equals("--")) {
                optionsOver = true;
                doubtful = false;
                i++;
            } else if (word.startsWith("--")) {
                i = addLong(tokens, command, i);
                doubtful = tokens.getLast() instanceof Token.Option option
                        && option.known() == Known.NO
                        && option.value() == null;
            } else {
                i = addBundle(tokens, command, i);
                doubtful = false;
            }
        }
        return tokens;
    }

    private int addLong(List<Token> tokens, Command command, int at) {
        var word = command.word(at);
        int equals = word.indexOf('=');
        var spelling = word.substring(2, equals < 0 ? word.length() : equals);
        var name = resolve(spelling);
        var value = values.getOrDefault(name, Value.UNKNOWN);
        var known = value == Value.UNKNOWN ? Known.NO : Known.YES;
        if (equals >= 0) {
            tokens.add(new Token.Option(at, name, word.substring(equals + 1), known));
            return at + 1;
        }
        if (value == Value.REQUIRED && at + 1 < command.to()) {
            tokens.add(new Token.Option(at, name, command.word(at + 1), known));
            return at + 2;
        }
        tokens.add(new Token.Option(at, name, null, known));
        return at + 1;
    }

    /// The long option that `spelling` is, or the only one that it begins.
    private String resolve(String spelling) {
        if (abbreviation == Abbreviation.REFUSED || values.containsKey(spelling) || spelling.isEmpty()) {
            return spelling;
        }
        @Nullable String only = null;
        for (String name : values.keySet()) {
            if (name.length() > 1 && name.startsWith(spelling)) {
                if (only != null) {
                    return spelling;
                }
                only = name;
            }
        }
        return only == null ? spelling : only;
    }

    private int addBundle(List<Token> tokens, Command command, int at) {
        var word = command.word(at);
        int i = 1;
        while (i < word.length()) {
            var name = word.substring(i, i + 1);
            var value = values.getOrDefault(name, Value.UNKNOWN);
            var known = value == Value.UNKNOWN ? Known.NO : Known.YES;
            var rest = word.substring(i + 1);
            if (value == Value.REQUIRED && rest.isEmpty()) {
                var next = at + 1 < command.to() ? command.word(at + 1) : null;
                tokens.add(new Token.Option(at, name, next, known));
                return at + 2;
            }
            if (value == Value.REQUIRED || value == Value.ATTACHED || (value == Value.DIGITS && rest.startsWith(":"))) {
                tokens.add(new Token.Option(at, name, rest.isEmpty() ? null : rest, known));
                return at + 1;
            }
            tokens.add(new Token.Option(at, name, null, known));
            i++;
            while (value == Value.DIGITS && i < word.length() && Character.digit(word.charAt(i), 10) >= 0) {
                i++;
            }
        }
        return at + 1;
    }
}
