package dev.cagewright.mcp.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventParserTest {
    private final List<String> events = new ArrayList<>();

    private EventParser parser(int most) {
        return new EventParser(most, (type, data) -> events.add(type + "|" + new String(data, StandardCharsets.UTF_8)));
    }

    private EventParser read(String text) throws IOException {
        var parser = parser(1_000);
        parser.write(text.getBytes(StandardCharsets.UTF_8));
        return parser;
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void lines_end_in_three_ways_and_bytes_come_in_any_pieces(String end) throws IOException {
        var text =
                "\ufeff: hello\nevent: message\nid: 7\nretry: 30\ndata: a\ndata:b\ndata:  c\ndata\n\ndata: ü\n\ndata: half"
                        .replace("\n", end)
                        .getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= text.length; cut++) {
            events.clear();
            var parser = parser(1_000);
            parser.write(text, 0, cut);
            parser.write(text, cut, text.length - cut);

            assertThat(events).as("cut at %s", cut).containsExactly("message|a\nb\n c\n", "|ü");
            assertThat(parser.lastId()).contains("7");
            assertThat(parser.retry()).contains(Duration.ofMillis(30));
        }
    }

    @Test
    void an_id_counts_once_its_event_is_whole_and_only_if_a_header_can_carry_it() throws IOException {
        assertThat(read("id: 1\ndata: x\n").lastId()).isEmpty();
        assertThat(read("id: 1\n\n").lastId()).contains("1");
        assertThat(read("id: a b\n\n").lastId()).isEmpty();
        assertThat(read("id: \u0001\n\n").lastId()).isEmpty();
        assertThat(read("id: 1\n\nid: 2\ndata: y").lastId()).contains("1");
    }

    @Test
    void a_pause_is_digits_and_bounded() throws IOException {
        assertThat(read("retry: -1\n").retry()).isEmpty();
        assertThat(read("retry: 1e3\n").retry()).isEmpty();
        assertThat(read("retry: 999999999\n").retry()).contains(EventParser.LONGEST_RETRY);
    }

    @Test
    void an_event_has_a_bound_in_one_line_and_in_many() {
        assertThatThrownBy(() -> parser(10).write("data: 123456".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("sent an event of more than 10 bytes");
        assertThatThrownBy(() -> parser(10).write("data:1\ndata:2\ndata:3\ndata:4\n".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("sent an event of more than 10 bytes");
    }

    @Test
    void unknown_fields_and_comments_are_left_out() throws IOException {
        read("data: a\nfoo: b\n:data: c\ndatax: d\n\n");

        assertThat(events).containsExactly("|a");
    }
}
