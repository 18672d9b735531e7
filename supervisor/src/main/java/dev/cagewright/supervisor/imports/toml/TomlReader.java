package dev.cagewright.supervisor.imports.toml;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;
import java.util.ArrayList;
import java.util.List;

/// Reads TOML 1.0 into a mapping. Strings are quoted scalars, everything else plain ones with whole numbers in decimal.
/// At most [StrictReader#MAX_DEPTH] levels and [StrictReader#MAX_NODES] values; keys and strings as long as in a
/// policy. One text, one thread.
public final class TomlReader {
    private final Cursor in;
    private final Values values;
    private final Table.Keys root = new Table.Keys(Table.Origin.HEADER, Position.START);

    private TomlReader(String text) {
        this.in = new Cursor(text);
        this.values = new Values(in);
    }

    /// The mapping that `text` is.
    ///
    /// @param text checked for characters already
    /// @throws TomlException for the first thing that is wrong
    public static Node.Mapping read(String text) throws TomlException {
        return new TomlReader(text).document();
    }

    private Node.Mapping document() throws TomlException {
        var here = root;
        in.space();
        while (!in.isAtEnd()) {
            if (in.takes("[[")) {
                here = arrayHeader();
            } else if (in.takes("[")) {
                here = header();
            } else {
                values.keyValue(here);
            }
            in.endOfLine();
            in.space();
        }
        return (Node.Mapping) root.node();
    }

    private Table.Keys header() throws TomlException {
        var at = in.position();
        var path = path("]");
        var parent = parent(path);
        var last = path.getLast();
        var known = parent.entries().get(last);
        if (known == null) {
            var made = new Table.Keys(Table.Origin.HEADER, at);
            parent.entries().put(last, new Table.Entry.Grows(at, made));
            return made;
        }
        if (known instanceof Table.Entry.Grows(Position _, Table.Keys table)
                && table.origin() == Table.Origin.IMPLIED) {
            table.named();
            return table;
        }
        throw new TomlException(at, "table " + name(path) + " is there already, at " + known.at());
    }

    private Table.Keys arrayHeader() throws TomlException {
        var at = in.position();
        var path = path("]]");
        var parent = parent(path);
        var last = path.getLast();
        var known = parent.entries().computeIfAbsent(last, _ -> new Table.Entry.Grows(at, new Table.Many(at)));
        if (known instanceof Table.Entry.Grows(Position _, Table.Many many)) {
            var made = new Table.Keys(Table.Origin.HEADER, at);
            values.count();
            many.tables().add(made);
            return made;
        }
        throw new TomlException(at, name(path) + " is there already and no array of tables, at " + known.at());
    }

    private List<String> path(String end) throws TomlException {
        var path = values.keys();
        if (!in.takes(end)) {
            throw in.wrong("a header that does not end with " + end);
        }
        return path;
    }

    /// The table that the last word of `path` stands in, made where it is missing.
    private Table.Keys parent(List<String> path) throws TomlException {
        var here = root;
        for (String word : path.subList(0, path.size() - 1)) {
            var at = in.position();
            var known = here.entries()
                    .computeIfAbsent(word, _ -> new Table.Entry.Grows(at, new Table.Keys(Table.Origin.IMPLIED, at)));
            here = switch (known) {
                case Table.Entry.Grows(Position _, Table.Keys table) -> table;
                case Table.Entry.Grows(Position _, Table.Many many) ->
                    many.tables().getLast();
                case Table.Entry.Value value ->
                    throw in.wrong(Quoted.of(word) + " is a value already, at " + value.at());
            };
        }
        return here;
    }

    private static String name(List<String> path) {
        return Quoted.of(String.join(".", new ArrayList<>(path)));
    }
}
