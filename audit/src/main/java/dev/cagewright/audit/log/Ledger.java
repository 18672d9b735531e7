package dev.cagewright.audit.log;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker;
import dev.cagewright.audit.chain.ChainWalker.Freeze;
import dev.cagewright.audit.chain.Head;
import dev.cagewright.audit.chain.LineScanner;
import dev.cagewright.audit.chain.LogActions;
import dev.cagewright.audit.chain.OpenIntents;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LineComposer;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.LineSyntaxException;
import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.seal.Epoch;
import dev.cagewright.audit.seal.Seal;
import dev.cagewright.audit.seal.SealTrail;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The log's file and where it ends. Everything here happens under the [LogLock], in one thread at a time.
final class Ledger implements AutoCloseable {
    /// How many bytes go without a seal at most, but for one line.
    private static final long SEAL_EVERY = 64 << 10;

    /// How many bytes a torn batch has at most.
    private static final long MOST_TORN = 8 << 20;

    /// `"}` and the line end.
    private static final int LINE_CLOSING = 3;

    private final Path path;
    private final LogFile file;
    private final InstantSource clock;
    private final LineComposer composer = new LineComposer();
    private final ByteBuffer lastHash = ByteBuffer.allocate(LineFormat.HASH_LENGTH + LINE_CLOSING + 1);
    private final TornTail torn;
    private final SealTrail trail = new SealTrail();
    private final Epochs epochs;
    private @Nullable Epoch epoch;
    private boolean lookedForSeal;
    private boolean loaded;
    private Head head;
    private Freeze freeze;
    private boolean flushLost;

    /// Whether an interrupt closed the file in the middle of a flush, and the rest of it is still to be undone.
    private boolean cutShort;

    Ledger(Path path, LogFile file, InstantSource clock, Epochs epochs) {
        this.path = path;
        this.epochs = epochs;
        this.file = file;
        this.clock = clock;
        this.torn = new TornTail(path, file);
        this.head = Head.START;
        this.freeze = Freeze.OPEN;
    }

    /// Verifies what is there, repairs a torn end, begins a log that is empty.
    ///
    /// @param from where to start: [Head#START], or a line further down whose predecessors are taken on trust
    OpenIntents load(Head from) throws IOException {
        head = from;
        var intents = new OpenIntents();
        walk(intents);
        if (head.seq() == 0) {
            begin();
        }
        return intents;
    }

    Head head() {
        return head;
    }

    /// Takes up what other processes appended since. Costs one or two system calls if they did not.
    ///
    /// @param held the lock, which knows whether the log's name has to be looked at
    /// @throws IOException if the file is not the one that was opened, was cut, does not verify, or is frozen
    void catchUp(LogLock.Held held) throws IOException {
        if (cutShort) {
            cut();
        }
        if (isMore(held)) {
            walk(new OpenIntents());
        }
        if (freeze != Freeze.OPEN) {
            throw new IOException("audit log " + path + " is frozen by a panic (line " + panicLine() + ")");
        }
    }

    /// Whether lines can be committed as things stand: nobody appended since, and no epoch has to be begun.
    ///
    /// @throws IOException as [#catchUp] does
    boolean isReady(LogLock.Held held) throws IOException {
        return !isMore(held) && freeze == Freeze.OPEN && !needsEpoch();
    }

    private void cut() throws IOException {
        try {
            file.reopenIfClosed();
            file.truncate(head.end());
            cutShort = false;
        } catch (IOException e) {
            flushLost = true;
            throw e;
        }
    }

    private boolean isMore(LogLock.Held held) throws IOException {
        if (held.namesAreKnown()) {
            file.reopenIfClosed();
        } else {
            file.stillThere();
        }
        if (flushLost) {
            throw new IOException("audit log " + path + " lost a flush that could not be undone; open it again");
        }
        if (!endsInHead()) {
            throw new IOException("audit log " + path + " was changed at line " + head.seq());
        }
        boolean hasNext = !lastHash.hasRemaining();
        if (!hasNext) {
            file.size();
        }
        return hasNext && lastHash.get(lastHash.limit() - 1) != 0;
    }

    private long panicLine() {
        return freeze == Freeze.SEALED ? head.seq() - 1 : head.seq();
    }

    /// Begins an epoch if the log is sealed and this writer has none, or none any more. Called before each batch.
    ///
    /// @throws IOException if the log's seal state is not what it must be
    void seal() throws IOException {
        if (needsEpoch()) {
            epochs.beginIfSealed(this, trail.opened());
            lookedForSeal = true;
        }
    }

    private boolean needsEpoch() {
        return currentOrNull() == null && (trail.opened() > 0 || !lookedForSeal);
    }

