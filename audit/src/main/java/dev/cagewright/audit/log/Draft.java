package dev.cagewright.audit.log;

import dev.cagewright.audit.chain.Head;
import dev.cagewright.audit.event.LineComposer;
import dev.cagewright.audit.seal.Epoch;
import dev.cagewright.audit.seal.Seal;
import dev.cagewright.audit.seal.SealTrail;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What follows the last durable line: batches, each chained to the one before, of which one may be on its way to the
/// disk while the next is composed. Belongs to one taking of the log's lock, and is thrown away if a flush fails. Used
/// by one thread at a time.
final class Draft {
    /// How many bytes go without a seal at most, but for one line.
    private static final long SEAL_EVERY = 64 << 10;

    private final InstantSource clock;
    private final @Nullable Epoch epoch;
    private final long opened;
    private LineComposer text;
    private LineComposer other;
    private String hash;
    private Instant time;
    private long seq;
    private long unsealed;

    /// @param epoch null in a log that is not sealed
    /// @param texts two, for this object alone
    Draft(Head head, InstantSource clock, @Nullable Epoch epoch, SealTrail trail, List<LineComposer> texts) {
        this.clock = clock;
        this.epoch = epoch;
        this.opened = trail.opened();
        this.unsealed = trail.unsealed();
        this.text = texts.getFirst();
        this.other = texts.getLast();
        this.hash = head.hash();
        this.time = head.time();
        this.seq = head.seq();
    }

    /// An empty batch behind the one before, which must be [#end]ed. The one before that must be settled.
    Batch begin() {
        var free = other;
        other = text;
        text = free;
        text.begin(hash, time);
        return new Batch(text);
    }

    /// Composes `line` as the next one of `batch`, the one that was begun last. All lines of a batch carry the time of
    /// its first.
    void add(Batch batch, Pending line) {
        batch.take(line);
        if (batch.count() == 1) {
            text.at(now());
        }
        if (epoch != null && unsealed >= SEAL_EVERY) {
            seal(epoch, Seal.Part.BATCH, opened, List.of());
        }
        int before = text.size();
        text.add(++seq, line.body);
        line.placed(seq, text.lastHash());
        unsealed += text.size() - before;
    }

    /// Ends `batch`, in a sealed log by a seal.
    void end(Batch batch) {
        if (epoch != null) {
            seal(epoch, batch.isTerminal() ? Seal.Part.END : Seal.Part.BATCH, opened, List.of());
        }
        close(batch, epoch);
    }

    /// A batch of one seal. It is ended.
    Batch seal(Seal.Part part, Epoch mine, long newOpened, List<Long> over) {
        var batch = begin();
        text.at(now());
        seal(mine, part, newOpened, over);
        close(batch, mine);
        return batch;
    }

    private void seal(Epoch mine, Seal.Part part, long newOpened, List<Long> over) {
        mine.add(text, ++seq, part, newOpened, over);
        unsealed = 0;
    }

    private void close(Batch batch, @Nullable Epoch mine) {
        if (mine != null) {
            mine.end();
        }
        batch.endsIn(seq);
        hash = text.lastHash();
        time = text.time();
    }

    private Instant now() {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return now.isBefore(time) ? time : now;
    }
}
