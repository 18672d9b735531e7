package dev.cagewright.supervisor.policyfile.yaml;

import java.util.List;

/// A value in a file with the place where it starts. A tree of these has at most
/// [StrictReader#MAX_DEPTH] levels and [StrictReader#MAX_NODES] nodes, and no key twice in one mapping.
public sealed interface Node {
    Position at();

    /// What this is, for a message: `a list`, `a whole number`.
    String kind();

    /// A single value.
    record Scalar(String text, Notation notation, Position at) implements Node {
        /// What a YAML 1.2 core reader makes of this.
        public PlainType type() {
            return notation == Notation.PLAIN ? PlainType.of(text) : PlainType.STRING;
        }

        @Override
        public String kind() {
            return type().label();
        }
    }

    /// How a scalar stands in the file; only a plain one can be anything but a string.
    enum Notation {
        PLAIN,
        QUOTED,
        /// After `|` or `>`.
        BLOCK
    }

    record Sequence(List<Node> items, Position at) implements Node {
        @Override
        public String kind() {
            return "a list";
        }
    }

    record Mapping(List<Entry> entries, Position at) implements Node {
        @Override
        public String kind() {
            return "a mapping";
        }
    }

    record Entry(Scalar key, Node value) {}

    /// Where something was refused and reported already; nothing more is said about it.
    record Refused(Position at) implements Node {
        @Override
        public String kind() {
            return "something refused";
        }
    }
}
