package dev.cagewright.supervisor.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.supervisor.copy.Mechanism;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscardTest {
    @TempDir
    Path temp;

    private static RelativePath path(String text) {
        return new RelativePath(ByteString.of(text));
    }

    @Test
    void nothing_of_a_hostile_tree_is_left_and_the_host_keeps_everything() throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.OVERLAY)
                .onHost("mkdir d; echo x > d/x; echo y > y")
                .begins()
                .inCopy("""
                        rm -r d; mkdir shut; echo s > shut/s; mkdir shut/in; chmod 000 shut/in shut; mkfifo pipe; ln -s / root
                        mkdir wide; cd wide; seq 1 3000 | xargs touch; cd ..; touch .removed-1 "$(printf 'n\\n\\377')"
                        python3 -c "import os
                        for i in range(10000): os.mkdir('d', 0o700); os.chdir('d')"
                        """);
        tree.copy();

        Discard.all(tree.session());

        assertThat(tree.session().resolve("copy")).doesNotExist();
        assertThat(SessionCopy.all(tree.session())).isEmpty();
        assertThat(tree.host().resolve("d/x")).hasContent("x");
        assertThat(Path.of("/usr")).isDirectory();
    }

    @Test
    void an_interrupted_discard_is_finished_by_the_next_one() throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.OVERLAY)
                .onHost("echo x > x")
                .begins()
                .inCopy("echo y > y");
        tree.copy();
        Files.delete(tree.session().resolve("copy/copy.json"));

        assertThat(Discard.isHalfDone(tree.session())).isTrue();
        Discard.all(tree.session());

        assertThat(Discard.isHalfDone(tree.session())).isFalse();
        assertThat(tree.session().resolve("copy")).doesNotExist();
    }

    @Test
    void one_path_of_an_overlay_is_again_what_it_is_on_the_host() throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.OVERLAY)
                .onHost("echo x > x; mkdir d; echo a > d/a; echo g > gone")
                .begins()
                .inCopy("echo y > x; echo b > d/b; echo c > d/a; rm gone; echo n > new");

        assertThat(Discard.some(tree.copy(), List.of(path("d"), path("gone"), path("nowhere"))))
                .containsExactly(path("nowhere"));

        assertThat(tree.lines()).containsExactly("A new", "M x");
    }

    @Test
    void a_part_of_a_whole_copy_is_refused() throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.COPY)
                .onHost("echo x > x")
                .begins()
                .inCopy("echo y > x");

        assertThatThrownBy(() -> Discard.some(tree.copy(), List.of(path("x"))))
                .isInstanceOf(IOException.class)
                .hasMessage("the copy is a whole one (copy): a part of it cannot be discarded (expected: no PATH, or"
                        + " apply of what is wanted)");
        assertThat(tree.lines()).containsExactly("M x");
    }
}
