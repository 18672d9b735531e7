package dev.cagewright.supervisor.resident.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.supervisor.state.StateFolders;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemdUnitTest {
    private final SystemdUnit unit;

    SystemdUnitTest(@TempDir Path root) {
        unit = new SystemdUnit(new StateFolders(root.resolve("config/cagewright"), root.resolve("state/cagewright")));
    }

    @Test
    void the_unit_starts_the_supervisor_for_ever_and_for_these_folders() {
        assertThat(unit.text(List.of("/opt/cagewright/cagewright", "supervise")).lines())
                .contains("ExecStart=\"/opt/cagewright/cagewright\" \"supervise\" \"--idle\" \"never\"")
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Environment=\"XDG_CONFIG_HOME=/")
                        .contains("/config\" \"XDG_STATE_HOME=/")
                        .endsWith("/state\""));
        assertThat(unit.file()).endsWithRaw(Path.of("config/systemd/user/cagewright.service"));
        assertThat(unit.isInstalled()).isFalse();
    }

    @Test
    void what_systemd_would_read_as_something_else_is_escaped() {
        assertThat(unit.text(List.of("/a b/100%/$x/\"q\"\\cagewright")).lines())
                .anySatisfy(
                        line -> assertThat(line).startsWith("ExecStart=\"/a b/100%%/$$x/\\\"q\\\"\\\\cagewright\" "));
        assertThatThrownBy(() -> unit.text(List.of("/a\nExecStartPre=/bin/false")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("control character");
    }
}
