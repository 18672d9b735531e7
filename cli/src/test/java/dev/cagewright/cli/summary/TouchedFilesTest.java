package dev.cagewright.cli.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TouchedFilesTest {
    @TempDir
    private Path folder;

    private FilesChanged since(Instant time) throws IOException {
        return TouchedFiles.below(ByteString.of(folder.toString()), time);
    }

    @Test
    void files_of_any_depth_count_the_shallow_ones_are_named_and_git_is_left_out() throws IOException {
        var before = Instant.now().minusSeconds(5);
        Files.createDirectories(folder.resolve("src/deep"));
        Files.createDirectories(folder.resolve(".git"));
        Files.writeString(folder.resolve(".git/index"), "x");
        Files.writeString(folder.resolve("src/deep/c"), "x");
        Files.writeString(folder.resolve("src/b"), "x");
        Files.writeString(folder.resolve("a"), "x");

        assertThat(since(before).first()).containsExactly("a", "src/b", "src/deep/c");
        assertThat(since(before).count()).isEqualTo(3);
        assertThat(since(Instant.now().plusSeconds(60)).count()).isZero();
    }

    @Test
    void a_file_that_claims_to_be_old_counts_as_what_it_is() throws IOException {
        var file = Files.writeString(folder.resolve("old"), "x");
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));

        assertThat(since(Instant.now().minusSeconds(600)).first()).containsExactly("old");
    }

    @Test
    void a_link_out_of_the_directory_is_counted_and_not_followed(@TempDir Path elsewhere) throws IOException {
        Files.writeString(elsewhere.resolve("secret"), "x");
        Files.createSymbolicLink(folder.resolve("out"), elsewhere);

        assertThat(since(Instant.now().minusSeconds(600)).first()).containsExactly("out");
    }
}
