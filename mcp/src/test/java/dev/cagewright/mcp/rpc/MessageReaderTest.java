package dev.cagewright.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageReaderTest {
    private static MessageReader.Read read(String text) {
        return MessageReader.read(text.getBytes(StandardCharsets.UTF_8), 1 << 20);
    }

    private static Message.Failure refused(String text) {
        assertThat(read(text)).as(text).isInstanceOf(MessageReader.Read.Malformed.class);
        return ((MessageReader.Read.Malformed) read(text)).answer();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":\"0\",\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":-7,\"result\":{\"n\":1e400}}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}"
            })
    void what_was_read_is_written_as_it_was(String text) {
        assertThat(read(text))
                .isInstanceOfSatisfying(
                        MessageReader.Read.Single.class,
                        single -> assertThat(single.message().json().write()).isEqualTo(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"jsonrpc":"2.0","id":5,"meth                                              | -32700
            {"jsonrpc":"2.0","id":1,"method":"a","method":"b"}                         | -32700
            {"jsonrpc":"2.0","id":1,"method":"a","\\u006dethod":"b"}                   | -32700
            {"jsonrpc":"2.0","id":1,"method":"a"}{"jsonrpc":"2.0"}                     | -32700
            7                                                                          | -32600
            []                                                                         | -32600
            {"id":1,"method":"a"}                                                      | -32600
            {"jsonrpc":"1.0","id":1,"method":"a"}                                      | -32600
            {"jsonrpc":2.0,"id":1,"method":"a"}                                        | -32600
            {"jsonrpc":"2.0","id":1,"Method":"a"}                                      | -32600
            {"jsonrpc":"2.0","id":null,"method":"a"}                                   | -32600
            {"jsonrpc":"2.0","id":1.0,"method":"a"}                                    | -32600
            {"jsonrpc":"2.0","id":-0,"method":"a"}                                     | -32600
            {"jsonrpc":"2.0","id":9223372036854775808,"method":"a"}                    | -32600
            {"jsonrpc":"2.0","id":{},"method":"a"}                                     | -32600
            {"jsonrpc":"2.0","id":1,"method":""}                                       | -32600
            {"jsonrpc":"2.0","id":1,"method":"a","result":{}}                          | -32600
            {"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}      | -32600
            {"jsonrpc":"2.0","id":1}                                                   | -32600
            {"jsonrpc":"2.0","id":1,"result":[]}                                       | -32600
            {"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}                | -32600
            {"jsonrpc":"2.0","id":1,"method":"a","params":[1]}                         | -32602
            """)
    void B211_B225_B227_what_is_no_message_says_which_error_it_is(String text, int code) {
        assertThat(refused(text).error().code()).isEqualTo(code);
    }

    @Test
    void the_id_of_a_refused_request_is_told_with_its_kind() {
        assertThat(refused("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":7}").id())
                .contains(new RpcId.Text("1"));
        assertThat(refused("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}").id()).contains(new RpcId.Whole(1));
        assertThat(refused("{\"jsonrpc\":\"2.0\",\"id\":\"" + "x".repeat(257) + "\",\"method\":\"a\"}")
                        .id())
                .isEmpty();
    }

    @Test
    void something_like_an_answer_is_told_from_something_like_a_request() {
        assertThat(((MessageReader.Read.Malformed) read("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}")).kind())
                .isEqualTo(MessageReader.Read.Kind.ANSWER);
        assertThat(((MessageReader.Read.Malformed) read("{\"jsonrpc\":\"2.0\",\"id\":1,\"params\":{}}")).kind())
                .isEqualTo(MessageReader.Read.Kind.REQUEST);
    }

    @Test
    void a_batch_keeps_each_item_by_itself() {
        var batch = read("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},[],3]");

        assertThat(batch)
                .isInstanceOfSatisfying(
                        MessageReader.Read.Batch.class,
                        all -> assertThat(all.items())
                                .hasExactlyElementsOfTypes(
                                        MessageReader.Read.Single.class,
                                        MessageReader.Read.Malformed.class,
                                        MessageReader.Read.Malformed.class));
    }

    @Test
    void B216_B210_what_is_no_utf_8_or_too_deep_or_too_long_is_a_parse_error() {
        var bad = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"aX\"}".getBytes(StandardCharsets.UTF_8);
        bad[bad.length - 3] = (byte) 0xff;

        assertThat(MessageReader.read(bad, 1 << 20)).isInstanceOf(MessageReader.Read.Malformed.class);
        assertThat(refused("[".repeat(100_000)).error().code()).isEqualTo(RpcError.PARSE_ERROR);
        assertThat(MessageReader.read(new byte[2000], 1000)).isInstanceOf(MessageReader.Read.Malformed.class);
    }
}
