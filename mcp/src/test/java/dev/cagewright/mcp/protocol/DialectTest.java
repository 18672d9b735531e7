package dev.cagewright.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.rpc.RpcError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialectTest {
    private static JsonObject json(String text) throws JsonSyntaxException {
        return (JsonObject) Json.parse(text);
    }

    private static Dialect of(String version) {
        return new Dialect(ProtocolVersion.of(version).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2024-11-05 | {"structuredContent":{"n":1}}                    | {"content":[{"type":"text","text":"{\\"n\\":1}"}]}
            2025-06-18 | {"structuredContent":{"n":1}}                    | {"structuredContent":{"n":1}}
            2025-11-25 | {"structuredContent":[1]}                        | {"content":[{"type":"text","text":"[1]"}]}
            2026-07-28 | {"structuredContent":[1]}                        | {"structuredContent":[1]}
            2025-03-26 | {"content":[{"type":"text","text":"a","_meta":{}}]} | {"content":[{"type":"text","text":"a"}]}
            2025-11-25 | {"resultType":"complete","content":[]}           | {"content":[]}
            2025-11-25 | {"content":[7],"own":1}                          | {"content":[7],"own":1}
            """)
    void a_result_of_a_tool_is_said_as_the_version_can(String version, String result, String said)
            throws JsonSyntaxException {
        assertThat(of(version).result("tools/call", json(result)).write()).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2024-11-05 | prompts/get              | {"messages":[{"role":"user","content":{"type":"audio","mimeType":"a/b"}}]} | cannot carry
            2025-03-26 | prompts/get              | {"messages":[{"role":"user","content":{"type":"audio","mimeType":"a/b"}}]} | "audio"
            2025-11-25 | prompts/list             | {"prompts":[{"name":"p","arguments":[{"name":"a","title":"A"}]}]}          | "title":"A"
            2025-11-25 | resources/templates/list | {"resourceTemplates":[{"name":"p","icons":[]}]}                            | "icons"
            """)
    void what_a_version_has_stays_and_what_it_lacks_goes(String version, String method, String result, String there)
            throws JsonSyntaxException {
        assertThat(of(version).result(method, json(result)).write()).contains(there);
    }

    @Test
    void what_came_later_goes_from_lists() throws JsonSyntaxException {
        assertThat(of("2025-03-26")
                        .result(
                                "prompts/list",
                                json(
                                        "{\"prompts\":[{\"name\":\"p\",\"title\":\"P\",\"arguments\":[{\"name\":\"a\",\"title\":\"A\"}]}]}"))
                        .write())
                .isEqualTo("{\"prompts\":[{\"name\":\"p\",\"arguments\":[{\"name\":\"a\"}]}]}");
        assertThat(of("2025-03-26")
                        .result(
                                "resources/list",
                                json("{\"resources\":[{\"uri\":\"a:b\",\"title\":\"P\",\"_meta\":{}}]}"))
                        .write())
                .isEqualTo("{\"resources\":[{\"uri\":\"a:b\"}]}");
    }

    @Test
    void what_went_with_the_sessions_is_not_said_without_one() throws JsonSyntaxException {
        var tools = json("{\"tools\":[{\"name\":\"t\",\"execution\":{\"taskSupport\":\"optional\"}}]}");

        assertThat(of("2026-07-28").result("tools/list", tools).write()).doesNotContain("execution");
        assertThat(of("2025-11-25").result("tools/list", tools).write()).contains("execution");
        assertThat(of("2026-07-28")
                        .capabilities(json("{\"tasks\":{},\"extensions\":{}}"))
                        .write())
                .isEqualTo("{\"extensions\":{}}");
        assertThat(of("2025-11-25")
                        .capabilities(json("{\"tasks\":{},\"extensions\":{}}"))
                        .write())
                .isEqualTo("{\"tasks\":{}}");
    }

    @Test
    void a_resource_that_is_not_there_has_the_code_of_the_version() {
        var missing = new RpcError(-32_002, "there is no such resource");

        assertThat(of("2025-11-25").error(missing).code()).isEqualTo(-32_002);
        assertThat(of("2026-07-28").error(missing).code()).isEqualTo(RpcError.INVALID_PARAMS);
        assertThat(of("2026-07-28").error(new RpcError(-32_001, "other")).code())
                .isEqualTo(-32_001);
    }
}
