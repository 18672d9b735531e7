package dev.cagewright.supervisor.policyfile.yaml;

import java.io.Serial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// Reads one YAML 1.2 document (so JSON too) into [Node]s and nothing else: no object is made, no tag,
/// anchor, alias, merge key or directive is followed, no key stands twice. Built on the parser's events, whose
/// own loader has no limit of depth. What is wrong but leaves the structure readable is collected; what
/// does not ends the reading.
public final class StrictReader {
    public static final int MAX_DEPTH = 32;
    public static final int MAX_NODES = 20_000;

    /// Code points of a key, and of any other scalar.
    public static final int MAX_KEY = 256;

    public static final int MAX_SCALAR = 65_536;

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setUseMarks(true)
            .setParseComments(false)
            .setCodePointLimit(SourceText.MAX_BYTES)
            .build();

    /// The reading ends here; why is in the problems.
    private static final class UnreadableException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    private final ParserImpl parser;
    private final Problems problems;
    private int nodes;
    private Position last = Position.START;

    private StrictReader(SourceText source, Problems problems) {
        this.parser = new ParserImpl(SETTINGS, new StreamReader(SETTINGS, source.text()));
        this.problems = problems;
    }

    /// The document's root; empty if there is no document (nothing, or only comments), or if its structure
    /// could not be read, which is then the last of `problems`.
    ///
    /// @param problems receives what is wrong
    public static Optional<Node> read(SourceText source, Problems problems) {
        try {
            return new StrictReader(source, problems).readDocument();
        } catch (UnreadableException _) {
            // what it is was added to the problems where it was found
        }
        return Optional.empty();
    }

    private Optional<Node> readDocument() throws UnreadableException {
        next();
        if (!(next() instanceof DocumentStartEvent start)) {
            return Optional.empty();
        }
        refuseDirectives(start);
        var root = readNode(next(), 1);
        next();
        var next = next();
        if (next instanceof DocumentStartEvent) {
            problems.add(position(next), "a second document starts here", "a file holds one; remove the rest");
        }
        return Optional.of(root);
    }

    /// A `---` alone is three characters; with directives the event starts at the first of them.
    private void refuseDirectives(DocumentStartEvent start) {
        int length =
                mark(start.getEndMark()).getIndex() - mark(start.getStartMark()).getIndex();
        if (length > 3) {
            problems.add(position(start), "a directive is not allowed", "remove the lines that start with %");
        }
    }

    private Node readNode(Event event, int depth) throws UnreadableException {
        if (depth > MAX_DEPTH) {
            throw fatal(position(event), "nested deeper than " + MAX_DEPTH + " levels", "no file needs that");
        }
        if (++nodes > MAX_NODES) {
            throw fatal(position(event), "more than " + MAX_NODES + " values", "split the file");
        }
        if (event instanceof AliasEvent alias) {
            problems.add(
                    position(event),
                    "alias *" + Quoted.bare(alias.getAlias().getValue()) + " is not allowed",
                    "write the value itself");
            return new Node.Refused(position(event));
        }
        refuseAnchorAndTag((NodeEvent) event);
        return switch (event) {
            case ScalarEvent scalar -> readScalar(scalar, MAX_SCALAR);
            case CollectionStartEvent start
            when start.getEventId() == Event.ID.SequenceStart -> readSequence(start, depth);
            case CollectionStartEvent start -> readMapping(start, depth);
            default ->
                throw new IllegalStateException("event: " + event.getEventId() + " (expected: the start of a value)");
        };
    }

    private void refuseAnchorAndTag(NodeEvent event) {
        event.getAnchor()
                .ifPresent(anchor -> problems.add(
                        position(event),
                        "anchor &" + Quoted.bare(anchor.getValue()) + " is not allowed",
                        "remove it and write each value where it is needed"));
        tag(event)
                .ifPresent(tag -> problems.add(
                        position(event),
                        "tag " + Quoted.bare(tag) + " is not allowed",
                        "remove it; only plain text, numbers, lists and mappings are read"));
    }

