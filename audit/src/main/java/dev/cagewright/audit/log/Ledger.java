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
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
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

/// The log's file and where it ends. Everything here happens under the [LogLock], in one thread at a time.
final class Ledger implements AutoCloseable {
    /// `"}` and the line end.
    private static final int LINE_CLOSING = 3;

    private final Path path;
    private final LogFile file;
    private final InstantSource clock;
    private final LineComposer composer = new LineComposer();
    private final ByteBuffer lastHash = ByteBuffer.allocate(LineFormat.HASH_LENGTH);
    private final TornTail torn;
    private Head head;
    private Freeze freeze;
    private boolean flushLost;

    Ledger(Path path, LogFile file, InstantSource clock) {
        this.path = path;
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

    /// Takes up what other processes appended since. Costs three system calls if they did not.
    ///
    /// @throws IOException if the file is not the one that was opened, was cut, does not verify, or is frozen
    void catchUp() throws IOException {
        file.stillThere();
        if (flushLost) {
            throw new IOException("audit log " + path + " lost a flush that could not be undone; open it again");
        }
        long size = file.size();
        if (size < head.end()) {
            throw new IOException("audit log " + path + " was cut from " + head.end() + " to " + size + " bytes");
        }
        if (!endsInHead()) {
            throw new IOException("audit log " + path + " was changed at line " + head.seq());
        }
        if (size > head.end()) {
            walk(new OpenIntents());
        }
        if (freeze == Freeze.FROZEN) {
            throw new IOException("audit log " + path + " is frozen by a panic (line " + head.seq() + ")");
        }
    }

    /// @throws IOException if somebody put a marker beside the log
    void notTainted() throws IOException {
        var marker = PanicMarker.of(path);
        if (Files.exists(marker, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("audit log " + path + " is frozen by the marker " + marker);
        }
    }

    /// Appends `lines`, all or none, and flushes once.
    void commit(List<Pending> lines) throws IOException {
        var now = now();
        composer.begin(head.hash(), now);
        long seq = head.seq();
        for (var line : lines) {
            composer.add(++seq, line.body);
            line.place(seq, composer.lastHash());
        }
        flush();
        head = new Head(seq, composer.lastHash(), now, head.end() + composer.size());
        if (lines.getLast().finality == Pending.Finality.TERMINAL) {
            freeze = Freeze.FROZEN;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void flush() throws IOException {
        try {
            file.write(composer.lines(), head.end());
        } catch (IOException | RuntimeException | Error e) {
            undo(e);
            throw e;
        }
        try {
            file.force();
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

    private boolean endsInHead() throws IOException {
        if (head.seq() == 0) {
            return true;
        }
        lastHash.clear();
        long at = head.end() - LINE_CLOSING - LineFormat.HASH_LENGTH;
        while (lastHash.hasRemaining() && file.channel().read(lastHash, at + lastHash.position()) > 0) {}
        return new String(lastHash.array(), StandardCharsets.ISO_8859_1).equals(head.hash());
    }

    private void walk(OpenIntents intents) throws IOException {
        var walker = new ChainWalker(head, freeze);
        var scanner = new LineScanner(file.channel(), head.end());
        try {
            for (var line = scanner.nextOrNull(); line != null; line = scanner.nextOrNull()) {
                intents.take(walker.next(line));
            }
            adopt(walker);
            if (scanner.rest().length > 0) {
                repair(walker, intents, scanner.rest());
            }
        } catch (BrokenChainException e) {
            throw new IOException(
                    "audit log " + path + " is damaged at line " + e.line() + " (byte " + e.offset() + "): "
                            + e.getMessage(),
                    e);
        }
    }

    private void adopt(ChainWalker walker) {
        head = walker.head();
        freeze = walker.freeze();
    }

    private void repair(ChainWalker walker, OpenIntents intents, byte[] rest) throws IOException, BrokenChainException {
        if (freeze == Freeze.FROZEN) {
            throw new BrokenChainException(head.seq() + 1, head.end(), ChainWalker.FROZEN);
        }
        JsonObject detail;
        if (torn.lacksOnlyItsEnd(new ChainWalker(head, freeze), rest)) {
            intents.take(walker.next(rest));
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
