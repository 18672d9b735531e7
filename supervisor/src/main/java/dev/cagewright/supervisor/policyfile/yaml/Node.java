package dev.cagewright.supervisor.policyfile.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A value in a file with the place where it starts. A tree of these has at most
/// [StrictReader#MAX_DEPTH] levels and [StrictReader#MAX_NODES] nodes, and no key twice in one mapping.
public sealed interface Node {
    Position at();

    /// What this is, for a message: `a list`, `a whole number`.
    String kind();

    /// A string that stands in no file yet.
    static Node text(String text) {
        return new Scalar(text, Notation.QUOTED, Position.START, Position.START);
    }

    /// A whole number that stands in no file yet.
    static Node whole(int number) {
        return new Scalar(String.valueOf(number), Notation.PLAIN, Position.START, Position.START);
    }

    /// A list that stands in no file yet.
    static Node list(List<Node> items) {
        return new Sequence(List.copyOf(items), Layout.FLOW, Position.START, Position.START);
    }

    /// A mapping of one key that stands in no file yet.
    static Mapping mapping(String key, Node value) {
        return new Mapping(List.of(entry(key, value)), Layout.FLOW, Position.START, Position.START);
    }

    private static Entry entry(String key, Node value) {
        return new Entry(new Scalar(key, Notation.QUOTED, Position.START, Position.START), value);
    }

    /// A single value.
    ///
    /// @param end just behind it
    record Scalar(String text, Notation notation, Position at, Position end) implements Node {
        /// What a YAML 1.2 core reader makes of this.
        public PlainType type() {
            return notation == Notation.PLAIN ? PlainType.of(text) : PlainType.STRING;
        }

        @Override
        public String kind() {
            return type().label();
        }
    }

    /// How a list or mapping stands in the file.
    enum Layout {
        /// By indentation.
        BLOCK,
        /// In brackets.
        FLOW
    }

    /// How a scalar stands in the file; only a plain one can be anything but a string.
    enum Notation {
        PLAIN,
        QUOTED,
        /// After `|` or `>`.
        BLOCK
    }

    /// A list.
    ///
    /// @param end of a flow list its closing bracket; of a block list where the next thing starts
    record Sequence(List<Node> items, Layout layout, Position at, Position end) implements Node {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /// Keys and values in the order of the file.
    ///
    /// @param end of a flow mapping its closing brace; of a block mapping where the next thing starts
    record Mapping(List<Entry> entries, Layout layout, Position at, Position end) implements Node {
        /// This mapping with one more key.
        public Mapping and(String key, Node value) {
            var more = new ArrayList<>(entries);
            more.add(entry(key, value));
            return new Mapping(List.copyOf(more), layout, at, end);
        }

        /// The value of `key`, if it is there.
        public Optional<Node> find(String key) {
            return entries.stream()
                    .filter(entry -> entry.key().text().equals(key))
                    .map(Entry::value)
                    .findFirst();
        }

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
