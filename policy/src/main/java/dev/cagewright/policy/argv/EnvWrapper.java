package dev.cagewright.policy.argv;

import dev.cagewright.policy.argv.Grammar.Token;
import dev.cagewright.policy.document.ExecSection;
import java.util.List;

/// `env`: variables, then a program. A whole command line in one argument (`-S`) is refused, and so are variables
/// that decide which code runs.
final class EnvWrapper implements Dialect {
    private static final Grammar GRAMMAR = Wrapper.grammar("""
            i 0 v u: C: S: a: ignore-environment null unset= chdir= split-string= argv0= block-signal? default-signal?
            ignore-signal? list-signal-handling debug help version""");

    @Override
    public Reading read(Command command) {
        int start = command.to();
        for (Token token : GRAMMAR.tokens(command)) {
            switch (token) {
                case Token.Option option -> {
                    if (option.isOneOf("S", "split-string") || option.known() == Grammar.Known.NO) {
                        var what = option.known() == Grammar.Known.NO
                                ? "an option that is not known here"
                                : "a whole command line in one argument";
                        return new Reading.Code(option.at(), "env takes " + what + " (" + option.dashed() + ")");
                    }
                }
                case Token.Operand operand -> start = operand.at();
            }
        }
        return afterOptions(command, start);
    }

    private static Reading afterOptions(Command command, int start) {
        int i = start;
        if (i < command.to() && command.word(i).equals("-")) {
            i++;
        }
        while (i < command.to() && command.word(i).indexOf('=') >= 0) {
            var assignment = command.word(i);
            var variable = assignment.substring(0, assignment.indexOf('='));
            if (ExecSection.decidesWhatRuns(variable)) {
                return new Reading.Code(i, "env sets " + variable + ", which decides what code runs");
            }
            i++;
        }
        return i < command.to() ? new Reading.Starts(List.of(command.startingAt(i))) : Reading.PLAIN;
    }
}
