package dev.cagewright.supervisor.anchor;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.checkpoint.LogState;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.verify.GrowingLog;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Signs a log and carries the checkpoint to every anchor. What does not arrive is recorded in the log.
///
/// @param log the log's file
/// @param key what it signs with
/// @param anchors where checkpoints go
/// @param clock the time of signing
public record Notary(Path log, SigningKey key, List<Anchor> anchors, InstantSource clock) {
    /// How often a followed log is looked at.
    private static final Duration PACE = Duration.ofMillis(200);

    public Notary {
        anchors = List.copyOf(anchors);
    }

    /// A checkpoint that was signed.
    ///
    /// @param file beside the log
    /// @param failures anchors that it may not have reached
    public record Signed(Checkpoint checkpoint, Path file, List<Failure> failures) {
        public Signed {
            failures = List.copyOf(failures);
        }
    }

    /// An anchor that could not be reached.
    ///
    /// @param anchor as it was given
    /// @param reason the host's words
    public record Failure(String anchor, String reason) {}

    /// Signs how far `growing` has come, unless its last line is signed already, because a person says so: that
    /// checkpoint stays.
    ///
    /// @throws IOException if the log is empty, or the checkpoint cannot be written
    public Signed sign(GrowingLog growing) throws IOException, BrokenChainException, InterruptedException {
        var signed = attempt(growing).signed;
        new ScheduledCheckpoints(log).release(signed.checkpoint().seq());
        return signed;
    }

    /// The same because it is time to: the checkpoint stays if an anchor has it, else until
    /// [ScheduledCheckpoints#KEPT] newer ones were made so.
    ///
    /// @throws IOException also if older ones cannot be removed
    public Signed signScheduled(GrowingLog growing) throws IOException, BrokenChainException, InterruptedException {
        var scheduled = new ScheduledCheckpoints(log);
        var attempt = attempt(growing);
        var signed = attempt.signed;
        long seq = signed.checkpoint().seq();
        if (signed.failures().size() < anchors.size()) {
            scheduled.release(seq);
        } else if (attempt.isNew) {
            scheduled.add(seq);
        }
        return signed;
    }

    /// @param isNew nobody had signed the line before
    private record Attempt(Signed signed, boolean isNew) {}

    private Attempt attempt(GrowingLog growing) throws IOException, BrokenChainException, InterruptedException {
        var state = growing.advance();
        if (state.tree().size() == 0) {
            throw new IOException("audit log " + log + " has no line yet that could be signed");
        }
        var files = new CheckpointFiles(log);
        var known = existing(files, state);
        var fresh = Checkpoint.sign(key, state, clock.instant());
        var checkpoint = known.isPresent() ? known.get() : written(files, fresh, state);
        if (known.isEmpty()) {
            growing.remember();
        }
        var failures = carry(checkpoint);
        record(checkpoint, failures);
        var signed = new Signed(checkpoint, files.file(checkpoint.seq()), failures);
        return new Attempt(signed, checkpoint.equals(fresh));
    }

    /// Signs `log` whenever `cadence` says so, until this thread is interrupted. The lines that record failures of
    /// anchors
    /// are no reason to sign: they would be their own.
    ///
    /// @param told takes each checkpoint that was signed
    public void follow(GrowingLog growing, Cadence cadence, Consumer<Signed> told)
            throws IOException, BrokenChainException, InterruptedException {
        var newest = growing.newest();
        long own = 0;
        while (!Thread.interrupted()) {
            var state = growing.advance();
            if (cadence.isDue(state.tree().size() - own, newest, clock.instant())) {
                var signed = signScheduled(growing);
                newest = Optional.of(signed.checkpoint());
                own = signed.failures().size();
                told.accept(signed);
            }
            LockSupport.parkNanos(PACE.toNanos());
        }
        throw new InterruptedException();
    }

    private Optional<Checkpoint> existing(CheckpointFiles files, LogState state) throws IOException {
        return files.newest().filter(known -> known.tree().equals(state.tree()) && known.signedBy(key.publicKey()));
    }

    /// Two runs that end together sign one line: either's checkpoint will do.
    private Checkpoint written(CheckpointFiles files, Checkpoint checkpoint, LogState state) throws IOException {
        try {
            files.write(checkpoint);
            return checkpoint;
        } catch (IOException e) {
            if (e.getCause() instanceof FileAlreadyExistsException) {
                return existing(files, state).orElseThrow(() -> e);
            }
            throw e;
        }
    }

    private List<Failure> carry(Checkpoint checkpoint) throws InterruptedException {
        var failures = new ArrayList<Failure>();
        for (var anchor : anchors) {
            try {
                anchor.publish(checkpoint);
            } catch (IOException e) {
                failures.add(new Failure(anchor.text(), reason(e)));
            }
        }
        return failures;
    }

    private static String reason(IOException failure) {
        var message = failure.getMessage();
        if (message != null) {
            return message;
        }
        return failure instanceof ConnectException
                ? "nobody answers there"
                : failure.getClass().getSimpleName();
    }

    private void record(Checkpoint checkpoint, List<Failure> failures) throws IOException {
        if (failures.isEmpty()) {
            return;
        }
        try (var open = AuditLog.open(log, clock)) {
            for (var failure : failures) {
                open.append(Event.note(
                        Origin.LOG,
                        Json.object().put("name", "audit.anchor").build(),
                        Json.object()
                                .put("anchor", failure.anchor())
                                .put("line", checkpoint.seq())
                                .put("failed", failure.reason())
                                .build()));
            }
        }
    }
}
