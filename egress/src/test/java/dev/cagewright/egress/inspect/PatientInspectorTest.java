package dev.cagewright.egress.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.document.InspectSection;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Inspectors of somebody else's that do not come to an end.
class PatientInspectorTest {
    private static final Duration SHORT = Duration.ofSeconds(10);

    private final CountDownLatch released = new CountDownLatch(1);

    /// Never ends for a piece that begins with `loop`, until it is released; does not care for interrupts.
    private final class Endless implements Inspector {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public Look begin(Message message) {
            if (message.method().equals("LOOP")) {
                waitOn();
            }
            return new Look() {
                @Override
                public Verdict next(ByteBuffer piece) {
                    if (piece.get(0) == 'l') {
                        waitOn();
                    }
                    return piece.get(0) == 'x' ? Verdict.block("letter", 0) : Verdict.ALLOW;
                }

                @Override
                public long clearedTo() {
                    return 3;
                }
            };
        }
    }

    private void waitOn() {
        while (released.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
            var _ = Thread.interrupted();
        }
    }

    private final Inspection inspection = Inspection.of(
            InspectSection.SILENT, List.of(new PatientInspector("own", new Endless(), SHORT)), _ -> false);

    private List<String> kinds(String method, String body) {
        var message = new Message(Message.Direction.REQUEST, method, "a.test", 443, "/", List.of());
        try (var examination = inspection.examine(message)) {
            var bytes = body.getBytes(StandardCharsets.US_ASCII);
            return examination.next(bytes, 0, bytes.length).stream()
                    .filter(Finding::blocks)
                    .map(Finding::kind)
                    .toList();
        }
    }

    @Test
    void a_look_that_does_not_end_blocks_with_the_inspectors_name_and_others_pass() {
        assertThat(kinds("POST", "loop")).containsExactly("own.slow");
        assertThat(kinds("LOOP", "abc")).containsExactly("own.slow");
        assertThat(kinds("POST", "abc")).isEmpty();
        assertThat(kinds("POST", "xyz")).containsExactly("own.letter");
        released.countDown();
    }

    @Test
    void beyond_a_few_that_are_stuck_everything_is_blocked_until_they_end() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var stuck = IntStream.range(0, PatientInspector.MOST_STUCK)
                    .mapToObj(_ -> CompletableFuture.supplyAsync(() -> kinds("POST", "loop"), threads))
                    .toList();
            assertThat(stuck).allSatisfy(one -> assertThat(one.join()).containsExactly("own.slow"));
        }
        assertThat(kinds("POST", "abc")).containsOnly("own.stuck").isNotEmpty();
        released.countDown();
        while (!kinds("POST", "abc").isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void what_is_clear_is_asked_for_with_the_piece() {
        var message = new Message(Message.Direction.REQUEST, "POST", "a.test", 443, "/", List.of());
        try (var examination = inspection.examine(message)) {
            var bytes = "abcdef".getBytes(StandardCharsets.US_ASCII);
            assertThat(examination.next(bytes, 0, bytes.length)).isEmpty();
            assertThat(examination.clearedTo()).isEqualTo(3);
        }
    }
}
