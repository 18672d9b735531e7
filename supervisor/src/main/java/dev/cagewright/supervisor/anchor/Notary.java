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
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    /// Signs how far `growing` has come, unless its last line is signed already.
    ///
    /// @throws IOException if the log is empty, or the checkpoint cannot be written
    public Signed sign(GrowingLog growing) throws IOException, BrokenChainException, InterruptedException {
        var state = growing.advance();
        if (state.tree().size() == 0) {
            throw new IOException("audit log " + log + " has no line yet that could be signed");
        }
        var files = new CheckpointFiles(log);
        var checkpoint = existing(files, state);
        if (checkpoint == null) {
            checkpoint = Checkpoint.sign(key, state, clock.instant());
            files.write(checkpoint);
            growing.remember();
        }
        var failures = carry(checkpoint);
        record(checkpoint, failures);
        return new Signed(checkpoint, files.file(checkpoint.seq()), failures);
    }

    /// Signs `log` whenever `cadence` says so, until this thread is interrupted.
    ///
    /// @param told takes each checkpoint that was signed
    public void follow(GrowingLog growing, Cadence cadence, Consumer<Signed> told)
            throws IOException, BrokenChainException, InterruptedException {
        var newest = growing.newest();
        while (!Thread.interrupted()) {
            var state = growing.advance();
            if (cadence.isDue(state.tree().size(), newest, clock.instant())) {
                var signed = sign(growing);
                newest = Optional.of(signed.checkpoint());
                told.accept(signed);
            }
            LockSupport.parkNanos(PACE.toNanos());
        }
        throw new InterruptedException();
    }

    private @Nullable Checkpoint existing(CheckpointFiles files, LogState state) throws IOException {
        var newest = files.newest();
        return newest.filter(known -> known.tree().equals(state.tree()) && known.signedBy(key.publicKey()))
                .orElse(null);
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
        return message == null ? failure.getClass().getSimpleName() : message;
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
