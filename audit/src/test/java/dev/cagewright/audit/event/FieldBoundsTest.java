package dev.cagewright.audit.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.event.Event.Ruling;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldBoundsTest {
    @Test
    void an_action_of_many_small_parts_is_kept_whole() throws Exception {
        var argv = Collections.nCopies(20_000, "x".repeat(9));
        var action = Json.object().put("name", "proc.exec").put("argv", argv).build();

        assertThat(recorded(Event.note(SampleLog.ORIGIN, action, JsonObject.EMPTY))
                        .event()
                        .action())
                .isEqualTo(action);
    }

    @Test
    void a_string_that_is_too_long_is_cut_with_a_marker_that_says_what_is_missing() throws Exception {
        var action = SampleLog.exec("cat", "é".repeat(300_000));

        var line = recorded(Event.note(SampleLog.ORIGIN, action, JsonObject.EMPTY));

        assertThat(line.event().actionName()).isEqualTo("proc.exec");
        assertThat(line.json())
                .contains("\"argv\":[\"cat\",{\"cut\":{\"bytes\":600000,\"sha256\":\"")
                .contains("\"start\":\"" + "é".repeat(1024) + "\"}");
    }

    @Test
    void a_cut_never_goes_through_a_letter() throws Exception {
        var action = SampleLog.exec("cat", "x" + "🙂".repeat(100_000));

        assertThat(recorded(Event.note(SampleLog.ORIGIN, action, JsonObject.EMPTY))
                        .json())
                .contains("\"start\":\"x" + "🙂".repeat(511) + "\"");
    }

    @Test
    void an_action_of_too_many_parts_is_replaced_by_a_marker() throws Exception {
        var argv = Collections.nCopies(100_000, "x".repeat(9));
        var action = Json.object().put("name", "proc.exec").put("argv", argv).build();

        assertThat(recorded(Event.note(SampleLog.ORIGIN, action, JsonObject.EMPTY))
                        .json())
                .contains("\"action\":{\"name\":\"proc.exec\",\"cut\":{\"bytes\":1200029,\"sha256\":\"");
    }

    @Test
    void an_action_that_nests_too_deep_is_replaced_by_a_marker() throws Exception {
        JsonValue deep = Json.array().build();
        for (int i = 0; i < 5000; i++) {
            deep = new JsonArray(List.of(deep));
        }
        var action =
                Json.object().put("name", "mcp.call").put("arguments", deep).build();

        assertThat(recorded(Event.note(SampleLog.ORIGIN, action, JsonObject.EMPTY))
                        .json())
                .contains("\"action\":{\"name\":\"mcp.call\",\"cut\":{\"reason\":\"json: nested deeper than 32\"}}");
    }

    @Test
    void too_many_rules_end_in_a_marker() throws Exception {
        var rules = Collections.nCopies(3000, "r".repeat(100));

        var recorded = recorded(SampleLog.intent("a-1", "allow").ruled(new Ruling("allow", rules)))
                .event()
                .ruling()
                .rules();
        assertThat(recorded).hasSizeLessThan(700).startsWith("r".repeat(100));
        assertThat(recorded.getLast()).isEqualTo("[cut] " + (3000 - recorded.size() + 1) + " more rules");
    }

    @Test
    void B206_a_denial_keeps_host_path_and_rule_whole() throws Exception {
        var host = "h".repeat(200) + ".test";
        var path = "/" + "p".repeat(200);
        var action = Json.object()
                .put("name", "http.request")
                .put("host", host)
                .put("path", path)
                .build();
        var event = Event.intent(SampleLog.ORIGIN, action, new Ruling("deny", List.of("r".repeat(500))));

        assertThat(recorded(event).json()).contains(host, path, "r".repeat(500));
    }

    @Test
    void the_largest_event_is_below_the_bound_of_a_line() throws Exception {
        var worst = "\u0001".repeat(1024);
        var rules = Collections.nCopies(10_000, worst);
        var object = Json.object()
                .put("name", worst)
                .put("list", Collections.nCopies(40, worst))
                .build();
        var event =
                new Event(new Origin(worst, worst, worst), Event.Kind.INTENT, object, new Ruling(worst, rules), object);

        assertThat(recorded(event).bytes().length).isLessThan(LineFormat.MAX_LINE);
    }

    @Test
    void names_are_bounded() {
        assertThatThrownBy(() -> Origin.of("x".repeat(1025), ""))
                .hasMessage("session: 1025 characters (expected: at most 1024)");
    }

    private static LogLine recorded(Event event) throws LineSyntaxException {
        var composer = new LineComposer();
        composer.begin(LineFormat.NO_HASH, Instant.EPOCH);
        composer.add(1, LineFormat.body(event));
        var line = new byte[composer.size() - 1];
        composer.lines().get(line);
        return LineFormat.parse(line);
    }
}
