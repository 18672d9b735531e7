package dev.cagewright.supervisor.changes.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.supervisor.changes.ChangeSet;
import dev.cagewright.supervisor.changes.CopiedTree;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Difference;
import dev.cagewright.supervisor.copy.Mechanism;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatchTest {
    @TempDir
    Path temp;

    private static byte[] patch(ChangeSet changes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var trees = CopyTrees.open(changes.copy())) {
            var patch = new Patch(trees, (_, line) -> out.writeBytes(line));
            for (Difference one : changes.differences()) {
                patch.write(one);
            }
        }
        return out.toByteArray();
    }

    @Test
    void git_applies_the_patch_and_gets_what_the_copy_has() throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.OVERLAY).onHost("""
                        mkdir -p d/e; seq 1 100 > d/long; seq 1 5 > d/e/f; printf 'no end' > end; echo gone > gone
                        echo x > tool; ln -s a link; echo t > retyped; : > empty-gone; echo s > 'a name with blanks'
                        """).begins().inCopy("""
                        sed -i -e '3s/.*/three/' -e '50d' -e '98s/$/!/' d/long; printf 'no end either' > end; rm gone
                        chmod 755 tool; ln -sfn b link; rm retyped; ln -s x retyped; rm empty-gone; : > empty-new
                        printf 'tab\\there' > "$(printf 'odd \\"q\\" \\303\\251 \\tname')"; echo more >> 'a name with blanks'
                        mkdir -p new/deep; seq 1 3 > new/deep/file; printf '\\377\\376\\n' > d/e/f
                        """);
        var patch = Files.write(temp.resolve("patch"), patch(tree.changes()));
        var clone = temp.resolve("clone");
        CopiedTree.run(List.of("cp", "-a", tree.host().toString(), clone.toString()), temp);

        CopiedTree.run(List.of("git", "apply", "--whitespace=nowarn", patch.toString()), clone);

        var left = new CopiedTree(Files.createDirectory(temp.resolve("again")), Mechanism.OVERLAY);
        tree.inCopy("mkdir -p \"" + left.host() + "\"; cp -a . \"" + left.host() + "\"");
        assertThat(CopiedTree.run(
                        List.of(
                                "diff",
                                "-r",
                                "--no-dereference",
                                clone.toString(),
                                left.host().toString()),
                        temp))
                .isEmpty();
        assertThat(clone.resolve("tool")).isExecutable();
    }

    @Test
    void what_is_no_text_is_named_and_a_conflict_is_told() throws IOException, InterruptedException {
        var tree = new CopiedTree(temp, Mechanism.OVERLAY)
                .onHost("printf 'a\\000b' > bin; echo 1 > both")
                .begins()
                .inCopy("printf 'a\\000c' > bin; mkfifo pipe; echo 2 > both; mkdir dir")
                .onHost("echo 3 > both");

        assertThat(new String(patch(tree.changes()), StandardCharsets.UTF_8)).isEqualTo("""
                        diff --git a/bin b/bin
                        Binary files a/bin and b/bin differ
                        # both: conflict: the host changed it after the run began
                        diff --git a/both b/both
                        --- a/both
                        +++ b/both
                        @@ -1 +1 @@
                        -3
                        +2
                        # pipe: fifo, not shown
                        """);
    }
}