    /// This writer's epoch, unless another writer took it for over.
    private @Nullable Epoch currentOrNull() {
        if (epoch != null && trail.isOvertaken()) {
            epoch.close();
            epoch = null;
        }
        if (epoch != null) {
            epoch.found(trail.walkedStep());
        }
        return epoch;
    }

    /// Begins the log's first epoch.
    ///
    /// @throws IOException if it is sealed already
    void beginSealing(Sealer sealer) throws IOException {
        epochs.beginSealing(this, trail.opened(), sealer);
    }

    /// Appends the first seal of `mine`, which is this writer's from now on once [#adopt] was called.
    void begin(Epoch mine, List<Long> over) throws IOException {
        composer.begin(head.hash(), now());
        mine.add(composer, head.seq() + 1, Seal.Part.BEGIN, mine.number() + 1, over);
        finish(head.seq() + 1);
        mine.settle();
        trail.sealed(mine.number() + 1);
    }

    void adopt(Epoch mine) {
        trail.follow(mine.number());
        epoch = mine;
    }

    /// Appends the last seal of this writer's epoch, and notes it in the seal state.
    void end(LogLock.Held held) throws IOException {
        var mine = epoch;
        if (mine == null) {
            return;
        }
        if (!mine.hasEnded()) {
            catchUp(held);
            seal();
            mine = Objects.requireNonNull(epoch, "a sealed log stays sealed");
            composer.begin(head.hash(), now());
            mine.add(composer, head.seq() + 1, Seal.Part.END, trail.opened(), List.of());
            finish(head.seq() + 1);
        }
        epochs.ended(mine);
    }

    /// The log's id, as its first line tells it.
    String id() throws IOException {
        var first = new LineScanner(file.channel(), 0).nextOrNull();
        try {
            return first == null
                    ? ""
                    : LineFormat.parse(first).event().detail().text("log").orElse("");
        } catch (LineSyntaxException e) {
            throw new IOException("audit log " + path + " is damaged at line 1 (byte 0): " + e.getMessage(), e);
        }
    }

    /// Whether `number` has no seal but its first. Reads the whole log.
    boolean isAlone(long number) throws IOException {
        return seals(seal -> seal.epoch() == number) == 1;
    }

    /// Whether `number` ended with `step`. Reads the whole log if the end of it does not tell.
    boolean hasEnd(long number, long step) throws IOException {
        return trail.hasEnd(number, step)
                || seals(seal -> seal.part() == Seal.Part.END && seal.epoch() == number && seal.step() == step) == 1;
    }

    private long seals(Predicate<Seal> wanted) throws IOException {
        var scanner = new LineScanner(file.channel(), 0);
        long count = 0;
        try {
            for (var line = scanner.nextOrNull(); line != null; line = scanner.nextOrNull()) {
                var parsed = LineFormat.parse(line);
                count += Seal.is(parsed) && wanted.test(Seal.of(parsed)) ? 1 : 0;
            }
        } catch (LineSyntaxException e) {
            throw new IOException("audit log " + path + " is damaged: " + e.getMessage(), e);
        }
        return count;
    }

