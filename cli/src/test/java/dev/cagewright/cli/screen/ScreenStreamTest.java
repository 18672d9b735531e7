package dev.cagewright.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ScreenStreamTest {
    private static final String TITLE = "\033]2;cage x\033\\";
    private static final String KEPT_TITLE = "\033[22;0t" + TITLE;

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final ScreenStream screen = new ScreenStream(terminal);

    private void program(String text) throws IOException {
        screen.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private String shown() {
        var text = terminal.toString(StandardCharsets.UTF_8);
        terminal.reset();
        return text;
    }

    private String undone(String left) throws IOException {
        program(left);
        shown();
        screen.calm();
        return shown();
    }

    @Test
    void a_title_waits_until_the_program_is_between_two_sequences() throws IOException {
        for (String half : List.of("\033", "\033[", "\033[38;5;1", "\033]8;;http://a", "\033Pq#0", "\033(", "\033]0")) {
            var stream = new ScreenStream(terminal);
            stream.write(half.getBytes(StandardCharsets.UTF_8));
            stream.title("cage x");
            assertThat(shown()).as(half).isEqualTo(half);
        }
    }

    @Test
    void a_title_waits_until_a_character_of_many_bytes_is_whole() throws IOException {
        var bytes = "日".getBytes(StandardCharsets.UTF_8);
        screen.write(bytes, 0, 2);
        screen.title("cage x");
        assertThat(terminal.size()).isEqualTo(2);
        screen.write(bytes, 2, 1);

        assertThat(shown()).isEqualTo("日" + KEPT_TITLE);
    }

    @Test
    void a_title_is_written_once_and_the_old_one_comes_back() throws IOException {
        screen.title("cage x");
        screen.title("cage x");
        program("a");
        screen.title("cage y");
        screen.oldTitle();
        screen.oldTitle();

        assertThat(shown()).isEqualTo(KEPT_TITLE + "a\033]2;cage y\033\\\033[23;0t");
        screen.title("cage x");
        assertThat(shown()).isEqualTo(KEPT_TITLE);
    }

    @Test
    void a_program_that_sets_a_title_keeps_it() throws IOException {
        for (String own : List.of("\033]0;mine\007", "\033]2;mine\033\\")) {
            var stream = new ScreenStream(terminal);
            stream.write(own.getBytes(StandardCharsets.UTF_8));
            stream.title("cage x");
            assertThat(shown()).isEqualTo(own);
        }
        program("\033]8;;http://a\033\\\033]4;1;red\007\033]10;#fff\007");
        screen.title("cage x");
        assertThat(shown()).endsWith(KEPT_TITLE);
    }

    @Test
    void what_a_killed_program_left_is_undone_and_nothing_else() throws IOException {
        assertThat(undone("\033[?1049h\033[?25l\033[?1000;1002;1006h\033[?2004h"))
                .isEqualTo("\033[?2004l\033[?1049l\033[?1006l\033[?1002l\033[?1000l\033[?25h\033(B\033[0m");
        assertThat(undone("\033[?1049h\033[?25l\033[?25h\033[?1049l")).isEqualTo("\033(B\033[0m");
        assertThat(undone("plain\033[1;31m")).isEqualTo("\033(B\033[0m");
        assertThat(undone("\033[?12h\033[4h\033[6n")).isEqualTo("\033(B\033[0m");
    }

    @Test
    void keys_regions_and_cursors_are_undone_too() throws IOException {
        assertThat(undone("\033[>1u\033[>4;2m\033[5 q\033=\033[1;10r\033[?1h"))
                .isEqualTo("\0337\033[r\0338\033[<1u\033[>4;0m\033[0 q\033>\033[?1l\033(B\033[0m");
        assertThat(undone("\033[>1u\033[<u\033[>4m\033[0 q\033>\033[r\033[?7l\033[?7h"))
                .isEqualTo("\033(B\033[0m");
    }

    @Test
    void a_sequence_that_was_cut_off_is_ended_first() throws IOException {
        assertThat(undone("\033]0;never ending")).startsWith("\030\033\\");
        assertThat(undone("\033[?104")).startsWith("\030\033\\");
    }

    @Test
    void a_screen_of_ones_own_is_seen() throws IOException {
        assertThat(screen.isFullScreen()).isFalse();
        program("\033[?1049h");
        assertThat(screen.isFullScreen()).isTrue();
        program("\033[?1049l");
        assertThat(screen.isFullScreen()).isFalse();
    }

    @Test
    void no_bytes_trip_it_and_all_pass_unchanged() throws IOException {
        var random = new SplittableRandom(42);
        var all = new byte[1 << 20];
        random.nextBytes(all);
        for (int i = 0; i < all.length; i += 7) {
            all[i] = (byte) (i % 3 == 0 ? 0x1b : "[]?;0hlPu ".charAt(random.nextInt(10)));
        }
        screen.write(all);

        assertThat(terminal.toByteArray()).isEqualTo(all);
        screen.calm();
    }

    @Test
    void a_line_is_refused_with_what_there_is_instead() {
        assertThat(StatusChoice.parse("title")).isEqualTo(StatusChoice.TITLE);
        assertThatThrownBy(() -> StatusChoice.parse("line"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("terminal emulator")
                .hasMessageContaining("expected: title");
        assertThatThrownBy(() -> StatusChoice.parse("Title"))
                .hasMessage("--status: \"Title\" (expected: title or off)");
    }

    @Test
    void only_a_terminal_that_is_known_to_have_a_title_gets_one() {
        for (String known : List.of("xterm", "xterm-256color", "tmux-256color", "screen.xterm-256color", "foot")) {
            assertThat(StatusChoice.hasTitle(Map.of("TERM", known))).as(known).isTrue();
        }
        for (String other : List.of("linux", "dumb", "vt100", "", "xtermish")) {
            assertThat(StatusChoice.hasTitle(Map.of("TERM", other))).as(other).isFalse();
        }
        assertThat(StatusChoice.hasTitle(Map.of())).isFalse();
    }
}
