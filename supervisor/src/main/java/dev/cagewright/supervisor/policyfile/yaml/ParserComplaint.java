package dev.cagewright.supervisor.policyfile.yaml;

import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// What the YAML parser said, put into words of the person who wrote the file.
record ParserComplaint(Position at, String message, String hint) {
    /// Which of the parser's two places helps.
    private enum Where {
        HERE,
        /// Where the thing that is not complete begins.
        OPENING
    }

    /// The parser's wording, ours, and what to do.
    private record Wording(String theirs, Where where, String ours, String hint) {
        Wording(String theirs, String ours, String hint) {
            this(theirs, Where.HERE, ours, hint);
        }
    }

    private static final List<Wording> WORDINGS = List.of(
            new Wording("'\\t(TAB)'", "a tab cannot indent", "use spaces"),
            new Wording(
                    "mapping values are not allowed",
                    "a second \": \" in one value",
                    "quote the text, or start the key on its own line at the right depth"),
            new Wording("that cannot start any token", "a value cannot start with this character", "put it in quotes"),
            new Wording(
                    "could not find expected ':'",
                    Where.OPENING,
                    "a line that is neither a key nor an item",
                    "a key ends in \": \", an item starts with \"- \""),
            new Wording(
                    "unexpected end of stream",
                    Where.OPENING,
                    "a quote is opened and never closed",
                    "close it on the same line"),
            new Wording("expected ',' or ']'", Where.OPENING, "a list is not closed", "add the missing \",\" or \"]\""),
            new Wording(
                    "expected ',' or '}'", Where.OPENING, "a mapping is not closed", "add the missing \",\" or \"}\""),
            new Wording(
                    "expected <block end>",
                    "the indentation fits no line above",
                    "indent keys of one mapping, and items of one list, alike"),
            new Wording(
                    "expected '<document start>'", "text after the end of the document", "a file holds one document"),
            new Wording("undefined tag handle", "a tag is not allowed", "remove the word that starts with \"!\""));

    static ParserComplaint of(YamlEngineException e) {
        if (!(e instanceof MarkedYamlEngineException marked)) {
            return unknown(Position.START, String.valueOf(e.getMessage()));
        }
        var theirs = String.valueOf(marked.getProblem());
        var here = marked.getProblemMark().or(marked::getContextMark).map(ParserComplaint::position);
        var opening = marked.getContextMark().or(marked::getProblemMark).map(ParserComplaint::position);
        return known(theirs)
                .map(wording -> new ParserComplaint(
                        (wording.where() == Where.HERE ? here : opening).orElse(Position.START),
                        wording.ours(),
                        wording.hint()))
                .orElseGet(() -> unknown(here.orElse(Position.START), theirs));
    }

    private static ParserComplaint unknown(Position at, String theirs) {
        return new ParserComplaint(
                at, "not YAML: " + Quoted.bare(theirs), "check indentation, quotes and brackets here");
    }

    private static Optional<Wording> known(String theirs) {
        return WORDINGS.stream()
                .filter(wording -> theirs.contains(wording.theirs()))
                .findFirst();
    }

    static Position position(Mark mark) {
        return new Position(mark.getLine() + 1, mark.getColumn() + 1);
    }

    void addTo(Problems problems) {
        problems.add(at, message, hint);
    }
}
