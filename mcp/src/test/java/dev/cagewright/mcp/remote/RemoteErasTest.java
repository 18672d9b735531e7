package dev.cagewright.mcp.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.event.Event;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.conformance.ConformanceOffer;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.guest.KeptCaller;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Silent;
import dev.cagewright.mcp.http.HttpDoor;
import dev.cagewright.mcp.protocol.ProtocolVersion;
import dev.cagewright.mcp.rpc.RpcException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A whole server at an address, by way of a gateway.
@Timeout(120)
class RemoteErasTest {
    @TempDir
    Path folder;

    private final KeptEars ears = new KeptEars();
    private final HttpDoor door;

    RemoteErasTest() throws IOException, JsonSyntaxException {
        door = HttpDoor.loopback(new ConformanceOffer(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() {
        door.close();
    }

    private int port() {
        return URI.create(door.url()).getPort();
    }

    private Elsewhere elsewhere() {
        return Elsewhere.allowed(
                folder, port(), "Authorization: Bearer " + door.token().orElseThrow());
    }

    private static JsonObject call(String tool) {
        return Json.object()
                .put("name", tool)
                .put("arguments", JsonObject.EMPTY)
                .build();
    }

    @Test
    void a_server_of_today_is_asked_and_each_request_is_on_record()
            throws IOException, RpcException, InterruptedException {
        try (var there = elsewhere();
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThat(guest.serving().agreed().version()).isEqualTo(ProtocolVersion.V2026_07_28);
            assertThat(guest.serving()
                            .ask("tools/call", call("test_simple_text"), Silent.CALLER)
                            .write())
                    .contains("This is a simple text response for testing.");
            assertThat(there.events()).extracting(Event::actionName).contains("http.request");
        }
    }

    @Test
    void progress_comes_while_a_call_is_under_way() throws IOException, RpcException, InterruptedException {
        var caller = new KeptCaller();
        try (var there = elsewhere();
                var guest = new Guest(there, ears, Patience.USUAL)) {
            guest.serving().ask("tools/call", call("test_tool_with_progress"), caller);

            assertThat(caller.heard()).hasSizeGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void one_that_the_policy_does_not_name_is_not_asked_and_that_is_told_and_on_record()
            throws IOException, InterruptedException {
        try (var there = new Elsewhere(folder, "tool: t\nnet: {hosts: [{host: other.test}]}\n", door.url());
                var guest = new Guest(there, ears, Patience.USUAL)) {
            assertThatThrownBy(guest::serving)
                    .hasMessageContaining("is not let be asked: http.request POST")
                    .hasMessageContaining("what would allow it")
                    .hasMessageContaining("it is run again when it is asked");
            assertThat(there.runs()).isEqualTo(1);
            assertThat(there.events()).extracting(Event::actionName).contains("http.request");
        }
    }
}
