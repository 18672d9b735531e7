package dev.cagewright.policy.argv;

import dev.cagewright.policy.argv.Grammar.Token;

/// `sed`: its scripts are read, and those that run commands or write files of their own naming are refused. A script
/// in a file is refused unread. `-i` is allowed: what may be written is the cage's matter.
final class Sed implements Dialect {
    private static final Grammar GRAMMAR = Grammar.of(Grammar.Order.MIXED, Grammar.Abbreviation.ACCEPTED, """
            n r E s u z i? e: f: l: quiet silent regexp-extended separate unbuffered null-data in-place? expression=
            file= line-length= debug posix sandbox follow-symlinks binary zero-terminated help version""");

    @Override
    public Reading read(Command command) {
        var script = new StringBuilder();
        int at = -1;
        int firstOperand = -1;
        for (Token token : GRAMMAR.tokens(command)) {
            switch (token) {
                case Token.Option option -> {
                    if (option.isOneOf("f", "file") || option.known() == Grammar.Known.NO) {
                        return new Reading.Code(
                                option.at(), "sed takes a script that is not read here (" + option.dashed() + ")");
                    }
                    if (option.isOneOf("e", "expression") && option.value() != null) {
                        script.append(at < 0 ? "" : "\n").append(option.value());
                        at = option.at();
                    }
                }
                case Token.Operand operand -> firstOperand = firstOperand < 0 ? operand.at() : firstOperand;
            }
        }
        if (at < 0 && firstOperand >= 0) {
            script.append(command.word(firstOperand));
            at = firstOperand;
        }
        var what = at < 0 ? "" : SedScript.codeIn(script.toString());
        return what.isEmpty() ? Reading.PLAIN : new Reading.Code(at, "sed takes a script that " + what);
    }
}
