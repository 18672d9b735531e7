package dev.cagewright.audit.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.audit.note.NoteSyntaxException;

/// Any bytes are a proof or a refusal, and what is taken has no second form. Run as a test this reads the committed
/// inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class ProofFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_proof_of_a_line_or_a_refusal(byte[] bytes) {
        try {
            var proof = InclusionProof.parse(bytes);
            assertThat(proof.bytes()).isEqualTo(bytes);
            assertThat(proof.seq()).isBetween(1L, proof.checkpoint().seq());
            assertThat(proof.includes(bytes)).isFalse();
        } catch (NoteSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(200).matches("[ -~]+");
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_proof_of_growth_or_a_refusal(byte[] bytes) {
        try {
            var proof = ConsistencyProof.parse(bytes);
            assertThat(proof.bytes()).isEqualTo(bytes);
            assertThat(proof.path().from())
                    .isLessThanOrEqualTo(proof.checkpoint().seq());
            assertThat(proof.follows(proof.checkpoint()))
                    .isEqualTo(proof.path().from() == proof.checkpoint().seq()
                            && proof.path().hashes().isEmpty());
        } catch (NoteSyntaxException e) {
            assertThat(e.getMessage()).hasSizeLessThan(200).matches("[ -~]+");
        }
    }
}
