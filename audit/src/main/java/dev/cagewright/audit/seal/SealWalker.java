package dev.cagewright.audit.seal;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.key.SealKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Takes a log's lines from the first on and refuses the first seal that is not what it must be. Without the key it
/// holds their form and order alone. Memory grows with the epochs that have no end. Not safe for several threads.
public final class SealWalker implements AutoCloseable {
    /// How many epochs may be without an end at once; no writer makes more than [SealState#MAX_OPEN].
    private static final int MAX_OPEN = 65_536;

    private static final int HIDDEN = LineFormat.PREV_MEMBER + Seal.MAC_MEMBER;
    private static final int MAC_FROM_END = LineFormat.PREV_MEMBER + Seal.MAC_END;

    private final Map<Long, Writer> open = new TreeMap<>();
    private final long watched;
    private @Nullable EpochKey next;
    private OptionalLong watchedEnd = OptionalLong.empty();
    private long opened;
    private long sealed;
    private long overAt;
    private long overEpoch;

    /// What is known of an epoch that has no end.
    private static final class Writer {
        final @Nullable StepKey key;
        long step;
        long line;

        Writer(@Nullable StepKey key) {
            this.key = key;
        }
    }

    /// Before the first line.
    ///
    /// @param key proves the seals
    /// @param watched the epoch whose end [#watchedEnd] tells, or -1
    public SealWalker(Optional<SealKey> key, long watched) {
        this.next = key.map(EpochKey::first).orElse(null);
        this.watched = watched;
    }

    /// Takes the next line, which the chain holds for right.
    ///
    /// @param offset of its first byte
    public void take(LogLine line, long offset) throws BrokenChainException {
        if (!Seal.is(line)) {
            return;
        }
        try {
            var seal = Seal.of(line);
            follows(seal);
            var writer = writer(seal);
            if (writer.key != null) {
                proves(writer.key, line);
                writer.key.advance();
            }
            writer.step = seal.step();
            writer.line = line.seq();
            sealed = line.seq();
            end(seal, line.seq());
        } catch (LineSyntaxException e) {
            var broken = new BrokenChainException(line.seq(), offset, String.valueOf(e.getMessage()));
            broken.initCause(e);
            throw broken;
        }
    }

    private void follows(Seal seal) throws LineSyntaxException {
        boolean begins = seal.part() == Seal.Part.BEGIN;
        long expected = begins ? opened + 1 : opened;
        if (seal.opened() != expected) {
            throw new LineSyntaxException(
                    "the seal says that " + seal.opened() + " epochs have begun where it were " + expected);
        }
        if (begins && (seal.epoch() != opened || seal.step() != 0)) {
            throw new LineSyntaxException("the seal begins epoch " + seal.epoch() + " with step " + seal.step()
                    + " where epoch " + opened + " must begin with step 0");
        }
        if (begins) {
            return;
        }
        var writer = open.get(seal.epoch());
        if (writer == null) {
            throw new LineSyntaxException("the seal is of epoch " + seal.epoch() + ", which has not begun or is over");
        }
        if (seal.step() != writer.step + 1) {
            throw new LineSyntaxException("the seal is step " + seal.step() + " of epoch " + seal.epoch() + " where "
                    + (writer.step + 1) + " must follow");
        }
    }

    private Writer writer(Seal seal) throws LineSyntaxException {
        if (seal.part() != Seal.Part.BEGIN) {
            return Objects.requireNonNull(open.get(seal.epoch()), "its epoch is open");
        }
        opened++;
        if (open.size() >= MAX_OPEN) {
            throw new LineSyntaxException("more than " + MAX_OPEN + " epochs have no end");
        }
        var first = next == null ? null : next.firstStep();
        if (next != null) {
            var used = next;
            next = used.next();
            used.close();
        }
        var writer = new Writer(first);
        open.put(seal.epoch(), writer);
        return writer;
    }

    private static void proves(StepKey key, LogLine line) throws LineSyntaxException {
        var bytes = line.bytes();
        var code = new byte[Hmac.LENGTH];
        key.mac(line.prev().getBytes(StandardCharsets.US_ASCII), bytes, 0, bytes.length - HIDDEN, code);
        int at = bytes.length - MAC_FROM_END;
        var found = Arrays.copyOfRange(bytes, at, at + 2 * Hmac.LENGTH);
        if (!MessageDigest.isEqual(found, HexFormat.of().formatHex(code).getBytes(StandardCharsets.US_ASCII))) {
            throw new LineSyntaxException(
                    "the seal is not made with its key: a line since the seal before it was changed,"
                            + " or the key belongs to another log");
        }
    }

    private void end(Seal seal, long line) throws LineSyntaxException {
        for (long epoch : seal.over()) {
            if (epoch >= seal.epoch()) {
                throw new LineSyntaxException("the seal says that epoch " + epoch + " is over, which has not begun");
            }
            if (open.remove(epoch) != null) {
                overAt = line;
                overEpoch = epoch;
            }
        }
        if (seal.part() == Seal.Part.END) {
            open.remove(seal.epoch());
            if (seal.epoch() == watched) {
                watchedEnd = OptionalLong.of(seal.step());
            }
        }
    }

    /// How many epochs have begun; 0 in a log that is not sealed.
    public long opened() {
        return opened;
    }

    /// The line of the last seal, 0 if there is none.
    public long sealed() {
        return sealed;
    }

    /// An epoch that has no end, and the line of its last seal.
    ///
    /// @param epoch from 0
    /// @param line from 1
    public record Unended(long epoch, long line) {}

    /// The first epoch that has neither an end nor was taken for over.
    public Optional<Unended> unended() {
        return open.entrySet().stream().findFirst().map(entry -> new Unended(entry.getKey(), entry.getValue().line));
    }

    /// The last epoch that another writer took for over, and the line that says so.
    public Optional<Unended> takenForOver() {
        return overAt == 0 ? Optional.empty() : Optional.of(new Unended(overEpoch, overAt));
    }

    /// The step of the watched epoch's end, if it ended.
    public OptionalLong watchedEnd() {
        return watchedEnd;
    }

    /// Whether `state` holds the key that follows the log's epochs.
    public boolean isFollowedBy(SealState state) {
        return next != null && next.isSame(state.key());
    }

    @Override
    public void close() {
        open.values().forEach(writer -> {
            if (writer.key != null) {
                writer.key.wipe();
            }
        });
        if (next != null) {
            next.close();
        }
    }
}