    /// @throws IOException if somebody put a marker beside the log
    void notTainted() throws IOException {
        var marker = PanicMarker.of(path);
        if (Files.exists(marker, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("audit log " + path + " is frozen by the marker " + marker);
        }
    }

    /// Appends `lines`, all or none, and flushes once. In a sealed log they end in a seal.
    void commit(List<Pending> lines) throws IOException {
        var mine = currentOrNull();
        composer.begin(head.hash(), now());
        long seq = head.seq();
        long unsealed = trail.unsealed();
        for (var line : lines) {
            if (mine != null && unsealed >= SEAL_EVERY) {
                mine.add(composer, ++seq, Seal.Part.BATCH, trail.opened(), List.of());
                unsealed = 0;
            }
            int before = composer.size();
            composer.add(++seq, line.body);
            line.place(seq, composer.lastHash());
            unsealed += composer.size() - before;
        }
        boolean isLast = lines.getLast().finality == Pending.Finality.TERMINAL;
        if (mine == null) {
            finish(seq);
            trail.added(unsealed - trail.unsealed());
            freeze = isLast ? Freeze.FROZEN : freeze;
        } else {
            mine.add(composer, ++seq, isLast ? Seal.Part.END : Seal.Part.BATCH, trail.opened(), List.of());
            finish(seq);
            freeze = isLast ? Freeze.SEALED : freeze;
        }
    }

    /// Flushes what was composed; it ends in line `seq`.
    private void finish(long seq) throws IOException {
        try {
            flush();
        } catch (IOException | RuntimeException | Error e) {
            if (epoch != null) {
                epoch.takeBack();
            }
            throw e;
        }
        head = new Head(seq, composer.lastHash(), composer.time(), head.end() + composer.size());
        if (epoch != null) {
            epoch.settle();
            trail.sealed(trail.opened());
        }
    }

    @Override
    public void close() throws IOException {
        if (epoch != null) {
            epoch.close();
        }
        file.close();
    }

    private void flush() throws IOException {
        try {
            file.append(composer.lines(), head.end());
        } catch (ClosedByInterruptException e) {
            cutShort = true;
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            undo(e);
            throw e;
        }
        try {
            file.force();
        } catch (ClosedByInterruptException e) {
            cutShort = true;
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            flushLost = !undo(e);
            throw e;
        }
    }

    /// Nothing of a failed batch was acknowledged: it must not stay. Where even that fails, the next batch finds the
    /// rest and sets it aside.
    private boolean undo(Throwable failure) {
        try {
            file.truncate(head.end());
            return true;
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    /// Gives the space behind the last line back.
    void trim() throws IOException {
        file.stillThere();
        if (file.contentEnd() == head.end() && file.size() > head.end()) {
            file.truncate(head.end());
        }
    }

    /// Reads the last line's hash and the byte behind the line, which is not there where the file ends.
    private boolean endsInHead() throws IOException {
        if (head.seq() == 0) {
            return true;
        }
        lastHash.clear();
        long at = head.end() - LINE_CLOSING - LineFormat.HASH_LENGTH;
        while (lastHash.hasRemaining() && file.channel().read(lastHash, at + lastHash.position()) > 0) {}
        if (lastHash.remaining() > 1) {
            throw new IOException(
                    "audit log " + path + " was cut from " + head.end() + " to " + file.size() + " bytes");
        }
        return new String(lastHash.array(), 0, LineFormat.HASH_LENGTH, StandardCharsets.ISO_8859_1).equals(head.hash());
    }

    private void walk(OpenIntents intents) throws IOException {
        var walker = new ChainWalker(head, freeze);
        var scanner = new LineScanner(file.channel(), head.end());
        try {
            for (var line = scanner.nextOrNull(); line != null; line = scanner.nextOrNull()) {
                take(walker.next(line), intents);
            }
            adopt(walker);
            var rest = loaded ? scanner.rest() : rest();
            loaded = true;
            if (rest.length > 0) {
                repair(walker, intents, rest);
            }
        } catch (LineSyntaxException e) {
            throw new IOException(
                    "audit log " + path + " is damaged behind line " + head.seq() + ": " + e.getMessage(), e);
        } catch (BrokenChainException e) {
            throw new IOException(
                    "audit log " + path + " is damaged at line " + e.line() + " (byte " + e.offset() + "): "
                            + e.getMessage(),
                    e);
        }
    }

    /// All that stands behind the last whole line, zeros within it included: a machine that lost its power may have
    /// written later blocks of a batch and not earlier ones.
    private byte[] rest() throws IOException, BrokenChainException {
        long end = file.contentEnd();
        if (end - head.end() > MOST_TORN) {
            throw new BrokenChainException(head.seq() + 1, head.end(), "no line for more than " + MOST_TORN + " bytes");
        }
        return file.read(head.end(), Math.max(head.end(), end));
    }

    private void take(LogLine line, OpenIntents intents) throws LineSyntaxException {
        intents.take(line);
        trail.take(line);
    }

    private void adopt(ChainWalker walker) {
        head = walker.head();
        freeze = walker.freeze();
    }

    private void repair(ChainWalker walker, OpenIntents intents, byte[] rest)
            throws IOException, BrokenChainException, LineSyntaxException {
        if (freeze == Freeze.SEALED || (freeze == Freeze.FROZEN && trail.opened() == 0)) {
            throw new BrokenChainException(head.seq() + 1, head.end(), ChainWalker.FROZEN);
        }
        JsonObject detail;
        if (torn.lacksOnlyItsEnd(new ChainWalker(head, freeze), rest)) {
            take(walker.next(rest), intents);
            detail = torn.complete(walker.head());
            adopt(walker);
        } else {
            detail = torn.setAside(head, rest);
        }
        if (head.seq() == 0) {
            begin();
        }
        if (freeze == Freeze.OPEN) {
            note(LogActions.REPAIR, detail);
        }
    }

    private void begin() throws IOException {
        var id = new byte[16];
        new SecureRandom().nextBytes(id);
        note(
                LogActions.BEGIN,
                Json.object()
                        .put("format", 1)
                        .put("log", HexFormat.of().formatHex(id))
                        .build());
    }

    private void note(String name, JsonObject detail) throws IOException {
        var event = Event.note(Origin.LOG, Json.object().put("name", name).build(), detail);
        commit(List.of(new Pending(LineFormat.body(event), Pending.Finality.ORDINARY)));
    }

    private Instant now() {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return now.isBefore(head.time()) ? head.time() : now;
    }
}
