package dev.cagewright.egress.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.InspectSection.Reaction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Any body has the same findings in pieces of any size, and nothing goes before it is clear. Run as a test this reads
/// the committed inputs; with `JAZZER_FUZZ=1` in the environment it looks for new ones.
class InspectFuzzTest {
    private static final InspectSection NONE = InspectSection.SILENT;

    private static Inspection flagging() {
        var flag = Optional.of(Reaction.FLAG);
        return Inspection.of(
                new InspectSection(
                        flag,
                        flag,
                        flag,
                        NONE.entropy(),
                        flag,
                        flag,
                        flag,
                        flag,
                        NONE.bodyMax(),
                        NONE.custom(),
                        Optional.empty()),
                List.of(),
                _ -> false);
    }

    private static Inspection blocking() {
        return Inspection.of(
                new InspectSection(
                        Optional.of(Reaction.BLOCK),
                        NONE.encoded(),
                        NONE.auth(),
                        NONE.entropy(),
                        NONE.types(),
                        NONE.bombs(),
                        NONE.dns(),
                        NONE.fetchTools(),
                        NONE.bodyMax(),
                        NONE.custom(),
                        Optional.empty()),
                List.of(),
                _ -> false);
    }

    private static Message message(String coding) {
        return new Message(
                Message.Direction.REQUEST,
                "POST",
                "a.test",
                443,
                "/v1/messages",
                List.of(Map.entry("Content-Encoding", coding), Map.entry("Content-Type", "application/json")));
    }

    private static Set<String> kinds(Inspection inspection, String coding, byte[] body, int size) {
        var kinds = new TreeSet<String>();
        long cleared = 0;
        try (var examination = inspection.examine(message(coding))) {
            for (int at = 0; at < body.length; at += size) {
                var piece = Arrays.copyOfRange(body, at, Math.min(body.length, at + size));
                examination.next(piece, 0, piece.length).forEach(finding -> kinds.add(finding.kind()));
                assertThat(examination.clearedTo()).isBetween(cleared, (long) at + piece.length);
                cleared = examination.clearedTo();
            }
            examination.end().forEach(finding -> kinds.add(finding.kind()));
        }
        return kinds;
    }

    @FuzzTest(maxDuration = "2m")
    void a_body_has_the_same_findings_in_pieces_of_any_size(byte[] bytes) {
        if (bytes.length < 2) {
            return;
        }
        var body = Arrays.copyOfRange(bytes, 1, bytes.length);
        int size = 1 + (bytes[0] & 0xff);
        for (var inspection : List.of(flagging(), blocking())) {
            assertThat(kinds(inspection, "identity", body, size))
                    .isEqualTo(kinds(inspection, "identity", body, body.length));
        }
    }

    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_a_packed_body_or_a_finding(byte[] bytes) {
        if (bytes.length < 2) {
            return;
        }
        var body = Arrays.copyOfRange(bytes, 1, bytes.length);
        int size = 1 + (bytes[0] & 0xff);
        for (String coding : List.of("gzip", "deflate")) {
            assertThat(kinds(flagging(), coding, body, size)).isEqualTo(kinds(flagging(), coding, body, body.length));
        }
    }
}
