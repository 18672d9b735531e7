package dev.cagewright.mcp.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.door.EchoOffer;
import dev.cagewright.mcp.rpc.RpcId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Whatever a client sends, each line of the answer is a message, nothing is thrown where nobody looks, and a good line
/// after it is answered. Run as a test this reads the committed inputs; with `JAZZER_FUZZ=1` in the environment it
/// looks
/// for new ones.
class FrameFuzzTest {
    private static final String LAST = "\n{\"jsonrpc\":\"2.0\",\"id\":\"last one\",\"method\":\"ping\"}\n";
    private static final String PONG = "{\"jsonrpc\":\"2.0\",\"id\":\"last one\",\"result\":{}}";

    @FuzzTest(maxDuration = "2m")
    void any_bytes_are_answered_and_the_next_line_is_too(byte[] bytes) throws IOException, JsonSyntaxException {
        var faults = new ConcurrentLinkedQueue<Throwable>();
        var said = new ByteArrayOutputStream();
        var sent = new ByteArrayOutputStream();
        sent.write(bytes);
        sent.write(LAST.getBytes(StandardCharsets.UTF_8));
        var offer = new EchoOffer();
        offer.gate.countDown();

        StdioDoor.serve(
                new StdioDoor.Terms(offer, (_, failure) -> faults.add(failure), Duration.ofSeconds(30)),
                new ByteArrayInputStream(sent.toByteArray()),
                said);

        var lines = said.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).contains(PONG);
        for (String line : lines) {
            switch (Json.parse(line)) {
                case JsonObject message -> isMessage(message);
                case JsonArray(var messages) ->
                    assertThat(messages).isNotEmpty().allSatisfy(one -> isMessage((JsonObject) one));
                default -> throw new AssertionError(line);
            }
        }
        assertThat(faults)
                .allMatch(failure -> failure instanceof IllegalStateException || failure instanceof StackOverflowError);
    }

    private static void isMessage(JsonObject message) {
        assertThat(message.text("jsonrpc")).contains("2.0");
        var parts = message.members().keySet();
        assertThat(parts).isSubsetOf("jsonrpc", "id", "method", "params", "result", "error");
        assertThat(parts).containsAnyOf("method", "result", "error");
        message.member("id")
                .filter(id -> !id.write().equals("null"))
                .ifPresent(id -> assertThat(RpcId.of(id)).isPresent());
    }
}
