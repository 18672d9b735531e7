package dev.cagewright.supervisor.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramExhibitTest {
    @TempDir
    private Path temp;

    private Path workspace;

    @BeforeEach
    void begin() throws IOException {
        workspace = temp.toRealPath();
        Files.createDirectory(workspace.resolve("bin"));
        Files.writeString(workspace.resolve("bin/deploy.py"), "print('deploy')");
        Files.createSymbolicLink(workspace.resolve("deploy"), Path.of("bin/deploy.py"));
    }

    private ProgramExhibit of(String... words) {
        return with(Map.of(), words);
    }

    private ProgramExhibit with(Map<ByteString, ByteString> variables, String... words) {
        var argv = Stream.of(words).map(ByteString::of).toList();
        return new ProgramExhibit(
                new Action.ProcExec(argv, new GuestPath(workspace.toString())),
                ByteString.of(workspace.toString()),
                variables);
    }

    @Test
    void a_file_that_a_word_names_counts_with_its_content() throws IOException {
        var exhibit = of("python3", "bin/deploy.py", "--all");
        var before = exhibit.digest();
        assertThat(exhibit.digest()).isEqualTo(before);
        assertThat(exhibit.lines())
                .anySatisfy(line -> assertThat(line).startsWith("bin/deploy.py: 15 bytes, SHA-256 "));

        Files.writeString(workspace.resolve("bin/deploy.py"), "print('others')");

        assertThat(exhibit.digest()).isNotEqualTo(before);
    }

    @Test
    void a_file_behind_a_link_and_one_by_its_whole_path_count_too() throws IOException {
        for (String word : new String[] {"deploy", "./bin/../bin/deploy.py", workspace + "/bin/deploy.py"}) {
            var exhibit = of("python3", word);
            var before = exhibit.digest();
            Files.writeString(workspace.resolve("bin/deploy.py"), "print('" + word.length() + "')");
            assertThat(exhibit.digest()).as(word).isNotEqualTo(before);
        }
    }

    @Test
    void words_place_and_variables_count() throws IOException {
        var name = ByteString.of("TARGET");
        assertThat(Stream.of(
                        of("a", "b").digest(),
                        of("a", "c").digest(),
                        with(Map.of(name, ByteString.of("x")), "a", "b").digest(),
                        with(Map.of(name, ByteString.of("y")), "a", "b").digest()))
                .doesNotHaveDuplicates();
    }

    @Test
    void what_is_no_file_of_the_workspace_is_no_operand() throws IOException {
        assertThat(of("ls", "/etc/hostname", "bin", "..", "missing", "/").lines())
                .hasSize(1);
    }

    @Test
    void a_file_that_is_too_large_to_look_at_cannot_be_approved() throws IOException {
        try (var large = new RandomAccessFile(workspace.resolve("large").toFile(), "rw")) {
            large.setLength(ProgramExhibit.MOST_BYTES + 1);
        }

        assertThatThrownBy(() -> of("cat", "large").digest()).hasMessageContaining("expected: at most");
    }
}
