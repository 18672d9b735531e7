package dev.cagewright.supervisor.imports.toml;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A table or an array of tables while a text is read. One thread.
sealed interface Table {
    Node node();

    /// Who made a table decides who may add to it.
    enum Origin {
        /// On the way to another, `a` of `[a.b]`.
        IMPLIED,
        /// By a header of its own.
        HEADER,
        /// By a dotted key, `a` of `a.b = 1`.
        DOTTED
    }

    /// A table with keys.
    final class Keys implements Table {
        private final Map<String, Entry> entries = new LinkedHashMap<>();
        private final Position at;
        private Origin origin;

        Keys(Origin origin, Position at) {
            this.origin = origin;
            this.at = at;
        }

        Origin origin() {
            return origin;
        }

        /// A header names what was implied before.
        void named() {
            origin = Origin.HEADER;
        }

        Map<String, Entry> entries() {
            return entries;
        }

        @Override
        public Node node() {
            var nodes = new ArrayList<Node.Entry>();
            entries.forEach((key, entry) -> {
                var name = new Node.Scalar(key, Node.Notation.QUOTED, entry.at(), entry.at());
                nodes.add(new Node.Entry(name, entry.node()));
            });
            return new Node.Mapping(List.copyOf(nodes), Node.Layout.BLOCK, at, at);
        }
    }

    /// Tables of `[[a]]`.
    final class Many implements Table {
        private final List<Keys> tables = new ArrayList<>();
        private final Position at;

        Many(Position at) {
            this.at = at;
        }

        List<Keys> tables() {
            return tables;
        }

        @Override
        public Node node() {
            return new Node.Sequence(tables.stream().map(Keys::node).toList(), Node.Layout.BLOCK, at, at);
        }
    }

    /// What a key has: a table that may grow, or a value that may not.
    sealed interface Entry {
        Position at();

        Node node();

        record Grows(Position at, Table table) implements Entry {
            @Override
            public Node node() {
                return table.node();
            }
        }

        record Value(Position at, Node node) implements Entry {}
    }
}
