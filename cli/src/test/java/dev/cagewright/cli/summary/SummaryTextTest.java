package dev.cagewright.cli.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.event.Origin;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.cli.terminal.Console.Palette;
import dev.cagewright.supervisor.scaffold.Contact;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a run came to, from a real log.
class SummaryTextTest {
    private static final String ID = "k3v7x2m4qp";
    private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private final List<Event> events = new ArrayList<>();
    private int decisions;
    private Expected expected = Expected.NOTHING;

    private SessionRecord session() {
        return new SessionRecord(
                new SessionId(ID),
                "claude-code",
                List.of("/usr/lib/claude\u001b[2J", "-p"),
                folder.toString(),
                folder.resolve("log").toString(),
                new SessionRecord.Policy("p", ""),
                START,
                Optional.of(new SessionRecord.End(START.plusSeconds(252), "exited", 3)));
    }

    private RunFacts facts() throws IOException {
        try (var log = AuditLog.open(folder.resolve("log"), InstantSource.system())) {
            for (Event event : events) {
                log.append(event);
            }
        }
        return FactsReader.read(session(), folder, expected);
    }

    private List<String> lines() throws IOException {
        return SummaryText.of(facts(), Palette.PLAIN);
    }

    private Origin next() {
        decisions++;
        return new Origin(ID, "claude-code", ID + "-" + decisions);
    }

    private static JsonObject request(String host) {
        return Json.object()
                .put("name", "http.request")
                .put("method", "GET")
                .put("host", host)
                .put("port", 443)
                .put("path", "/")
                .build();
    }

    private void reached(String host, long sent, long received) {
        var origin = next();
        events.add(Event.intent(origin, request(host), new Event.Ruling("allow", List.of("net.hosts"))));
        events.add(Event.outcome(
                origin,
                request(host),
                Json.object()
                        .put("state", "complete")
                        .put("sent_bytes", sent)
                        .put("received_bytes", received)
                        .build()));
    }

    private void denied(String host) {
        events.add(Event.intent(next(), request(host), new Event.Ruling("deny", List.of("default:deny"))));
    }

    private void note(String name, JsonObject detail) {
        events.add(Event.note(next(), Json.object().put("name", name).build(), detail));
    }

    private void answered(String reply) {
        note("approval.asked", JsonObject.EMPTY);
        note("approval.answered", Json.object().put("reply", reply).build());
    }

    @Test
    void a_refusal_that_the_scaffold_expects_is_told_apart_from_a_surprise() throws IOException {
        denied("stats.test");
        denied("stats.test.evil.test");
        expected = new Expected(List.of(new Contact("stats.test", "telemetry"), new Contact("other.test", "updates")));

        assertThat(lines())
                .containsExactly(
                        "  denied    stats.test.evil.test            1x  cagewright why " + ID + "-2",
                        "            to allow: cagewright policy suggest " + ID,
                        "  refused   as the scaffold expects: stats.test (telemetry)");
        assertThat(SummaryJson.of(facts()).write())
                .contains("\"id\":\"" + ID + "-1\",\"expected\":\"telemetry\"}", "\"id\":\"" + ID + "-2\"}");
    }

    @Test
    void a_connection_to_where_refused_names_lead_is_told_by_the_names_and_without_one_by_itself() throws IOException {
        note(
                "net.refused",
                Json.object().put("target", "198.51.100.1").put("port", 443).build());
        assertThat(SummaryText.of(facts(), Palette.PLAIN).getFirst()).startsWith("  denied    198.51.100.1 ");
        events.clear();

        var lookUp =
                Json.object().put("name", "dns.lookup").put("host", "evil.test").build();
        events.add(Event.intent(next(), lookUp, new Event.Ruling("deny", List.of("default:deny"))));

        assertThat(lines())
                .hasSize(2)
                .first()
                .asString()
                .isEqualTo("  denied    evil.test                       1x  cagewright why " + ID + "-2");
    }

    @Test
    void a_run_with_expected_refusals_alone_proposes_nothing() throws IOException {
        denied("stats.test");
        expected = new Expected(List.of(new Contact("stats.test", "telemetry")));

        assertThat(lines()).containsExactly("  refused   as the scaffold expects: stats.test (telemetry)");
    }

    @Test
    void a_run_is_told_in_aligned_lines_with_what_would_allow_its_denials() throws IOException {
        reached("api.anthropic.com", 2048, 300_000);
        reached("api.anthropic.com", 1000, 0);
        reached("npm.test", 10, 4_300_000);
        denied("pkg.test");
        denied("pkg.test");
        denied("t.test");
        answered("agreed");
        answered("refused");
        note("approval.asked", JsonObject.EMPTY);

        assertThat(lines())
                .containsExactly(
                        "  reached   api.anthropic.com                2 requests  3.0 KiB out  293 KiB in",
                        "            npm.test                         1 request      10 B out  4.1 MiB in",
                        "  denied    pkg.test                        2x  cagewright why " + ID + "-5",
                        "            t.test                          1x  cagewright why " + ID + "-6",
                        "            to allow: cagewright policy suggest " + ID,
                        "  approvals 3 asked, 1 agreed to, 1 refused, 1 waiting");
    }

    @Test
    void the_head_says_what_ran_how_it_ended_and_how_long_it_took() {
        assertThat(SummaryText.head(session(), START))
                .isEqualTo("claude-code, claude\\u{1b}[2J -p: exited 3 after 4 min 12 s, " + ID);
    }

    @Test
    void a_busy_run_stays_on_one_screen_and_says_where_the_rest_is() throws IOException {
        IntStream.range(0, 40).forEach(i -> reached("host" + i + ".test", i, i));
        IntStream.range(0, 40).forEach(i -> denied("x".repeat(i + 1) + ".bad.test"));
        answered("expired");
        new FilesChanged(
                        FilesChanged.Where.WORKSPACE,
                        9000,
                        List.of("a".repeat(60), "b".repeat(60), "c", "d", "e"),
                        /* complete= */ false)
                .write(folder);

        assertThat(lines())
                .hasSizeLessThanOrEqualTo(SummaryText.MOST_LINES)
                .allMatch(line -> line.length() <= 80)
                .contains(
                        "            36 more: cagewright net " + ID + " --summary",
                        "            36 more: cagewright net " + ID + " --denied",
                        "  approvals 1 asked, 1 not answered",
                        "  files     at least 9000 new or changed in the workspace");
    }

    @Test
    void what_a_cage_chose_cannot_move_the_cursor() throws IOException {
        reached("a\u001b]0;pwned\u0007.test", 1, 1);
        denied("\u202egro.ipyp\n\u001b[2J");
        new FilesChanged(FilesChanged.Where.WORKSPACE, 1, List.of("\u009b31m\r"), /* complete= */ true).write(folder);

        assertThat(String.join("", lines())).doesNotContainPattern("\\p{Cc}|\\p{Cf}");
    }

    @Test
    void a_run_that_did_nothing_has_nothing_to_tell() throws IOException {
        assertThat(lines()).isEmpty();
    }

    @Test
    void another_sessions_lines_are_not_counted() throws IOException {
        events.add(Event.intent(
                new Origin("aaaaaaaaaa", "other", "aaaaaaaaaa-1"),
                request("evil.test"),
                new Event.Ruling("deny", List.of("default:deny"))));
        denied("pkg.test");

        assertThat(facts().denied()).extracting(DeniedGroup::what).containsExactly("pkg.test");
    }
}
