package dev.cagewright.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.guest.KeptCaller;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Puppet;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Several servers, one of which takes its time to open.
@Timeout(60)
class SlowServerTest {
    private static final String OPENED = "{'protocolVersion':'2025-11-25','capabilities':{'tools':{}},"
            + "'serverInfo':{'name':'puppet','version':'7'}}";

    @TempDir
    Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch later = new CountDownLatch(1);

    private Relay.House house() {
        var voice = new Voice() {
            @Override
            public void said(String server, String line) {}

            @Override
            public void told(String server, String clause) {
                told.add(server + " " + clause);
            }
        };
        return new Relay.House((_, _) -> new Agreeable(), voice, _ -> Patience.USUAL);
    }

    private static String answer(Relay relay, String method, String params) throws RpcException, InterruptedException {
        try {
            var asked = (JsonObject) Json.parse(params.replace('\'', '"'));
            return relay.answer(method, asked, new KeptCaller()).write().replace('"', '\'');
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException(params, e);
        }
    }

    private Puppet server(String name, Puppet.Play opening) {
        return new Puppet(folder, name, (method, message, stage) -> switch (method) {
            case "initialize" -> opening.hears(method, message, stage);
            case "tools/list" -> stage.result(message, "{'tools':[{'name':'get'}]}");
            case "tools/call" -> stage.result(message, "{'content':[{'type':'text','text':'" + name + "'}]}");
            default -> false;
        });
    }

    private boolean late(JsonObject message, Puppet.Stage stage) {
        Thread.ofVirtual().start(() -> {
            try {
                later.await();
                stage.result(message, OPENED);
            } catch (IOException | InterruptedException _) {
                stage.die();
            }
        });
        return true;
    }

    @Test
    void whoever_calls_a_server_that_is_there_waits_for_no_other_and_lists_are_read_once()
            throws IOException, RpcException, InterruptedException {
        try (var slow = server("slow", (_, message, stage) -> late(message, stage));
                var good = server("good", (_, message, stage) -> stage.result(message, OPENED));
                var relay = Relay.of(List.of(slow, good), house())) {
            while (relay.members().getLast().servingNow().isEmpty()) {
                Thread.onSpinWait(); // until the time of the test is over
            }
            assertThat(answer(relay, "tools/call", "{'name':'good__get'}")).contains("'good'");
            assertThat(told).isEmpty();
            assertThat(slow.heard("tools/list")).isEmpty();

            later.countDown();
            assertThat(answer(relay, "tools/list", "{}")).contains("'slow__get'", "'good__get'");
            assertThat(answer(relay, "tools/call", "{'name':'slow__get'}")).contains("'slow'");
            assertThat(good.heard("tools/list")).hasSizeLessThanOrEqualTo(2);
        }
    }
}
