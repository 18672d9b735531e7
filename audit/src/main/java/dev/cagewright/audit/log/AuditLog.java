package dev.cagewright.audit.log;

import dev.cagewright.audit.chain.LogActions;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.LineFormat;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.SealKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// A log that is open for appending. Safe for all threads; several processes, and several of these in one process, may
/// have the same log open. Whoever opens it closes it.
public final class AuditLog implements AutoCloseable {
    /// How long a writer waits for others that keep the log locked.
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /// How long an event waits at most for another one to share a flush with.
    public static final Duration LINGERING = Duration.ofMillis(10);

    private final Path path;
    private final Committer committer;
    private final List<String> interrupted;

    private AuditLog(Path path, Committer committer, List<String> interrupted) {
        this.path = path;
        this.committer = committer;
        this.interrupted = interrupted;
    }

    /// Opens `log`, or begins it if there is none, for its owner alone. The end of a log is verified, up to
    /// [Opening#WHOLE] the whole of it, and a torn last line is set aside as `<log>.torn-<n>`, with an event that
    /// says so.
    ///
    /// @param clock gives the time of events; where it runs backwards, the last line's time is repeated
    /// @throws IOException if the log does not verify, is frozen, is no regular file, may be written by others, or
    ///     cannot be written; nothing was changed but for the torn line
    public static AuditLog open(Path log, InstantSource clock) throws IOException {
        return open(log, clock, Channels.KERNEL, PATIENCE);
    }

    static AuditLog open(Path log, InstantSource clock, Channels channels, Duration patience) throws IOException {
        var path = log.toAbsolutePath();
        var opening = new Opening(path, clock, channels, patience);
        return opening.open();
    }

    /// Seals `log` from its next line on, beginning it if there is none: the lines that are there are covered too.
    /// Opened and closed by every writer as before.
    ///
    /// @param key is not stored; whoever has it can prove every seal, and forge it. Closed by the caller
    /// @param keeper takes the key to where it is kept, before it is used and only if it will be
    /// @throws IOException if the log is sealed already, cannot be opened for writing, or `keeper` throws it
    public static void seal(Path log, SealKey key, Keeper keeper, InstantSource clock) throws IOException {
        var opening = new Opening(log.toAbsolutePath(), clock, Channels.KERNEL, PATIENCE);
        opening.sealing(new Sealer(key, keeper)).open().close();
    }

    /// Takes a seal key away.
    @FunctionalInterface
    public interface Keeper {
        /// Returns when the key is kept.
        ///
        /// @throws IOException if the key is not kept: then nothing is sealed
        void keep(SealKey key) throws IOException;
    }

    static AuditLog of(Path path, Committer committer, List<String> interrupted) {
        committer.start();
        return new AuditLog(path, committer, interrupted);
    }

    /// Returns once the event is on the disk: `fdatasync` has returned. One flush serves all threads that wait.
    /// Cannot be interrupted; an interrupt is kept for the caller.
    ///
    /// @throws IOException if the event may not survive a crash; the caller must not act. The log
    ///     stays usable if the cause goes away
    /// @throws IllegalArgumentException if the action's name is one that only the log may use
    public Appended append(Event event) throws IOException {
        return committer.append(new Pending(body(event), Pending.Finality.ORDINARY));
    }

    /// Hands an event over and returns at once; for threads that may not wait.
    ///
    /// @throws IOException if it is not taken: the log is closed, or too much waits already; then nobody is told
    /// @throws IllegalArgumentException as [#append(Event)]
    public void append(Event event, Told told) throws IOException {
        committer.submit(body(event), told, Pending.Haste.AT_ONCE);
    }

    /// The same for an event that nobody waits for: it goes to the disk with the next one that is waited for, within
    /// [#LINGERING] if none comes.
    ///
    /// @throws IOException if it is not taken, as [#append(Event, Told)]
    /// @throws IllegalArgumentException as [#append(Event)]
    public void appendSoon(Event event, Told told) throws IOException {
        committer.submit(body(event), told, Pending.Haste.WITH_OTHERS);
    }

    /// Hears what became of one event, once, on the log's own thread: it is quick, does not wait and does not throw.
    public interface Told {
        /// The event is on the disk.
        void appended(Appended line);

        /// It may not survive a crash; the caller must not act.
        void failed(IOException why);
    }

    private static byte[] body(Event event) {
        if (event.actionName().startsWith(Event.RESERVED)) {
            throw new IllegalArgumentException(
                    "action: " + event.actionName() + " (expected: no name that starts with " + Event.RESERVED + ")");
        }
        return LineFormat.body(event);
    }

    /// Freezes the log for ever: a last line, then the marker `<log>.tainted`. From then on nobody can append or open.
    ///
    /// @throws IOException if the line may not survive a crash, or if only the marker could not be
    ///     written; the message says which
    public Appended panic(Origin origin, String reason) throws IOException {
        var action = Json.object().put("name", LogActions.PANIC).build();
        var event =
                Event.note(origin, action, Json.object().put("reason", reason).build());
        var last = committer.append(new Pending(LineFormat.body(event), Pending.Finality.TERMINAL));
        try {
            PanicMarker.write(path, last);
        } catch (IOException e) {
            throw new IOException(
                    "the audit log is frozen by line " + last.seq() + ", but its marker could not be written: "
                            + e.getMessage(),
                    e);
        }
        return last;
    }

    /// The decisions that had been allowed, but had no outcome yet, when this log was opened: a crash interrupted
    /// them, or they still run in another process. Looks only at the part that was verified.
    public List<String> interrupted() {
        return interrupted;
    }

    /// How many events wait for the next flush.
    int waiting() {
        return committer.waiting();
    }

    public Path path() {
        return path;
    }

    /// Waits for what is being appended; afterwards every append is refused. A sealed log gets the last seal of this
    /// writer; where that cannot be written, the verifier will not take the log's end for complete.
    @Override
    public void close() throws IOException {
        committer.close();
    }
}
