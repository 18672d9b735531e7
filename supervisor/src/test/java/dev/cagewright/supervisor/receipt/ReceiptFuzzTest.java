package dev.cagewright.supervisor.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes are a receipt in its one spelling, or a refusal of one line. Run as tests these read the committed inputs;
/// with `JAZZER_FUZZ=1` in the environment they look for new ones.
class ReceiptFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_receipt_or_a_refusal(byte[] bytes) {
        try {
            assertThat(SignedReceipt.parse(bytes).bytes()).isEqualTo(bytes);
        } catch (ReceiptSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(1000).matches("\\P{Cntrl}+");
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_statement_or_a_refusal(byte[] bytes) {
        try {
            assertThat(Receipt.parse(bytes).statement()).isEqualTo(bytes);
        } catch (ReceiptSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(1000).matches("\\P{Cntrl}+");
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_change_or_a_refusal(byte[] bytes) {
        try {
            var file = ChangedFile.parse(bytes);
            assertThat(file.line()).startsWith(bytes).hasSize(bytes.length + 1);
            assertThat(file.pathBytes().size()).isNotNegative();
        } catch (ReceiptSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(1000).matches("\\P{Cntrl}+");
        }
    }
}
