package dev.cagewright.supervisor.policyfile.yaml;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// What an unquoted scalar is: YAML 1.2, chapter 10.3 (core schema). Older readers (YAML 1.1) see more
/// types; [#twoReadings] names both, for a refusal.
public enum PlainType {
    STRING("a string"),
    NULL("no value"),
    FLAG("true or false"),
    WHOLE("a whole number"),
    REAL("a number");

    private static final Pattern NULLS = Pattern.compile("null|Null|NULL|~|");
    private static final Pattern FLAGS = Pattern.compile("true|True|TRUE|false|False|FALSE");
    private static final Pattern WHOLES = Pattern.compile("[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+");
    private static final Pattern REALS = Pattern.compile(
            "[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

    private static final Map<Pattern, UnaryOperator<String>> OLDER = Map.of(
            Pattern.compile("y|Y|yes|Yes|YES|on|On|ON"), _ -> "true",
            Pattern.compile("n|N|no|No|NO|off|Off|OFF"), _ -> "false",
            Pattern.compile("[-+]?0[0-7]+"), text -> new BigInteger(text, 8).toString(),
            Pattern.compile("[-+]?0[0-9]*[89][0-9]*|0o[0-7]+|[-+]?[0-9]+[eE][-+]?[0-9]{1,2}"), _ -> "text",
            Pattern.compile("[-+]?[1-9][0-9]*_[0-9_]*"), text -> text.replace("_", ""),
            Pattern.compile("[0-9]+(:[0-5]?[0-9])+"), PlainType::base60,
            Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"), _ -> "a date");

    /// Beyond this no pattern is tried: no number a policy needs is longer.
    private static final int MAX_NUMBER = 64;

    private final String label;

    PlainType(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public static PlainType of(String text) {
        if (text.length() > MAX_NUMBER) {
            return STRING;
        }
        if (NULLS.matcher(text).matches()) {
            return NULL;
        }
        if (FLAGS.matcher(text).matches()) {
            return FLAG;
        }
        if (WHOLES.matcher(text).matches()) {
            return WHOLE;
        }
        return REALS.matcher(text).matches() ? REAL : STRING;
    }

    /// For a plain scalar that loaders disagree about: `0755 is 493 in YAML 1.1 and 755 in YAML 1.2`.
    public static Optional<String> twoReadings(String text) {
        return olderReading(text)
                .map(older -> text + " is " + older + " in YAML 1.1 and " + reading(text) + " in YAML 1.2");
    }

    private static String reading(String text) {
        return switch (of(text)) {
            case WHOLE -> wholeNumber(text).toString();
            case REAL -> new BigDecimal(text).toPlainString();
            case STRING, NULL, FLAG -> "text";
        };
    }

    private static BigInteger wholeNumber(String text) {
        return switch (text.length() > 1 ? text.charAt(1) : ' ') {
            case 'o' -> new BigInteger(text.substring(2), 8);
            case 'x' -> new BigInteger(text.substring(2), 16);
            default -> new BigInteger(text);
        };
    }

    /// What a YAML 1.1 reader makes of `text` where that differs from YAML 1.2.
    private static Optional<String> olderReading(String text) {
        if (text.length() > MAX_NUMBER) {
            return Optional.empty();
        }
        return OLDER.entrySet().stream()
                .filter(older -> older.getKey().matcher(text).matches())
                .map(older -> older.getValue().apply(text))
                .findFirst();
    }

    private static String base60(String text) {
        var sum = BigInteger.ZERO;
        for (String part : text.split(":", -1)) {
            sum = sum.multiply(BigInteger.valueOf(60)).add(new BigInteger(part));
        }
        return sum.toString();
    }
}
