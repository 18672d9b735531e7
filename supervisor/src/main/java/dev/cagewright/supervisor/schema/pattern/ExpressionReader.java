package dev.cagewright.supervisor.schema.pattern;

import dev.cagewright.policy.action.ByteString;
import java.util.ArrayList;
import java.util.List;

/// Reads a pattern in the notation of ECMA-262 with the `u` flag, as far as it can be matched in linear time. For one
/// pattern.
final class ExpressionReader {
    private static final int DEEPEST = 40;
    private static final int MOST_TIMES = 1_000;

    private final int[] points;
    private int at;

    private ExpressionReader(String text) {
        this.points = text.codePoints().toArray();
    }

    /// @throws IllegalArgumentException saying what is wrong and where
    static Expression read(String text) {
        var reader = new ExpressionReader(text);
        var whole = reader.choice(0);
        if (reader.at < reader.points.length) {
            throw reader.wrong("a ) without its (");
        }
        return whole;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " at character " + (at + 1));
    }

    private boolean isAt(int point) {
        return at < points.length && points[at] == point;
    }

    private boolean took(int point) {
        boolean is = isAt(point);
        at += is ? 1 : 0;
        return is;
    }

    private int next() {
        if (at >= points.length) {
            throw wrong("the pattern ends where something has to follow");
        }
        return points[at++];
    }

    private Expression choice(int depth) {
        if (depth > DEEPEST) {
            throw wrong("groups nested deeper than " + DEEPEST);
        }
        var parts = new ArrayList<Expression>();
        do {
            parts.add(row(depth));
        } while (took('|'));
        return parts.size() == 1 ? parts.getFirst() : new Expression.Choice(List.copyOf(parts));
    }

    private Expression row(int depth) {
        var parts = new ArrayList<Expression>();
        while (at < points.length && !isAt('|') && !isAt(')')) {
            parts.add(repeated(single(depth)));
        }
        return new Expression.Row(List.copyOf(parts));
    }

    private Expression single(int depth) {
        int point = next();
        return switch (point) {
            case '^' -> new Expression.Begin();
            case '$' -> new Expression.End();
            case '.' -> new Expression.OneOf(CodeSet.ANY);
            case '(' -> group(depth);
            case '[' -> new Expression.OneOf(list());
            case '\\' -> new Expression.OneOf(escaped());
            case '*', '+', '?' -> {
                at--;
                throw wrong("a quantifier with nothing before it");
            }
            case '{', '}', ']' -> {
                at--;
                throw wrong(
                        "a " + Character.toString(point) + " that has to be written \\" + Character.toString(point));
            }
            default -> new Expression.OneOf(only(point));
        };
    }

    private static CodeSet only(int point) {
        return CodeSet.of(new CodeSet.Range(point, point));
    }

    private Expression group(int depth) {
        if (took('?') && !took(':')) {
            throw wrong("looking around, a named group or a flag: none can be matched in linear time or is needed");
        }
        var inside = choice(depth + 1);
        if (!took(')')) {
            throw wrong("a ( without its )");
        }
        return inside;
    }

    private Expression repeated(Expression part) {
        var times = part;
        if (took('*')) {
            times = new Expression.Times(part, 0, Expression.Times.OPEN);
        } else if (took('+')) {
            times = new Expression.Times(part, 1, Expression.Times.OPEN);
        } else if (took('?')) {
            times = new Expression.Times(part, 0, 1);
        } else if (took('{')) {
            times = counted(part);
        }
        if (times.equals(part)) {
            return part;
        }
        if (part instanceof Expression.Begin || part instanceof Expression.End) {
            throw wrong("a quantifier behind ^ or $");
        }
        took('?');
        if (isAt('*') || isAt('+') || isAt('?') || isAt('{')) {
            throw wrong("two quantifiers in a row");
        }
        return times;
    }

    private Expression counted(Expression part) {
        int least = number();
        int most = least;
        if (took(',')) {
            most = isAt('}') ? Expression.Times.OPEN : number();
        }
        if (!took('}') || (most != Expression.Times.OPEN && most < least)) {
            throw wrong("a count that is not {n}, {n,} or {n,m}");
        }
        return new Expression.Times(part, least, most);
    }

    private int number() {
        int from = at;
        int value = 0;
        while (at < points.length && points[at] >= '0' && points[at] <= '9' && value <= MOST_TIMES) {
            value = 10 * value + points[at++] - '0';
        }
        if (at == from || value > MOST_TIMES) {
            throw wrong("a count from 0 to " + MOST_TIMES + " is meant");
        }
        return value;
    }

    private CodeSet list() {
        boolean isOthers = took('^');
        var set = new CodeSet(List.of());
        while (!took(']')) {
            set = set.and(range());
        }
        return isOthers ? set.others() : set;
    }

    private CodeSet range() {
        var first = element();
        boolean isRange = isAt('-') && at + 1 < points.length && points[at + 1] != ']';
        if (!isRange) {
            return first;
        }
        at++;
        var last = element();
        int from = onlyOne(first);
        int to = onlyOne(last);
        if (to < from) {
            throw wrong("a range from a later character to an earlier one");
        }
        return CodeSet.of(new CodeSet.Range(from, to));
    }

    private CodeSet element() {
        int point = next();
        return point == '\\' ? escaped() : only(point);
    }

    private int onlyOne(CodeSet set) {
        if (set.ranges().size() == 1
                && set.ranges().getFirst().from() == set.ranges().getFirst().to()) {
            return set.ranges().getFirst().from();
        }
        throw wrong("a range whose end is no character");
    }

    private CodeSet escaped() {
        int point = next();
        return switch (point) {
            case 'd' -> CodeSet.DIGITS;
            case 'D' -> CodeSet.DIGITS.others();
            case 'w' -> CodeSet.WORDS;
            case 'W' -> CodeSet.WORDS.others();
            case 's' -> CodeSet.BLANKS;
            case 'S' -> CodeSet.BLANKS.others();
            case 'n' -> only('\n');
            case 'r' -> only('\r');
            case 't' -> only('\t');
            case 'f' -> only('\f');
            case 'v' -> only(0x0b);
            case '0' -> only(0);
            case 'x' -> only(hex(2));
            case 'u' -> only(took('{') ? braced() : hex(4));
            default -> {
                if (Character.isLetterOrDigit(point)) {
                    throw wrong("the escape \\" + ByteString.of(Character.toString(point))
                            + ", which is not known or cannot be matched in linear time,");
                }
                yield only(point);
            }
        };
    }

    private int hex(int digits) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            value = 16 * value + digit(next());
        }
        return value;
    }

    private int digit(int point) {
        int value = point < 0x80 ? Character.digit(point, 16) : -1;
        if (value < 0) {
            throw wrong("a hexadecimal digit is meant");
        }
        return value;
    }

    private int braced() {
        int value = 0;
        while (!took('}')) {
            value = 16 * value + digit(next());
            if (value > Character.MAX_CODE_POINT) {
                throw wrong("no character has that number");
            }
        }
        return value;
    }
}
