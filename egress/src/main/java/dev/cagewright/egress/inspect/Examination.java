package dev.cagewright.egress.inspect;

import dev.cagewright.policy.document.InspectSection.Reaction;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All inspectors of a cage at one message. Not after one has blocked. For one thread at a time; may take a while.
public final class Examination implements AutoCloseable {
    /// More findings of one message say nothing more.
    private static final int MOST_FINDINGS = 32;

    /// So many bytes take the product's own inspectors a fraction of a millisecond: a TLS record's worth.
    static final int QUICK = 16 * 1024;

    private final List<Part> parts;
    private final Inspection.Bounds bounds;
    private final Message message;
    private final Set<String> known = new HashSet<>();
    private final List<Finding> fresh = new ArrayList<>();
    private final Deque<Mark> marks = new ArrayDeque<>();
    private @Nullable Decoding decoding;
    private boolean isHeadSeen;
    private boolean isBlind;
    private long taken;
    private long shown;
    private long released;

    /// An inspector and its look.
    private record Part(String name, Look look) {
        boolean isOwn() {
            return Inspection.KEYS.contains(name);
        }
    }

    /// So much was taken when so much had been shown.
    private record Mark(long taken, long shown) {}

    private Examination(List<Part> parts, Inspection.Bounds bounds, Message message) {
        this.parts = List.copyOf(parts);
        this.bounds = bounds;
        this.message = message;
    }

    static Examination of(List<Inspector> inspectors, Inspection.Bounds bounds, Message message) {
        var parts = new ArrayList<Part>();
        for (var inspector : inspectors) {
            parts.add(new Part(inspector.name(), begun(inspector, message)));
        }
        return new Examination(parts, bounds, message);
    }

    private static Look begun(Inspector inspector, Message message) {
        try {
            return inspector.begin(message);
        } catch (RuntimeException | Error _) {
            return new Broken();
        }
    }

    /// What cannot begin to look lets nothing through.
    private static final class Broken implements Look {
        @Override
        public Verdict head() {
            return Verdict.block("failed", 0);
        }
    }

    /// Looks at the head.
    ///
    /// @return what is new
    public List<Finding> head() {
        lookAtHead();
        return taken();
    }

    private void lookAtHead() {
        isHeadSeen = true;
        for (var part : parts) {
            ask(part, headPlace(), part.look()::head);
        }
    }

    @FunctionalInterface
    private interface Question {
        Verdict ask();
    }

    private void ask(Part part, Finding.Place place, Question question) {
        Verdict verdict;
        try {
            verdict = question.ask();
        } catch (RuntimeException | Error _) {
            verdict = Verdict.block("failed", shown);
        }
        for (var sighting : verdict.sightings()) {
            add(new Finding(sighting.severity(), part.name(), kind(part, sighting), place, sighting.at()));
        }
    }

    /// The built-in inspectors say themselves which key of a policy it is.
    private static String kind(Part part, Sighting sighting) {
        return part.isOwn() && !sighting.kind().equals("failed")
                ? sighting.kind()
                : part.name() + "." + sighting.kind();
    }

    private void add(Finding finding) {
        boolean isNew = known.size() < MOST_FINDINGS
                && known.add(finding.severity() + finding.place().word() + finding.kind());
        if (isNew || finding.blocks()) {
            fresh.add(finding);
        }
    }

    private List<Finding> taken() {
        if (fresh.isEmpty()) {
            return List.of();
        }
        var all = List.copyOf(fresh);
        fresh.clear();
        return all;
    }

    /// Looks at the next bytes of the body; before the first, at the head if nobody has.
    ///
    /// @return what is new
    public List<Finding> next(byte[] bytes, int from, int to) {
        taken += to - from;
        if (!isHeadSeen) {
            lookAtHead();
        }
        if (!isBlind && to > from) {
            try {
                decoding().next(bytes, from, to, this::show);
            } catch (UnreadableException e) {
                blind(e.kind());
            }
            marks.addLast(new Mark(taken, shown));
        }
        return taken();
    }

    /// Do the next `bytes` of the body take so little that an event loop may look at them? What is decoded may become
    /// a thousand times as much.
    public boolean isQuick(int bytes) {
        if (bytes > QUICK || !parts.stream().allMatch(Part::isOwn)) {
            return false;
        }
        try {
            return bytes == 0 || isBlind || decoding() instanceof Decoding.Plain;
        } catch (UnreadableException _) {
            return true;
        }
    }

    private Decoding decoding() throws UnreadableException {
        var begun = decoding;
        if (begun == null) {
            begun = Decoding.of(message);
            decoding = begun;
        }
        return begun;
    }

    private Finding.Place headPlace() {
        return message.direction() == Message.Direction.ANSWER ? Finding.Place.ANSWER : Finding.Place.HEAD;
    }

    private Finding.Place place() {
        return message.direction() == Message.Direction.ANSWER ? Finding.Place.ANSWER : Finding.Place.BODY;
    }

    private void show(byte[] bytes, int from, int to) {
        if (isBlind) {
            return;
        }
        int count = (int) Math.min(to - from, bounds.most() - shown);
        if (count > 0) {
            for (var part : parts) {
                var piece = ByteBuffer.wrap(bytes, from, count).slice().asReadOnlyBuffer();
                ask(part, place(), () -> part.look().next(piece));
            }
            shown += count;
        }
        if (count < to - from) {
            blind("body.size");
        }
    }

    private void blind(String kind) {
        isBlind = true;
        var reaction = kind.startsWith("bombs.") ? bounds.bombs() : bounds.unread();
        unread(reaction, kind, shown)
                .map(found -> new Finding(found.severity(), found.inspector(), found.kind(), place(), found.at()))
                .ifPresent(this::add);
    }

    static Optional<Finding> unread(Reaction reaction, String kind, long at) {
        return Reactions.severity(reaction)
                .map(severity -> new Finding(severity, "body", kind, Finding.Place.BODY, at));
    }

    /// The body is over.
    ///
    /// @return what is new
    public List<Finding> end() {
        if (!isBlind) {
            try {
                if (taken > 0) {
                    decoding().end();
                }
                for (var part : parts) {
                    ask(part, place(), part.look()::end);
                }
            } catch (UnreadableException e) {
                blind(e.kind());
            }
        }
        return taken();
    }

    /// Looks at the fields behind the body, after its end.
    ///
    /// @return what is new
    public List<Finding> trailers(List<Map.Entry<String, String>> fields) {
        boolean isAnswer = message.direction() == Message.Direction.ANSWER;
        for (var part : parts) {
            ask(
                    part,
                    isAnswer ? Finding.Place.ANSWER : Finding.Place.TRAILERS,
                    () -> part.look().trailers(fields));
        }
        return taken();
    }

    /// How much of the body may go on.
    public long clearedTo() {
        if (isBlind) {
            return taken;
        }
        long cleared = shown;
        for (var part : parts) {
            cleared = Math.min(cleared, part.look().clearedTo());
        }
        if (decoding instanceof Decoding.Plain) {
            marks.clear();
            return cleared;
        }
        long may = 0;
        while (!marks.isEmpty() && marks.getFirst().shown() <= cleared) {
            may = marks.removeFirst().taken();
        }
        released = Math.max(released, may);
        return released;
    }

    @Override
    public void close() {
        if (decoding != null) {
            decoding.close();
        }
    }
}
