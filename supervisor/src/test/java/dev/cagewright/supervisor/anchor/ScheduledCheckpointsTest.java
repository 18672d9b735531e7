package dev.cagewright.supervisor.anchor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.audit.verify.GrowingLog;
import dev.cagewright.audit.verify.LogVerifier;
import dev.cagewright.audit.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which checkpoints go when new ones come by themselves, and which never do.
class ScheduledCheckpointsTest {
    private static final int KEPT = ScheduledCheckpoints.KEPT;

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    @BeforeEach
    void make_a_key_and_a_log() throws IOException {
        log = folder.resolve("log");
        SigningKey.generate(folder.resolve("k"));
        append();
    }

    private void append() throws IOException {
        try (var open = AuditLog.open(log, InstantSource.system())) {
            open.append(Event.note(Origin.LOG, JsonObject.EMPTY, JsonObject.EMPTY));
        }
    }

    private Notary notary(Anchor... anchors) throws IOException {
        return new Notary(
                log, SigningKey.read(folder.resolve("k.secret.hex")), List.of(anchors), InstantSource.system());
    }

    private GrowingLog growing() throws IOException {
        return GrowingLog.open(log, PinnedKey.read(folder.resolve("k.pub.hex")));
    }

    private long scheduled(Anchor... anchors) throws IOException, BrokenChainException, InterruptedException {
        append();
        try (var growing = growing()) {
            return notary(anchors).signScheduled(growing).checkpoint().seq();
        }
    }

    private long byHand(Anchor... anchors) throws IOException, BrokenChainException, InterruptedException {
        try (var growing = growing()) {
            return notary(anchors).sign(growing).checkpoint().seq();
        }
    }

    private boolean isThere(long seq) {
        return Files.exists(new CheckpointFiles(log).file(seq));
    }

    @Test
    void the_oldest_scheduled_ones_go_and_what_a_person_made_or_an_anchor_has_stays()
            throws IOException, BrokenChainException, InterruptedException {
        append();
        long hand = byHand();
        long first = scheduled();
        long taken = scheduled();
        assertThat(byHand()).as("signed by hand too").isEqualTo(taken);
        long anchored = scheduled(new Anchor.OfFile(folder.resolve("anchor")));
        long missed = scheduled(new Anchor.OfFile(folder.resolve("none/anchor")));
        var later = new ArrayList<Long>();
        for (int i = 0; i < KEPT - 2; i++) {
            later.add(scheduled());
        }
        assertThat(isThere(first)).as("exactly as many as are kept").isTrue();
        assertThat(isThere(missed)).isTrue();

        later.add(scheduled());
        assertThat(isThere(first)).isFalse();
        assertThat(isThere(missed)).isTrue();
        later.add(scheduled());

        assertThat(isThere(missed)).as("no anchor has it").isFalse();
        assertThat(LongStream.of(hand, taken, anchored)).allMatch(this::isThere);
        assertThat(later).allMatch(this::isThere);
        assertThat(new CheckpointFiles(log).list()).hasSize(KEPT + 3);
        assertThat(LogVerifier.of(log)
                        .pinned(PinnedKey.read(folder.resolve("k.pub.hex")))
                        .verify())
                .isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void a_list_that_was_changed_removes_nothing() throws IOException, BrokenChainException, InterruptedException {
        append();
        long hand = byHand();
        scheduled();
        var list = folder.resolve("log.scheduled");
        Files.writeString(list, Files.readString(list) + "../k.secret.hex\n");

        assertThatThrownBy(this::scheduled)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(list + ": holds what is no line's number");
        assertThat(isThere(hand)).isTrue();
        assertThat(new CheckpointFiles(log).list()).hasSize(3);
    }

    @Test
    void lists_of_threads_that_sign_at_once_lose_nothing()
            throws IOException, InterruptedException, ExecutionException {
        var all = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (long seq = 1; seq <= 40; seq++) {
                long line = seq;
                all.add(threads.submit(() -> {
                    new ScheduledCheckpoints(log).add(line);
                    return line;
                }));
            }
            for (var one : all) {
                one.get();
            }
        }
        assertThat(Files.readAllLines(folder.resolve("log.scheduled"))).hasSize(40);
    }
}
