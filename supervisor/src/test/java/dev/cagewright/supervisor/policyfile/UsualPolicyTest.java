package dev.cagewright.supervisor.policyfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UsualPolicyTest {
    private static final Path FILE = Path.of("/home/alice/policies/default.yaml");

    @Test
    void what_is_written_out_is_what_the_text_says() throws PolicySyntaxException {
        var bytes = PolicyTemplates.usual().getBytes(StandardCharsets.UTF_8);
        var read = PolicyText.parse(UsualPolicy.NAME, bytes);

        var usual = UsualPolicy.at(FILE);

        assertThat(usual.document().origins().byPointer())
                .containsExactlyInAnyOrderEntriesOf(read.document().origins().byPointer());
        assertThat(usual)
                .isEqualTo(new LoadedPolicy(
                        FILE, UsualPolicy.NAME, ByteString.copyOf(bytes), read.document(), read.lines()));
    }

    @Test
    void a_text_that_says_something_else_would_be_noticed() throws PolicySyntaxException {
        var other = PolicyTemplates.usual().replace("processes: 512", "processes: 513");

        var read = PolicyText.parse(UsualPolicy.NAME, other.getBytes(StandardCharsets.UTF_8));

        assertThat(other).isNotEqualTo(PolicyTemplates.usual());
        assertThat(read.document()).isNotEqualTo(UsualPolicy.at(FILE).document());
    }
}
