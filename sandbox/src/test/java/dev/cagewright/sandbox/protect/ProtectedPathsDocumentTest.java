package dev.cagewright.sandbox.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// `docs/protected-paths.md` says what the table does.
final class ProtectedPathsDocumentTest {
    private static String document() throws IOException {
        return Files.readString(Path.of("..", "docs", "protected-paths.md"));
    }

    @Test
    void every_group_can_be_found_by_the_name_that_waives_it() throws IOException {
        for (ProtectionGroup group : ProtectionGroup.values()) {
            assertThat(document()).contains("| `" + group.id() + "` |");
        }
    }

    @Test
    void every_name_of_the_table_is_in_a_row_of_its_group() throws IOException {
        for (ProtectedName row : ProtectedName.TABLE) {
            assertThat(document().lines())
                    .as(row.toString())
                    .anyMatch(line ->
                            line.startsWith("| `" + row.group().id() + "` |") && line.contains("`" + row.path() + "`"));
        }
    }

    @Test
    void the_bounds_are_those_of_the_scan() throws IOException {
        assertThat(document())
                .contains(String.format(Locale.ROOT, "%,d entries", WorkspaceScan.ENTRY_LIMIT))
                .contains(WorkspaceScan.DEPTH_LIMIT + " levels");
    }
}
