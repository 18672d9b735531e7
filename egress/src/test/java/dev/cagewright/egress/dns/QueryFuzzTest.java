package dev.cagewright.egress.dns;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.policy.action.HostName;
import java.io.IOException;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;

/// Any bytes are answered or met with silence. Run as a test this reads the committed inputs; with `JAZZER_FUZZ=1` in
/// the
/// environment it looks for new ones.
class QueryFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void any_bytes_have_one_answer_that_another_reads_or_none(byte[] bytes) throws IOException {
        for (var transport : Transport.values()) {
            var names = new CageNames("a.test", "*.w.test");
            var server = new NameServer(names);
            var answer = server.answer(bytes, transport);
            if (answer.isEmpty()) {
                assertThat(bytes.length < 12 || bytes[2] < 0).isTrue();
                continue;
            }
            var wire = answer.get();
            assertThat(wire).hasSizeBetween(12, transport == Transport.UDP ? 512 : 1232);
            assertThat(server.answer(wire, transport)).isEmpty();
            var read = new Message(wire);
            assertThat(read.getHeader().getID()).isEqualTo((bytes[0] & 0xff) << 8 | (bytes[1] & 0xff));
            if (!names.asked.isEmpty()) {
                var asked = question(bytes).getQuestion();
                assertThat(names.asked)
                        .containsExactly(new HostName(asked.getName().toString()));
                assertThat(read.getSection(Section.ANSWER))
                        .hasSize(asked.getType() == Type.A ? 1 : 0)
                        .allSatisfy(record -> assertThat(record.getName()).isEqualTo(asked.getName()));
            }
        }
    }

    /// The query without its OPT record, of whose options dnsjava expects more than the server reads.
    private static Message question(byte[] query) throws IOException {
        var copy = query.clone();
        copy[10] = 0;
        copy[11] = 0;
        return new Message(copy);
    }
}
