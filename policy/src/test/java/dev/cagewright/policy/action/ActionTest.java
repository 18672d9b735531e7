package dev.cagewright.policy.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ActionTest {
    private static final GuestPath HERE = new GuestPath("/workspace");

    private static Action.ProcExec exec(String... argv) {
        return new Action.ProcExec(List.of(argv).stream().map(ByteString::of).toList(), HERE);
    }

    @Test
    void B171_a_program_that_is_empty_or_reads_as_an_option_is_refused() {
        for (String program : List.of("--bind", "-v", "--help", "--", "")) {
            assertThatThrownBy(() -> exec(program, "x")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(exec("bind", "--bind", "-v").argv()).hasSize(3);
    }

    @Test
    void B175_arguments_are_kept_byte_for_byte_and_only_NUL_is_refused() {
        var odd = ByteString.copyOf(new byte[] {(byte) 0xff, '\n', '\t', '"', '$', 0x1b});
        var big = ByteString.of("x".repeat(120_000));

        var action = new Action.ProcExec(List.of(ByteString.of("git"), odd, ByteString.of(""), big), HERE);

        assertThat(action.argv().get(1).toByteArray()).containsExactly(0xff, '\n', '\t', '"', '$', 0x1b);
        assertThat(action.argv().get(2).size()).isZero();
        assertThat(action.argv().get(3).size()).isEqualTo(120_000);
        assertThatThrownBy(() -> exec("git", "a\0b")).hasMessage("argv[1]: contains NUL (expected: no NUL byte)");
    }

    @Test
    void sizes_are_bounded_and_said() {
        assertThatThrownBy(() -> exec("git", "x".repeat(131_072)))
                .hasMessage("argv[1]: 131072 bytes (expected: at most 131071)");
        var many = Collections.nCopies(11, "x".repeat(100_000)).toArray(String[]::new);
        assertThatThrownBy(() -> exec(many)).hasMessageContaining("(expected: at most 1048576)");
    }

    @Test
    void printable_text_cannot_move_a_terminal() {
        assertThat(ByteString.of("a\u001b]52;c\u0007\u202eb\u200b\n\\").printable())
                .isEqualTo("a\\u{1b}]52;c\\u{7}\\u{202e}b\\u{200b}\\n\\\\");
        assertThat(ByteString.copyOf(new byte[] {'a', (byte) 0xff, 0x1b}).printable())
                .isEqualTo("a\\xff\\x1b");
        assertThat(ByteString.of("é🙂").printable()).isEqualTo("é🙂");
    }

    @Test
    void guest_paths_are_canonical() {
        assertThat(GuestPath.canonical("/workspace/a/../b//./c/").value()).isEqualTo("/workspace/b/c");
        assertThat(GuestPath.canonical("/../../etc").value()).isEqualTo("/etc");
        assertThat(GuestPath.canonical("/").value()).isEqualTo("/");
        for (String bad : List.of("", "a", "/a/", "/a//b", "/a/./b", "/a/..", "/a\0b")) {
            assertThatThrownBy(() -> new GuestPath(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_path_is_within_a_tree_by_whole_names() {
        var tree = new GuestPath("/workspace");

        assertThat(new GuestPath("/workspace").isWithin(tree)).isTrue();
        assertThat(new GuestPath("/workspace/a").isWithin(tree)).isTrue();
        assertThat(new GuestPath("/workspace2").isWithin(tree)).isFalse();
        assertThat(new GuestPath("/work").isWithin(tree)).isFalse();
        assertThat(new GuestPath("/anything").isWithin(new GuestPath("/"))).isTrue();
    }

    @Test
    void hosts_have_one_spelling() {
        assertThat(new HostName("API.GitHub.com.").value()).isEqualTo("api.github.com");
        assertThat(new HostName("2001:DB8::1").value()).isEqualTo("2001:db8::1");
        for (String bad : List.of(
                "",
                ".",
                "a..b",
                "a b",
                "a\n",
                "ä.test",
                "a/b",
                "user@host",
                "x".repeat(64),
                "a:b%25",
                "\u212aelvin.test")) {
            assertThatThrownBy(() -> new HostName(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_turkish_locale_changes_nothing() {
        var before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.of("tr", "TR"));
            assertThat(new HostName("GITHUB.COM").value()).isEqualTo("github.com");
            assertThat(new Action.HttpRequest("patch-i", new HostName("a.test"), 443, "/").method())
                    .isEqualTo("PATCH-I");
        } finally {
            Locale.setDefault(before);
        }
    }
}