    private static Optional<String> tag(NodeEvent event) {
        return switch (event) {
            case ScalarEvent scalar -> scalar.getTag();
            case CollectionStartEvent collection -> collection.getTag();
            default -> Optional.empty();
        };
    }

    private Node.Scalar readScalar(ScalarEvent event, int longest) throws UnreadableException {
        var text = event.getValue();
        int length = text.codePointCount(0, text.length());
        if (length > longest) {
            throw fatal(
                    position(event),
                    (longest == MAX_KEY ? "key" : "value") + " of " + length + " characters",
                    "at most " + longest);
        }
        if (text.codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)) {
            problems.add(position(event), "half of a surrogate pair is not text", "write the character itself");
        }
        return new Node.Scalar(text, notation(event), position(event), end(event));
    }

    private static Node.Notation notation(ScalarEvent event) {
        if (event.isPlain()) {
            return Node.Notation.PLAIN;
        }
        return event.isLiteral() || event.isFolded() ? Node.Notation.BLOCK : Node.Notation.QUOTED;
    }

    private Node readSequence(CollectionStartEvent start, int depth) throws UnreadableException {
        var items = new ArrayList<Node>();
        var event = next();
        while (event.getEventId() != Event.ID.SequenceEnd) {
            items.add(readNode(event, depth + 1));
            event = next();
        }
        return new Node.Sequence(List.copyOf(items), layout(start), position(start), position(event));
    }

    private Node readMapping(CollectionStartEvent start, int depth) throws UnreadableException {
        var entries = new ArrayList<Node.Entry>();
        var first = new HashMap<String, Position>();
        var event = next();
        while (event.getEventId() != Event.ID.MappingEnd) {
            var key = readKey(event, depth);
            var value = readNode(next(), depth + 1);
            if (key.isPresent() && isNew(key.get(), first)) {
                entries.add(new Node.Entry(key.get(), value));
            }
            event = next();
        }
        return new Node.Mapping(List.copyOf(entries), layout(start), position(start), position(event));
    }

    private static Node.Layout layout(CollectionStartEvent start) {
        return start.isFlow() ? Node.Layout.FLOW : Node.Layout.BLOCK;
    }

    private Optional<Node.Scalar> readKey(Event event, int depth) throws UnreadableException {
        if (!(event instanceof ScalarEvent scalar)) {
            if (!(readNode(event, depth + 1) instanceof Node.Refused)) {
                problems.add(position(event), "a list or mapping cannot be a key", "quote text with brackets");
            }
            return Optional.empty();
        }
        nodes++;
        refuseAnchorAndTag(scalar);
        var key = readScalar(scalar, MAX_KEY);
        if (key.text().equals("<<") && key.notation() == Node.Notation.PLAIN) {
            problems.add(key.at(), "merge key << is not allowed", "write the keys themselves");
            return Optional.empty();
        }
        return Optional.of(key);
    }

    private boolean isNew(Node.Scalar key, Map<String, Position> first) {
        var earlier = first.putIfAbsent(key.text(), key.at());
        if (earlier != null) {
            problems.add(
                    key.at(), "duplicate key " + Quoted.of(key.text()), "first at " + earlier + "; keep one of them");
        }
        return earlier == null;
    }

    /// The parser's own numbers overflow on an escape such as `\UFFFFFFFF`: it then throws what is no complaint
    /// about a place.
    private Event next() throws UnreadableException {
        try {
            var event = parser.next();
            last = end(event);
            return event;
        } catch (YamlEngineException e) {
            ParserComplaint.of(e).addTo(problems);
            throw new UnreadableException();
        } catch (RuntimeException _) {
            throw fatal(last, "what follows here cannot be read", "look for an escape that names no character");
        }
    }

    private UnreadableException fatal(Position at, String message, String hint) {
        problems.add(at, message, hint);
        return new UnreadableException();
    }

    private static Position position(Event event) {
        return ParserComplaint.position(mark(event.getStartMark()));
    }

    private static Position end(Event event) {
        return ParserComplaint.position(mark(event.getEndMark()));
    }

    private static Mark mark(Optional<Mark> mark) {
        return mark.orElseThrow(() -> new IllegalStateException("event: no mark (expected: the marks asked for)"));
    }
}
