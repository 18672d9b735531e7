package dev.cagewright.policy.argv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecAllowlistTest {
    private final ExecAllowlist list = new ExecAllowlist(List.of("/opt/é😀/act", "münze", "python3"));

    @Test
    void B265_a_path_beyond_ascii_is_the_same_program_in_the_policy_and_on_the_command_line() {
        assertThat(list.allows(written("/opt/é😀/act"))).isTrue();
        assertThat(list.allows(written("/opt/e\u0301😀/act"))).isFalse();
        assertThat(list.allows(written("/opt/é/act"))).isFalse();
    }

    @Test
    void B265_a_name_beyond_ascii_is_the_same_program_in_two_policies() {
        assertThat(list.allows("/opt/é😀/act")).isTrue();
        assertThat(list.allows("münze")).isTrue();
        assertThat(list.allows("/usr/bin/münze")).isTrue();
        assertThat(list.allows("munze")).isFalse();
        assertThat(list.allows("python3.12")).isTrue();
    }

    private static ProgramName written(String program) {
        return ProgramName.of(ByteString.of(program).latin1());
    }
}
