package dev.cagewright.cli.run;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.verify.GrowingLog;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.anchor.Anchor;
import dev.cagewright.supervisor.anchor.Notary;
import dev.cagewright.supervisor.anchor.Schedule;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/// Signs the log at the end of a run if a person scheduled that. What goes wrong is told; the run's own exit code
/// stays.
record ScheduledCheckpoint(Console console, StateFolders folders) {
    /// @param chosen the run's log if it was named, closed by now; only that of the state folder has a schedule
    void ifDue(Optional<Path> chosen) throws InterruptedException {
        try {
            var schedule = Schedule.load(folders);
            if (schedule.isPresent()) {
                signIfOwn(chosen, schedule.get());
            }
        } catch (IOException | BrokenChainException | IllegalArgumentException e) {
            console.say("checkpoint: " + Visible.text(String.valueOf(e.getMessage())));
        }
    }

    private void signIfOwn(Optional<Path> chosen, Schedule schedule)
            throws IOException, BrokenChainException, InterruptedException {
        var own = folders.auditLog();
        if (chosen.orElse(own).equals(own)) {
            sign(own, schedule);
        }
    }

    private void sign(Path log, Schedule schedule) throws IOException, BrokenChainException, InterruptedException {
        var key = SigningKey.read(schedule.key());
        try (var growing = GrowingLog.open(log, key.publicKey())) {
            var now = InstantSource.system();
            long lines = growing.advance().tree().size();
            if (schedule.cadence().isDue(lines, growing.newest(), now.instant())) {
                var anchors = schedule.anchors().stream().map(Anchor::parse).toList();
                var signed = new Notary(log, key, anchors, now).signScheduled(growing);
                for (var failure : signed.failures()) {
                    console.say("checkpoint: anchor " + Visible.text(failure.anchor()) + " failed: "
                            + Visible.text(failure.reason()));
                }
            }
        }
    }
}
