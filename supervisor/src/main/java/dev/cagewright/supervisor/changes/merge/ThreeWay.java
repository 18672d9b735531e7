package dev.cagewright.supervisor.changes.merge;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.changes.diff.LineDiff;
import dev.cagewright.supervisor.changes.diff.LineDiff.Block;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Two changes of one text, line by line. Where only one of the two changed something, that counts; where both did, or
/// where their changes touch, they clash unless they came to the same.
///
/// @param parts in order; all of them together are the text
public record ThreeWay(List<Part> parts) {
    /// A run of lines.
    public sealed interface Part {
        /// What both agree on, or only one of them changed.
        record Settled(List<ByteString> lines) implements Part {
            public Settled {
                lines = List.copyOf(lines);
            }
        }

        /// What each made of the same lines.
        record Clash(List<ByteString> host, List<ByteString> base, List<ByteString> cage) implements Part {
            public Clash {
                host = List.copyOf(host);
                base = List.copyOf(base);
                cage = List.copyOf(cage);
            }
        }
    }

    public ThreeWay {
        parts = List.copyOf(parts);
    }

    /// Compares the three.
    public static ThreeWay of(byte[] base, byte[] host, byte[] cage) {
        return new Walk(LineDiff.of(base, host), LineDiff.of(base, cage)).run();
    }

    /// Is there no clash?
    public boolean isClean() {
        return clashes().isEmpty();
    }

    /// All clashes, in order.
    public List<Part.Clash> clashes() {
        return parts.stream()
                .filter(Part.Clash.class::isInstance)
                .map(Part.Clash.class::cast)
                .toList();
    }

    /// The text; where there are clashes, each between marks as `git merge` writes them with `conflictStyle=diff3`.
    public byte[] text() {
        var out = new ByteArrayOutputStream();
        for (Part part : parts) {
            switch (part) {
                case Part.Settled(var lines) -> lines.forEach(line -> out.writeBytes(line.toByteArray()));
                case Part.Clash clash -> marked(clash).forEach(line -> out.writeBytes(line.toByteArray()));
            }
        }
        return out.toByteArray();
    }

    /// A clash between marks, each line with its line feed.
    public static List<ByteString> marked(Part.Clash clash) {
        var lines = new ArrayList<ByteString>();
        lines.add(ByteString.of("<<<<<<< host\n"));
        ended(clash.host, lines);
        lines.add(ByteString.of("||||||| before the run\n"));
        ended(clash.base, lines);
        lines.add(ByteString.of("=======\n"));
        ended(clash.cage, lines);
        lines.add(ByteString.of(">>>>>>> cage\n"));
        return lines;
    }

    private static void ended(List<ByteString> from, List<ByteString> to) {
        for (ByteString line : from) {
            boolean hasEnd = line.size() > 0 && line.at(line.size() - 1) == '\n';
            to.add(hasEnd ? line : ByteString.copyOf((line.latin1() + "\n").getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    /// One side's blocks, and how far its lines are ahead of the base's.
    private static final class Side {
        private final LineDiff diff;
        private int next;
        private int ahead;

        Side(LineDiff diff) {
            this.diff = diff;
        }

        int nextFrom() {
            return next < diff.blocks().size() ? diff.blocks().get(next).beforeFrom() : Integer.MAX_VALUE;
        }

        /// Takes the next block in, and says where it ends in the base.
        int take() {
            Block block = diff.blocks().get(next++);
            ahead = block.afterTo() - block.beforeTo();
            return block.beforeTo();
        }

        List<ByteString> lines(int from, int to) {
            return diff.after().subList(from, to);
        }
    }

    private static final class Walk {
        private final List<ByteString> base;
        private final Side host;
        private final Side cage;
        private final List<Part> parts = new ArrayList<>();

        Walk(LineDiff host, LineDiff cage) {
            this.base = host.before();
            this.host = new Side(host);
            this.cage = new Side(cage);
        }

        ThreeWay run() {
            int at = 0;
            while (Math.min(host.nextFrom(), cage.nextFrom()) != Integer.MAX_VALUE) {
                int from = Math.min(host.nextFrom(), cage.nextFrom());
                settle(base.subList(at, from));
                at = meet(from);
            }
            settle(base.subList(at, base.size()));
            return new ThreeWay(parts);
        }

        /// All blocks that touch one another from `from` on; answers where they end.
        private int meet(int from) {
            int to = from;
            int hostFrom = from + host.ahead;
            int cageFrom = from + cage.ahead;
            int hostBlocks = host.next;
            int cageBlocks = cage.next;
            while (host.nextFrom() <= to || cage.nextFrom() <= to) {
                to = Math.max(to, host.nextFrom() <= to ? host.take() : cage.take());
            }
            var hosts = host.lines(hostFrom, to + host.ahead);
            var cages = cage.lines(cageFrom, to + cage.ahead);
            if (cage.next == cageBlocks || hosts.equals(cages)) {
                settle(hosts);
            } else if (host.next == hostBlocks) {
                settle(cages);
            } else {
                parts.add(new Part.Clash(hosts, base.subList(from, to), cages));
            }
            return to;
        }

        private void settle(List<ByteString> lines) {
            if (!lines.isEmpty()) {
                parts.add(new Part.Settled(lines));
            }
        }
    }
}
