package dev.cagewright.policy.argv;

import dev.cagewright.policy.argv.Grammar.Token;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Programs that start the program in their arguments. An option that the grammar does not know is refused, for
/// whether it takes a value decides which element the program is.
///
/// @param grammar which options there are; the first operand ends them
/// @param operands how many operands stand before the program
/// @param code options that bring code, with what they bring
record Wrapper(Grammar grammar, int operands, Map<String, String> code) implements Dialect {

    static Wrapper of(int operands, String options, Map<String, String> code) {
        return new Wrapper(grammar(options), operands, code);
    }

    static Wrapper of(int operands, String options) {
        return of(operands, options, Map.of());
    }

    static Grammar grammar(String options) {
        return Grammar.of(Grammar.Order.OPTIONS_FIRST, Grammar.Abbreviation.ACCEPTED, options);
    }

    @Override
    public Reading read(Command command) {
        var wrapper = command.program().base();
        for (Token token : grammar.tokens(command)) {
            switch (token) {
                case Token.Option option -> {
                    var what = trouble(option);
                    if (what != null) {
                        return new Reading.Code(option.at(), wrapper + " takes " + what + " (" + option.dashed() + ")");
                    }
                }
                case Token.Operand operand -> {
                    return started(command, operand.at() + operands);
                }
            }
        }
        return Reading.PLAIN;
    }

    private @Nullable String trouble(Token.Option option) {
        var what = code.get(option.name());
        if (what != null) {
            return what;
        }
        boolean isNumber = option.name().matches("[0-9]");
        return option.known() == Grammar.Known.YES || isNumber ? null : "an option that is not known here";
    }

    private Reading started(Command command, int at) {
        if (at >= command.to()) {
            return Reading.PLAIN;
        }
        var inner = command.startingAt(at);
        if (inner.word(at).startsWith("-")) {
            return new Reading.Code(at, command.program().base() + " is given an option where a program is expected");
        }
        return new Reading.Starts(List.of(inner));
    }
}
