package dev.cagewright.supervisor.net;

import dev.cagewright.audit.json.Json;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Looks at the files of a policy while a run lives, and has what they say hold once they have stood still for a
/// moment. A
/// policy that cannot be read changes nothing. Whoever begins it closes it.
final class PolicyWatch implements AutoCloseable {
    /// A change holds after two looks.
    private static final Duration PAUSE = Duration.ofMillis(500);

    /// A file that does not come to an end, a pipe for instance, holds nobody up.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final NetTerms.Renewal renewal;
    private final AuditJournal journal;
    private final Heir heir;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    /// The files' marks when they were last read; none where they are not as they were read.
    private List<String> held = List.of();

    private List<String> seen = List.of();

    /// Whom a changed policy is for.
    interface Heir {
        /// It holds from here on, beside that of the start.
        ///
        /// @throws IOException if it cannot; nothing has changed
        void became(EffectivePolicy policy) throws IOException;

        /// Ends what is under way and no longer allowed.
        void revise();
    }

    private PolicyWatch(CageDoor.Ground ground, Heir heir) {
        this.renewal = ground.terms().renewal();
        this.journal = ground.journal();
        this.heir = heir;
        this.thread = Thread.ofPlatform().daemon().name("policy-watch").unstarted(this::watch);
    }

    static PolicyWatch begin(CageDoor.Ground ground, Heir heir) {
        var watch = new PolicyWatch(ground, heir);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            begin();
            while (!over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A file may have changed between the start and now.
    private void begin() {
        var now = marks();
        try {
            held = renewal.isAsRead() ? now : List.of();
        } catch (IOException _) {
            held = List.of();
        }
        seen = now;
    }

    private void look() {
        var now = marks();
        boolean isStill = now.equals(seen);
        seen = now;
        if (isStill && !now.equals(held)) {
            held = now;
            renew();
        }
    }

    private void renew() {
        try {
            heir.became(renewal.read());
            note("policy.changed", "what it forbids now is forbidden from here on");
        } catch (IOException | RuntimeException e) {
            note("policy.unread", "what held goes on to hold: " + e.getMessage());
            return;
        }
        heir.revise();
    }

    /// A log that takes no note takes no intent either, so nothing new is let through.
    private void note(String name, String why) {
        try {
            journal.note(name, Json.object().put("why", why).build());
        } catch (IOException | RuntimeException _) {
            return;
        }
    }

    private List<String> marks() {
        return renewal.files().stream().map(PolicyWatch::mark).toList();
    }

    /// What differs when the file does.
    private static String mark(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.fileKey() + " " + attributes.size() + " " + attributes.lastModifiedTime();
        } catch (IOException e) {
            return e.getClass().getName();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
