package dev.cagewright.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.supervisor.session.DenialReport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConsoleTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Console console = Console.into(
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));

    @Test
    void text_is_broken_at_blanks_and_a_long_word_stays_whole() {
        assertThat(Wrapped.text("one two three", 7)).containsExactly("one two", "three");
        assertThat(Wrapped.text("", 7)).containsExactly("");
        assertThat(Wrapped.text("a " + "x".repeat(9) + " b", 5)).containsExactly("a", "xxxxxxxxx", "b");
    }

    @Test
    void B207_widths_count_letters_and_never_cut_one() {
        assertThat(Wrapped.text("🙂🙂 🙂🙂", 5)).containsExactly("🙂🙂 🙂🙂");
        assertThat(Wrapped.text("🙂🙂 🙂🙂", 4)).containsExactly("🙂🙂", "🙂🙂");
    }

    @Test
    void colours_need_a_terminal_and_no_wish_against_them() {
        assertThat(Console.Palette.forDescriptor(0, Map.of("TERM", "xterm", "NO_COLOR", "1")))
                .isEqualTo(Console.Palette.PLAIN);
        assertThat(Console.Palette.forDescriptor(0, Map.of())).isEqualTo(Console.Palette.PLAIN);
    }

    @Test
    void B200_B206_a_denial_is_whole_wrapped_and_cannot_move_the_terminal() {
        new DenialText(console)
                .show(
                        "denied",
                        new DenialReport(
                                Optional.empty(),
                                "proc.exec x\u001b]52;c;evil\u0007",
                                List.of("net.hosts[1]"),
                                "NO_RULE",
                                "because " + "of a long list of reasons ".repeat(8),
                                Optional.of("net.hosts[1] (a.yaml:3:5)"),
                                List.of("# no policy allows this", "net:", "  hosts:")));

        var text = err.toString(StandardCharsets.UTF_8);
        assertThat(text).doesNotContain("\u001b", "\u0007").contains("\\u{1b}]52;c;evil\\u{7}");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Console.WIDTH));
        assertThat(text).contains("  allow  no policy allows this\n         net:\n           hosts:\n");
        assertThat(text).contains("reasons of a long list of reasons");
        assertThat(out.size()).isZero();
    }
}
