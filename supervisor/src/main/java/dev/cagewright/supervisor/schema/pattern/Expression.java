package dev.cagewright.supervisor.schema.pattern;

import java.util.List;

/// A regular expression as it is written.
sealed interface Expression {
    /// One character out of a set.
    record OneOf(CodeSet set) implements Expression {}

    /// One after the other; without any, nothing.
    record Row(List<Expression> parts) implements Expression {}

    /// Any one of them.
    record Choice(List<Expression> parts) implements Expression {}

    /// So many times.
    ///
    /// @param most [#OPEN] for no most
    record Times(Expression part, int least, int most) implements Expression {
        static final int OPEN = -1;
    }

    /// Where a text begins.
    record Begin() implements Expression {}

    /// Where a text ends.
    record End() implements Expression {}
}
