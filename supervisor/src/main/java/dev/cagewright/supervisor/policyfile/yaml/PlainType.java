package dev.cagewright.supervisor.policyfile.yaml;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/// What an unquoted scalar is: YAML 1.2, chapter 10.3 (core schema). Older readers (YAML 1.1) see more
/// types; [#olderReading] names theirs, so that a refusal can show both.
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

    private static final Pattern OLD_TRUE = Pattern.compile("y|Y|yes|Yes|YES|on|On|ON");
    private static final Pattern OLD_FALSE = Pattern.compile("n|N|no|No|NO|off|Off|OFF");
    private static final Pattern OLD_OCTAL = Pattern.compile("[-+]?0[0-7]+");
    private static final Pattern OLD_GROUPED = Pattern.compile("[-+]?[1-9][0-9]*_[0-9_]*");
    private static final Pattern OLD_BASE_60 = Pattern.compile("[-+]?[0-9]+(:[0-5]?[0-9])+");
    private static final Pattern OLD_DATE = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}");

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

    /// What a YAML 1.1 reader makes of `text` where that differs from YAML 1.2, e.g. `493` for `0755`.
    public static Optional<String> olderReading(String text) {
        if (text.length() > MAX_NUMBER) {
            return Optional.empty();
        }
        if (OLD_TRUE.matcher(text).matches()) {
            return Optional.of("true");
        }
        if (OLD_FALSE.matcher(text).matches()) {
            return Optional.of("false");
        }
        if (OLD_OCTAL.matcher(text).matches()) {
            return octal(text);
        }
        if (OLD_GROUPED.matcher(text).matches()) {
            return Optional.of(text.replace("_", ""));
        }
        if (OLD_BASE_60.matcher(text).matches()) {
            return base60(text);
        }
        return OLD_DATE.matcher(text).matches() ? Optional.of("a date") : Optional.empty();
    }

    private static Optional<String> octal(String text) {
        return Optional.of(new BigInteger(text, 8).toString());
    }

    private static Optional<String> base60(String text) {
        var sum = BigInteger.ZERO;
        for (String part : text.replaceFirst("^[-+]", "").split(":", -1)) {
            sum = sum.multiply(BigInteger.valueOf(60)).add(new BigInteger(part));
        }
        return Optional.of((text.startsWith("-") ? "-" : "") + sum);
    }
}
