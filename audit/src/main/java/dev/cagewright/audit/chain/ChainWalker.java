package dev.cagewright.audit.chain;

import dev.cagewright.audit.event.LineDigest;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.event.LogLine;

/// Takes one line after the other and refuses the first that does not follow. Constant memory. Not safe for several
/// threads.
public final class ChainWalker {
    /// What a line behind the last one of a frozen log is told.
    public static final String FROZEN = "log extended after panic freeze";

    private final LineDigest digest = new LineDigest();
    private Head head;
    private Freeze freeze;

    /// Whether a panic was seen.
    public enum Freeze {
        OPEN,
        FROZEN,
        /// The panic has its seal.
        SEALED
    }

    /// Goes on behind `head`.
    ///
    /// @param head the last line that is known to be right
    public ChainWalker(Head head, Freeze freeze) {
        this.head = head;
        this.freeze = freeze;
    }

    public static ChainWalker fromStart() {
        return new ChainWalker(Head.START, Freeze.OPEN);
    }

    /// The last line that was right.
    public Head head() {
        return head;
    }

    public Freeze freeze() {
        return freeze;
    }

    /// Takes the next line, which had a line end.
    ///
    /// @param line without its line end; must not change afterwards
    public LogLine next(byte[] line) throws BrokenChainException {
        if (freeze == Freeze.SEALED) {
            throw broken(FROZEN);
        }
        var parsed = parseAllowed(line);
        follows(parsed);
        if (!parsed.hash().equals(digest.hash(head.hash(), line))) {
            throw broken("the line's bytes do not give its hash");
        }
        if (parsed.seq() == 1 && !LogActions.is(LogActions.BEGIN, parsed.event())) {
            throw broken("the first line does not begin a log");
        }
        if (freeze == Freeze.FROZEN) {
            freeze = Freeze.SEALED;
        } else if (LogActions.is(LogActions.PANIC, parsed.event())) {
            freeze = Freeze.FROZEN;
        }
        head = new Head(parsed.seq(), parsed.hash(), parsed.time(), head.end() + line.length + 1);
        return parsed;
    }

    /// Behind a panic there is room for a seal alone.
    private LogLine parseAllowed(byte[] line) throws BrokenChainException {
        if (freeze == Freeze.OPEN) {
            return parse(line);
        }
        try {
            var seal = LineFormat.parse(line);
            boolean ends = seal.event().detail().text("part").orElse("").equals("end");
            if (ends && LogActions.is(LogActions.SEAL, seal.event())) {
                return seal;
            }
        } catch (LineSyntaxException _) {
            // whatever it is, it is no seal
        }
        throw broken(FROZEN);
    }

    private LogLine parse(byte[] line) throws BrokenChainException {
        try {
            return LineFormat.parse(line);
        } catch (LineSyntaxException e) {
            var broken = broken("the line cannot be read: " + e.getMessage());
            broken.initCause(e);
            throw broken;
        }
    }

    private void follows(LogLine line) throws BrokenChainException {
        if (line.seq() != head.seq() + 1) {
            throw broken("seq is " + line.seq() + " where " + (head.seq() + 1) + " must follow");
        }
        if (!line.prev().equals(head.hash())) {
            throw broken("prev is not the hash of the line above");
        }
        if (line.time().isBefore(head.time())) {
            throw broken("time goes backwards");
        }
    }

    private BrokenChainException broken(String reason) {
        return new BrokenChainException(head.seq() + 1, head.end(), reason);
    }
}
