package dev.cagewright.audit.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker;

/// Any bytes are a line or a refusal, and no bytes but the right ones continue a chain. Run as a test this reads the
/// committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class LineFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_line_or_a_refusal(byte[] bytes) {
        try {
            var line = LineFormat.parse(bytes);
            assertThat(line.bytes()).isEqualTo(bytes);
            assertThat(line.json().getBytes(UTF_8)).isEqualTo(bytes);
            assertThat(line.seq()).isPositive();
            assertThat(line.hash()).matches("[0-9a-f]{64}");
        } catch (LineSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(1000).matches("\\P{Cntrl}+");
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_begin_a_log_or_are_refused(byte[] bytes) {
        var walker = ChainWalker.fromStart();
        try {
            var line = walker.next(bytes);
            assertThat(line.seq()).isEqualTo(1);
            assertThat(line.event().actionName()).isEqualTo("log.begin");
            assertThat(walker.head().end()).isEqualTo(bytes.length + 1);
        } catch (BrokenChainException e) {
            assertThat(e.line()).isEqualTo(1);
            assertThat(e.offset()).isZero();
        }
    }
}
