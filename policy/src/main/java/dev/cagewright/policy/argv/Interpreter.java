package dev.cagewright.policy.argv;

import dev.cagewright.policy.argv.Grammar.Token;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Interpreters: a script file is allowed, code in the arguments or on standard input is not.
///
/// @param grammar which options there are
/// @param code options that bring code, with what they bring
/// @param plain options that are harmless only with such values
record Interpreter(Grammar grammar, Map<String, String> code, Map<String, Pattern> plain) implements Dialect {
    private static final Pattern STANDARD_INPUT =
            Pattern.compile("-|/dev/stdin|/dev/fd/.*|/proc/[^/]+/(task/[^/]+/)?fd/.*");

    static Interpreter of(String options, Map<String, String> code, Map<String, Pattern> plain) {
        return new Interpreter(
                Grammar.of(Grammar.Order.OPTIONS_FIRST, Grammar.Abbreviation.REFUSED, options), code, plain);
    }

    @Override
    public boolean takesCode() {
        return true;
    }

    @Override
    public Reading read(Command command) {
        var program = command.program().base();
        for (Token token : grammar.tokens(command)) {
            switch (token) {
                case Token.Option option -> {
                    var what = codeIn(option);
                    if (what != null) {
                        return new Reading.Code(option.at(), program + " takes " + what + " (" + option.dashed() + ")");
                    }
                }
                case Token.Operand operand -> {
                    if (STANDARD_INPUT.matcher(operand.text()).matches()) {
                        return new Reading.Code(operand.at(), program + " takes its program from a descriptor");
                    }
                }
            }
        }
        return Reading.PLAIN;
    }

    private @Nullable String codeIn(Token.Option option) {
        var what = code.get(option.name().replace('_', '-'));
        if (what != null) {
            return what;
        }
        var harmless = plain.get(option.name());
        var value = option.value();
        return harmless == null || value == null || harmless.matcher(value).matches()
                ? null
                : "a value that can load code";
    }
}
