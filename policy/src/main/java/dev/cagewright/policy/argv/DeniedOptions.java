package dev.cagewright.policy.argv;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A tool that does its own work, except for a few options that run code or put files where code is expected.
/// Every beginning of such a long option counts as the option.
///
/// @param valued short options that take a value
/// @param code options that are refused, with what they bring; longer than one letter without dashes
record DeniedOptions(String valued, Map<String, String> code) implements Dialect {

    @Override
    public Reading read(Command command) {
        int i = command.from() + 1;
        while (i < command.to() && !command.word(i).equals("--")) {
            var word = command.word(i);
            var what = word.startsWith("--") ? codeInLong(word) : codeInBundle(word);
            if (what != null) {
                return new Reading.Code(i, command.program().base() + " takes " + what);
            }
            i += swallowsNext(word) ? 2 : 1;
        }
        return Reading.PLAIN;
    }

    private @Nullable String codeInLong(String word) {
        int equals = word.indexOf('=');
        var name = word.substring(2, equals < 0 ? word.length() : equals);
        var exact = code.get(name);
        if (exact != null && name.length() > 1) {
            return exact + " (--" + name + ")";
        }
        for (Map.Entry<String, String> entry : code.entrySet()) {
            if (name.length() > 1 && entry.getKey().startsWith(name)) {
                return entry.getValue() + " (--" + entry.getKey() + ", shortened)";
            }
        }
        return null;
    }

    private @Nullable String codeInBundle(String word) {
        if (!word.startsWith("-")) {
            return null;
        }
        for (int i = 1; i < word.length(); i++) {
            var letter = word.substring(i, i + 1);
            var what = code.get(letter);
            if (what != null) {
                return what + " (-" + letter + ")";
            }
            if (valued.contains(letter)) {
                return null;
            }
        }
        return null;
    }

    private boolean swallowsNext(String word) {
        if (word.length() < 2 || word.charAt(0) != '-' || word.charAt(1) == '-') {
            return false;
        }
        for (int i = 1; i < word.length(); i++) {
            if (valued.indexOf(word.charAt(i)) >= 0) {
                return i == word.length() - 1;
            }
        }
        return false;
    }

    /// The options `names`, separated by blanks, each bringing `what`.
    static DeniedOptions of(String valued, String what, String names) {
        var code = new HashMap<String, String>();
        for (String name : List.of(names.split(" ", -1))) {
            code.put(name, what);
        }
        return new DeniedOptions(valued, Map.copyOf(code));
    }
}
