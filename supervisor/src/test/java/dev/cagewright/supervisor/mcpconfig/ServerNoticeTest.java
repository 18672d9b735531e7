package dev.cagewright.supervisor.mcpconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is told of a repository's servers when an agent starts.
class ServerNoticeTest {
    @TempDir
    private Path folder;

    @Test
    void programs_are_named_in_one_line_and_a_hostile_name_stays_one() throws IOException {
        Files.writeString(folder.resolve(".mcp.json"), """
                {"mcpServers": {"a": {"command": "x"}, "b\\n\\u001b[2J": {"command": "x"}, "c": {"command": "x"},
                 "d": {"command": "x"}, "e": {"command": "cagewright", "args": ["run"]}, "f": {"url": "https://x.test"}}}
                """);

        assertThat(ServerNotice.of(folder))
                .containsExactly(
                        ".mcp.json has an agent start a, b\\n\\u{1b}[2J, c and 1 more: in this cage here; for agents without"
                                + " one, cagewright mcp import gives each a cage of its own",
                        ".mcp.json has e started by cagewright, which makes no cage in a cage: not here");
    }

    @Test
    void nothing_is_told_where_there_is_nothing_to_read() throws IOException {
        assertThat(ServerNotice.of(folder)).isEmpty();
        Files.writeString(folder.resolve(".mcp.json"), "{");
        assertThat(ServerNotice.of(folder)).isEmpty();
        Files.writeString(folder.resolve(".mcp.json"), "{\"mcpServers\": {\"f\": {\"url\": \"https://x.test\"}}}");
        assertThat(ServerNotice.of(folder)).isEmpty();
    }
}
