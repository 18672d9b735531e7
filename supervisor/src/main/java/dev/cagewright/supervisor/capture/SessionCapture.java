package dev.cagewright.supervisor.capture;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.capture.Capture;
import dev.cagewright.egress.capture.Piece;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The capture of one session while it is written. A thread of its own writes; whoever hands it pieces never waits.
/// When
/// the disk is slower than the traffic, or the file has no room for more, bodies and messages are left out and counted;
/// when even heads find no room, or the file cannot be written, there is an [#obstacle] and no request passes. Safe for
/// all threads.
public final class SessionCapture implements Capture, AutoCloseable {
    /// The folder below a session's that has the capture of its set-up.
    public static final String SETUP = "setup";

    /// Contents are kept until the file has so many bytes.
    static final long CONTENT_ROOM = 512L << 20;

    /// The largest file, but for what is under way.
    static final long ROOM = 1L << 30;

    private final String session;
    private final Path folder;
    private final CaptureTerms terms;
    private final Backlog backlog = new Backlog();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong exchanges = new AtomicLong();
    private final AtomicLong left = new AtomicLong();
    private volatile long size;
    private volatile @Nullable String failure = "it was not begun";
    private @Nullable Thread writing;
    private @Nullable CaptureFile file;

    /// @param session its id
    /// @param folder its folder
    public SessionCapture(String session, Path folder, CaptureTerms terms) {
        this.session = session;
        this.folder = folder;
        this.terms = terms;
    }

    /// Makes the file and begins.
    ///
    /// @throws IOException if it cannot be made, or more is asked for than a capture keeps
    public void begin() throws IOException {
        if (terms.body() > CaptureTerms.MOST.bytes()) {
            throw new IOException(
                    "capture.body: " + terms.body() + " bytes (expected: at most " + CaptureTerms.MOST + ")");
        }
        var made = CaptureFile.create(folder);
        try {
            made.append(PieceJson.opening(session, terms.body()));
        } catch (IOException e) {
            made.close();
            throw e;
        }
        file = made;
        failure = null;
        writing = Thread.ofPlatform().name("capture").daemon().start(() -> write(made));
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public long bodyLimit() {
        return terms.body();
    }

    @Override
    public long nextExchange() {
        return numbers.incrementAndGet();
    }

    @Override
    public boolean take(Piece piece) {
        long room = piece instanceof Piece.Content ? CONTENT_ROOM : 2 * ROOM;
        boolean isTaken = failure == null && size < room && backlog.add(piece);
        if (!isTaken) {
            left.incrementAndGet();
        } else if (piece instanceof Piece.Asked) {
            exchanges.incrementAndGet();
        }
        return isTaken;
    }

    /// Why no request can be kept now, one sentence without a full stop; empty if it can.
    public Optional<String> obstacle() {
        var why = failure;
        if (why != null) {
            return Optional.of(why);
        }
        if (size >= ROOM) {
            return Optional.of("it is full (" + ROOM + " bytes)");
        }
        return backlog.hasRoom() ? Optional.empty() : Optional.of("the disk is too slow for it");
    }

    private void write(CaptureFile to) {
        try {
            for (var batch = backlog.takeAll(); !batch.isEmpty(); batch = backlog.takeAll()) {
                append(to, batch);
            }
        } catch (IOException | RuntimeException e) {
            failure = "it cannot be written: " + e.getMessage();
            backlog.close();
        } catch (InterruptedException _) {
            failure = "it was interrupted";
            backlog.close();
        }
    }

    private void append(CaptureFile to, Deque<Piece> batch) throws IOException {
        for (var piece = batch.pollFirst(); piece != null; piece = batch.pollFirst()) {
            to.append(PieceJson.of(piece));
            size = to.size();
            backlog.written(piece);
        }
    }

    /// Waits until everything is written, and says what there is, for the audit log.
    ///
    /// @return `file`, `bytes`, `sha256`, `exchanges`, `left_out` (pieces); `failure` if it is not whole
    public JsonObject finish() {
        close();
        var json = Json.object()
                .put("file", CaptureFile.NAME)
                .put("bytes", size)
                .put("exchanges", exchanges.get())
                .put("left_out", left.get());
        var to = file;
        if (to != null && failure == null) {
            json.put("sha256", to.sha256Digits());
        }
        Optional.ofNullable(failure).ifPresent(why -> json.put("failure", why));
        return json.build();
    }

    /// Takes no more and waits until what was taken is written.
    @Override
    public void close() {
        backlog.close();
        var thread = writing;
        var to = file;
        if (thread == null || to == null) {
            return;
        }
        writing = null;
        try {
            thread.join();
            to.close();
        } catch (IOException e) {
            failure = "it cannot be written: " + e.getMessage();
        } catch (InterruptedException _) {
            failure = "it was interrupted";
            Thread.currentThread().interrupt();
        }
    }
}
