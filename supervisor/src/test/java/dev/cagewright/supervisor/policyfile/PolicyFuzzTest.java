package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Problems;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Any bytes are a policy or a list of problems. Run as tests these read the committed inputs; with
/// `JAZZER_FUZZ=1` in the environment they look for new ones.
class PolicyFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_policy_or_a_list_of_problems(byte[] bytes) {
        try {
            var policy = PolicyText.parse("p", bytes);
            assertThat(policy.document().origins().at("")).isPresent();
            assertThat(policy.lines()).isNotEmpty();
        } catch (PolicySyntaxException e) {
            assertThat(e.problems()).hasSizeBetween(1, Problems.MAX);
            assertThat(e.problems())
                    .allSatisfy(problem -> assertThat(problem.toString()).doesNotContain("\n", "\u001b"));
        }
    }

    @FuzzTest(maxDuration = "2m")
    void what_a_policy_is_added_is_all_that_changes(byte[] bytes) {
        try {
            var writer = new PolicyWriter("p", new String(bytes, StandardCharsets.UTF_8));
            var text = writer.withItem(List.of("exec", "allowlist"), Node.text("git"));
            assertThat(PolicyText.parse("p", text.getBytes(StandardCharsets.UTF_8))
                            .document()
                            .exec()
                            .orElseThrow()
                            .allowlist()
                            .orElseThrow())
                    .endsWith("git");
        } catch (PolicySyntaxException | IllegalArgumentException _) {
            // a text that is no policy, or has no place for the item
        }
    }
}
