package dev.cagewright.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.conformance.ConformanceOffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A tool whose arguments have to stand in the head of HTTP too.
@Timeout(60)
class MirroredHeadersTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            {'region':'eu'}         | eu                | -    | 200
            {'region':'eu'}         | =?base64?ZXU=?=   | -    | 200
            {'region':'eu'}         | us                | -    | 400
            {'region':'eu'}         | -                 | -    | 400
            {'region':'eu'}         | =?base64?ZXU?=    | -    | 400
            {'region':'eu'}         | =?base64?ZX!U=?=  | -    | 400
            {'region':'eu'}         | =?base64?ZXV=?=   | -    | 400
            {'region':'ZXU='}       | ZXU=              | -    | 200
            {'region':null}         | -                 | -    | 200
            {}                      | us                | -    | 200
            {'size':{'count':42}}   | -                 | 42.0 | 200
            {'size':{'count':42}}   | -                 | 43   | 400
            {'size':{'count':42}}   | -                 | -    | 400
            {'size':{'count':1e99}} | -                 | 1e99 | 200
            {'size':[42]}           | -                 | -    | 200
            """)
    void an_argument_and_the_head_say_the_same_or_the_call_is_refused(
            String arguments, String region, String count, int status) throws IOException, JsonSyntaxException {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (var door = HttpDoor.loopback(new ConformanceOffer(), loopback)) {
            var http = new RawHttp(door)
                    .with("MCP-Protocol-Version", "2026-07-28")
                    .with("Mcp-Method", "tools/call")
                    .with("Mcp-Name", "test_region");
            http = region == null ? http : http.with("Mcp-Param-Region", region);
            http = count == null ? http : http.with("mcp-param-count", count);

            var answer = http.post(
                    ("{'jsonrpc':'2.0','id':5,'method':'tools/call','params':{'name':'test_region','arguments':"
                                    + arguments + ",'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                                    + "'io.modelcontextprotocol/clientCapabilities':{}}}}")
                            .replace('\'', '"'));

            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
            assertThat(answer.body()).contains("\"id\":5", status == 200 ? "Noted." : "-32020");
        }
    }
}
