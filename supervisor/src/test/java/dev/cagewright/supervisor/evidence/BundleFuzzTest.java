package dev.cagewright.supervisor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Optional;

/// Any bytes are a bundle, or one refusal of one line; whatever is in it, checking it ends with an answer. Run as a
/// test this reads the committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class BundleFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_bundle_or_a_refusal(byte[] bytes) throws IOException {
        try {
            var archive = BundleArchive.open(BundleArchive.Source.of(bytes));
            assertThat(archive.names()).isSorted().doesNotHaveDuplicates().allMatch(EntryName::isPlain);
            var answer = EvidenceCheck.check(archive, new EvidenceCheck.Keys(Optional.empty(), Optional.empty()));
            assertThat(answer.trust()).isEqualTo(EvidenceCheck.Trust.OWN_WORD);
        } catch (BundleException e) {
            assertThat(e.getMessage()).hasSizeLessThan(2000).matches("\\P{Cntrl}+");
        }
    }
}
