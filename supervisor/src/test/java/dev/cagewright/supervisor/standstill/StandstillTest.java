package dev.cagewright.supervisor.standstill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.NetCell;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Orders to a run that stands still, by way of its session's folder.
class StandstillTest {
    @TempDir
    private Path session;

    /// A box that tells what becomes of it.
    private record Told(BlockingQueue<String> acts, boolean canStand) implements Cage {
        @Override
        public String id() {
            return "told";
        }

        @Override
        public Run start(Warrant warrant, Launch launch) {
            throw new IllegalStateException("nothing is started in it");
        }

        @Override
        public void pause() throws ConfinementException {
            if (!canStand) {
                throw new ConfinementException("pause", "freeze", "no control group", "end it");
            }
            acts.add("pause");
        }

        @Override
        public void resume() {
            acts.add("resume");
        }

        @Override
        public void kill(KillReason reason) {
            acts.add("kill " + reason);
        }

        @Override
        public Snapshot snapshot() {
            throw new IllegalStateException("nobody looks");
        }

        @Override
        public Enforcement enforcement() {
            return new Enforcement(List.of(), List.of());
        }

        @Override
        public Optional<NetCell> netCell() {
            return Optional.empty();
        }

        @Override
        public long initPid() {
            return 1;
        }

        @Override
        public void close() {
            acts.add("close");
        }
    }

    private final BlockingQueue<String> acts = new LinkedBlockingQueue<>();

    private String next() throws InterruptedException {
        return String.valueOf(acts.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void it_stands_until_somebody_lets_it_go_on_and_may_stand_again() throws IOException, InterruptedException {
        var cage = new Told(acts, /* canStand= */ true);
        try (var standstill = new Standstill(session, order -> acts.add("recorded " + order.word()))) {
            assertThat(Order.isAwaited(session)).isFalse();
            for (int round = 0; round < 2; round++) {
                standstill.begin(cage);
                standstill.begin(cage);
                assertThat(next()).isEqualTo("pause");
                assertThat(Order.isAwaited(session)).isTrue();
                Order.RESUME.give(session);
                assertThat(next()).isEqualTo("recorded resume");
                assertThat(next()).isEqualTo("resume");
                assertThat(Order.isAwaited(session)).isFalse();
            }
        }
        assertThat(acts).isEmpty();
    }

    @Test
    void it_is_ended_where_that_is_the_order() throws IOException, InterruptedException {
        try (var standstill = new Standstill(session, order -> acts.add("recorded " + order.word()))) {
            standstill.begin(new Told(acts, /* canStand= */ true));
            assertThat(next()).isEqualTo("pause");
            Order.END.give(session);
            assertThat(next()).isEqualTo("recorded end");
            assertThat(next()).isEqualTo("kill REQUESTED");
        }
    }

    @Test
    void an_order_from_before_is_not_meant() throws IOException, InterruptedException {
        Order.RESUME.give(session);
        try (var standstill = new Standstill(session, _ -> {})) {
            standstill.begin(new Told(acts, /* canStand= */ true));
            assertThat(next()).isEqualTo("pause");
            assertThat(Order.given(session)).isEmpty();
        }
        assertThat(acts).isEmpty();
        assertThat(Order.isAwaited(session)).isFalse();
    }

    @Test
    void an_unknown_word_is_no_order() throws IOException {
        Files.writeString(session.resolve("standstill.order"), "resume now");
        assertThat(Order.given(session)).isEmpty();
        Files.writeString(session.resolve("standstill.order"), "e".repeat(100));
        assertThat(Order.given(session)).isEmpty();
    }

    @Test
    void what_cannot_stand_still_or_be_let_go_is_ended() throws IOException, InterruptedException {
        try (var standstill = new Standstill(session, _ -> {})) {
            standstill.begin(new Told(acts, /* canStand= */ false));
            assertThat(next()).isEqualTo("kill REQUESTED");
        }
        try (var standstill = new Standstill(session.resolve("not there"), _ -> {})) {
            standstill.begin(new Told(acts, /* canStand= */ true));
            assertThat(next()).isEqualTo("pause");
            assertThat(next()).isEqualTo("kill REQUESTED");
        }
    }
}
