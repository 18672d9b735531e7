package dev.cagewright.supervisor.imports.toml;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import dev.cagewright.supervisor.policyfile.yaml.StrictReader;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Keys and values of TOML. One text, one thread.
final class Values {
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(0|[1-9](_?[0-9])*)");
    private static final Pattern RADIX =
            Pattern.compile("0x[0-9A-Fa-f](_?[0-9A-Fa-f])*|0o[0-7](_?[0-7])*|0b[01](_?[01])*");
    private static final Pattern REAL =
            Pattern.compile("[+-]?(0|[1-9](_?[0-9])*)(\\.[0-9](_?[0-9])*)?([eE][+-]?[0-9](_?[0-9])*)?|[+-]?(inf|nan)");
    private static final Pattern TIME = Pattern.compile(
            "[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})?)?"
                    + "|[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?");
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final int MAX_NUMBER = 64;

    private final Cursor in;
    private final Strings strings;
    private int count;

    Values(Cursor in) {
        this.in = in;
        this.strings = new Strings(in);
    }

    /// One more of the values that are read at most.
    void count() throws TomlException {
        if (++count > StrictReader.MAX_NODES) {
            throw in.wrong("more than " + StrictReader.MAX_NODES + " values");
        }
    }

    void keyValue(Table.Keys table) throws TomlException {
        keyValue(table, 1);
    }

    private void keyValue(Table.Keys table, int depth) throws TomlException {
        var at = in.position();
        var path = keys();
        in.blanks();
        if (!in.takes("=")) {
            throw in.wrong("a key without = behind it");
        }
        in.blanks();
        var here = table;
        for (String word : path.subList(0, path.size() - 1)) {
            var known = here.entries()
                    .computeIfAbsent(word, _ -> new Table.Entry.Grows(at, new Table.Keys(Table.Origin.DOTTED, at)));
            if (!(known instanceof Table.Entry.Grows(Position _, Table.Keys next))
                    || next.origin() != Table.Origin.DOTTED) {
                throw new TomlException(at, Quoted.of(word) + " is there already, at " + known.at());
            }
            here = next;
        }
        var known = here.entries().get(path.getLast());
        if (known != null) {
            throw new TomlException(at, "duplicate key " + Quoted.of(path.getLast()) + ", first at " + known.at());
        }
        here.entries().put(path.getLast(), new Table.Entry.Value(at, value(depth + path.size())));
    }

    /// The words of a dotted key.
    List<String> keys() throws TomlException {
        var path = new ArrayList<String>();
        do {
            in.blanks();
            path.add(key());
            in.blanks();
            if (path.size() > StrictReader.MAX_DEPTH) {
                throw in.wrong("nested deeper than " + StrictReader.MAX_DEPTH + " levels");
            }
        } while (in.takes("."));
        return path;
    }

    private String key() throws TomlException {
        count();
        var text = new StringBuilder();
        if (in.peek() == '"' || in.peek() == '\'') {
            if (in.sees("\"\"\"") || in.sees("'''")) {
                throw in.wrong("a key of several lines");
            }
            text.append(strings.string());
        } else {
            while (isBare(in.peek())) {
                text.append(in.next());
            }
            if (text.isEmpty()) {
                throw in.wrong("no key: " + in.rest());
            }
        }
        if (text.codePointCount(0, text.length()) > StrictReader.MAX_KEY) {
            throw in.wrong("a key of more than " + StrictReader.MAX_KEY + " characters");
        }
        return text.toString();
    }

    private static boolean isBare(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    private static boolean isPlain(char c) {
        return isBare(c) || c == '.' || c == '+' || c == ':';
    }

    private Node value(int depth) throws TomlException {
        count();
        if (depth > StrictReader.MAX_DEPTH) {
            throw in.wrong("nested deeper than " + StrictReader.MAX_DEPTH + " levels");
        }
        var at = in.position();
        return switch (in.peek()) {
            case '"', '\'' -> new Node.Scalar(strings.string(), Node.Notation.QUOTED, at, in.position());
            case '[' -> array(at, depth);
            case '{' -> inlineTable(at, depth);
            default -> new Node.Scalar(plain(), Node.Notation.PLAIN, at, in.position());
        };
    }

    private Node array(Position at, int depth) throws TomlException {
        in.next();
        var items = new ArrayList<Node>();
        in.space();
        while (!in.takes("]")) {
            items.add(value(depth + 1));
            in.space();
            if (!in.takes(",") && in.peek() != ']') {
                throw in.wrong("an array without , or ] behind a value");
            }
            in.space();
        }
        return new Node.Sequence(List.copyOf(items), Node.Layout.FLOW, at, in.position());
    }

    private Node inlineTable(Position at, int depth) throws TomlException {
        in.next();
        var table = new Table.Keys(Table.Origin.DOTTED, at);
        in.blanks();
        if (in.takes("}")) {
            return table.node();
        }
        do {
            in.blanks();
            keyValue(table, depth);
            in.blanks();
        } while (in.takes(","));
        if (!in.takes("}")) {
            throw in.wrong("an inline table without , or } behind a value, or of several lines");
        }
        return table.node();
    }

    /// A number, a truth or a time; whole numbers in decimal.
    private String plain() throws TomlException {
        var at = in.position();
        var text = new StringBuilder();
        while (isPlain(in.peek())) {
            text.append(in.next());
            if (text.length() > MAX_NUMBER) {
                throw new TomlException(at, "a value of more than " + MAX_NUMBER + " characters without quotes");
            }
        }
        if (in.peek() == ' ' && TIME.matcher(text).matches() && Character.isDigit(in.peek(1))) {
            text.append(in.next());
            while (isPlain(in.peek())) {
                text.append(in.next());
            }
        }
        return meant(text.toString(), at);
    }

    private String meant(String word, Position at) throws TomlException {
        if (word.equals("true") || word.equals("false") || TIME.matcher(word).matches()) {
            return word;
        }
        if (DECIMAL.matcher(word).matches()) {
            return whole(new BigInteger(word.replace("_", "").replace("+", "")), at);
        }
        if (RADIX.matcher(word).matches()) {
            int radix = word.charAt(1) == 'x' ? 16 : word.charAt(1) == 'o' ? 8 : 2;
            return whole(new BigInteger(word.substring(2).replace("_", ""), radix), at);
        }
        if (REAL.matcher(word).matches()) {
            return word.replace("_", "").toLowerCase(Locale.ROOT);
        }
        throw new TomlException(at, word.isEmpty() ? "no value: " + in.rest() : Quoted.of(word) + " is no value");
    }

    private static String whole(BigInteger number, Position at) throws TomlException {
        if (number.abs().compareTo(LARGEST) > 0 && !number.equals(BigInteger.valueOf(Long.MIN_VALUE))) {
            throw new TomlException(at, "a whole number of more than 64 bits");
        }
        return number.toString();
    }
}
