package dev.cagewright.sandbox.gitconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTextTest {
    @TempDir
    Path temp;

    /// What the real git reads, as `name\nvalue` entries.
    private List<String> git(String text) throws IOException, InterruptedException {
        var file = Files.write(temp.resolve("config"), text.getBytes(StandardCharsets.ISO_8859_1));
        var out = temp.resolve("out");
        var git = new ProcessBuilder("git", "config", "--file", file.toString(), "--null", "--list")
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (git.waitFor() != 0) {
            return List.of("refused");
        }
        var read = Files.readString(out, StandardCharsets.ISO_8859_1);
        return read.isEmpty() ? List.of() : List.of(read.split("\0", -1)).subList(0, read.split("\0", -1).length - 1);
    }

    private static List<String> ours(String text) {
        var parsed = ConfigText.parse(text);
        return parsed.isWhole()
                ? parsed.settings().stream().map(ConfigTextTest::asGitSays).toList()
                : List.of("refused");
    }

    private static String asGitSays(Setting setting) {
        return (setting.section().isEmpty() ? setting.key() : setting.name()) + "\n" + setting.value();
    }

    private static List<String> withTrue(List<String> entries) {
        return entries.stream()
                .map(entry -> entry.contains("\n") || entry.equals("refused") ? entry : entry + "\ntrue")
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[core]\n\tbare = false\n",
                "[core] bare = false",
                "[Core]\nHooksPath = a b  c  # comment\n",
                "[remote \"or ig\\\"in\"]\n url = \"x # y\" ; z\n",
                "[core]\n# a comment does not go on \\\nfsmonitor = evil\n",
                "[core]\n; \\\n[x]\nfsmonitor = evil\\\n more\n",
                "[core]\nfsmonitor = evil\\",
                "[core]\r\nbare = true\r\nx\r\n",
                "[a.b \"c.d\"]\nk=v\n[a.B]\nk\n",
                "[core][user] name = \"a\\tb\\n\" c\n",
                "[core]\nk = \"unfinished\n",
                "[core]\nk = a\\q\n",
                "[core\nk = a\n",
                "[core \"x]\nk = a\n",
                "[core \"x\" ]\nk = a\n",
                "[core]\n1k = a\n",
                "[core]\nk_b = a\n",
                "\u00ef\u00bb\u00bf[core]\nk = a\n",
                "[core]\nk = a\u00e9\u00ff\n"
            })
    void reads_what_git_reads(String text) throws IOException, InterruptedException {
        assertThat(ours(text)).isEqualTo(withTrue(git(text)));
    }

    @Test
    void reads_random_texts_as_git_does() throws IOException, InterruptedException {
        var pieces = List.of(
                "[core]",
                "[a \"b\"]",
                "\n",
                "\n",
                " ",
                "\t",
                "k",
                "key",
                "=",
                "=",
                "\"",
                "\\",
                "\\\n",
                "#",
                ";",
                "x",
                "\r\n",
                "[",
                "]",
                "n",
                "1",
                "-",
                "\\\"",
                "\\n");
        var random = new Random(20261130);
        int whole = 0;
        for (int i = 0; i < 120; i++) {
            var text = new StringBuilder("[core]\n");
            for (int j = random.nextInt(14); j >= 0; j--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            var ours = ours(text.toString());
            assertThat(ours).as("%s", text).isEqualTo(withTrue(git(text.toString())));
            whole += ours.equals(List.of("refused")) ? 0 : 1;
        }
        assertThat(whole).isBetween(5, 115);
    }

    @Test
    void an_edit_leaves_comments_and_all_else_and_reads_back_in_git() throws IOException, InterruptedException {
        var before = "# mine\n[core]\n\tbare = false ; why\n[user]\n\tname = a\n\tname = b\n[x] y = 1\n[empty]\n";
        var name = new Setting("user", "", "name", "");
        var after = ConfigEdit.of(ConfigText.parse(before), name, List.of("c \"d\" # e\\f"));
        assertThat(after.text())
                .isEqualTo(
                        "# mine\n[core]\n\tbare = false ; why\n[user]\n\tname = \"c \\\"d\\\" # e\\\\f\"\n[x] y = 1\n[empty]\n");
        assertThat(git(after.text())).contains("user.name\nc \"d\" # e\\f");
        var gone = ConfigEdit.of(after, name, List.of());
        assertThat(gone.text()).isEqualTo("# mine\n[core]\n\tbare = false ; why\n[x] y = 1\n[empty]\n");
        var more = ConfigEdit.of(gone, new Setting("x", "", "z", ""), List.of("1", "2"));
        assertThat(more.text()).endsWith("[x] y = 1\n\tz = 1\n\tz = 2\n[empty]\n");
        var fresh = ConfigEdit.of(more, new Setting("remote", "a\"b\\", "url", ""), List.of("https://x/y"));
        assertThat(git(fresh.text())).contains("remote.a\"b\\.url\nhttps://x/y");
    }

    @Test
    void an_edit_of_random_texts_changes_that_one_setting_and_nothing_else() {
        var random = new Random(7);
        var pieces = List.of(
                "[core]", "[a \"b\"]", "[a]", "k = v\n", "k\n", "\n", "# c\n", "j = \"q\\n\"\n", " ", "\t", "\r\n");
        for (int i = 0; i < 3_000; i++) {
            var text = new StringBuilder();
            for (int j = random.nextInt(12); j >= 0; j--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            var before = ConfigText.parse(text.toString());
            if (!before.isWhole()) {
                continue;
            }
            var name = new Setting(random.nextBoolean() ? "core" : "a", "", "k", "");
            var values = new ArrayList<String>();
            for (int j = random.nextInt(4); j > 0; j--) {
                values.add(List.of("v", " w", "", "x;y").get(random.nextInt(4)));
            }
            var after = ConfigEdit.of(before, name, values);
            assertThat(after.isWhole()).as(after.text()).isTrue();
            assertThat(after.values(name)).as("%s -> %s", text, after.text()).isEqualTo(values);
            assertThat(after.settings().stream().filter(one -> !one.isNamedLike(name)))
                    .as("%s -> %s", text, after.text())
                    .isEqualTo(before.settings().stream()
                            .filter(one -> !one.isNamedLike(name))
                            .toList());
        }
    }
}
