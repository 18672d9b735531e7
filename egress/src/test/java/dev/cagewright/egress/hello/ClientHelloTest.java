package dev.cagewright.egress.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.hello.ClientHello.EncryptedHello;
import dev.cagewright.policy.action.HostName;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloTest {
    private static final ClientHello.Hello A_TEST =
            new ClientHello.Hello(Optional.of(new HostName("a.test")), List.of(), EncryptedHello.ABSENT);

    private static ClientHello read(byte[] bytes) {
        return ClientHello.read(Unpooled.wrappedBuffer(bytes));
    }

    private static String problem(byte[] bytes) {
        return read(bytes) instanceof ClientHello.Malformed(String why)
                ? why
                : read(bytes).toString();
    }

    private static byte[] helloOf(SslProvider provider, String host, String... protocols) throws SSLException {
        var context = SslContextBuilder.forClient()
                .sslProvider(provider)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        protocols))
                .build();
        SSLEngine engine = context.newEngine(ByteBufAllocator.DEFAULT, host, 443);
        try {
            var out = ByteBuffer.allocate(1 << 16);
            engine.beginHandshake();
            while (out.position() == 0) {
                engine.wrap(ByteBuffer.allocate(0), out);
            }
            return Arrays.copyOf(out.array(), out.position());
        } finally {
            ReferenceCountUtil.release(engine);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void the_hello_of_a_real_engine_tells_name_and_protocols(SslProvider provider) throws SSLException {
        assertThat(read(helloOf(provider, "registry.example.com", "h2", "http/1.1")))
                .isEqualTo(new ClientHello.Hello(
                        Optional.of(new HostName("registry.example.com")),
                        List.of("h2", "http/1.1"),
                        EncryptedHello.ABSENT));
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void B072_a_real_engine_that_dials_an_address_names_nobody(SslProvider provider) throws SSLException {
        assertThat(read(helloOf(provider, "192.0.2.1", "http/1.1")))
                .isEqualTo(new ClientHello.Hello(Optional.empty(), List.of("http/1.1"), EncryptedHello.ABSENT));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 7, 50, 100, 16_384})
    void B074_a_hello_in_pieces_is_read_when_it_is_whole_and_never_before(int record) {
        var message = WrittenHello.plain().serverName("a.test").message();
        var bytes = WrittenHello.records(message, Math.max(record, message.length / 60 + 1));
        for (int length = 0; length < bytes.length; length++) {
            assertThat(read(Arrays.copyOf(bytes, length)))
                    .isInstanceOfSatisfying(
                            ClientHello.Incomplete.class,
                            incomplete -> assertThat(incomplete.wanted()).isGreaterThan(0));
        }
        assertThat(read(bytes)).isEqualTo(A_TEST);
        assertThat(read(Arrays.copyOf(bytes, bytes.length + 100))).isEqualTo(A_TEST);
    }

    @Test
    void whoever_waits_for_the_wanted_bytes_asks_once_for_each_record() {
        var bytes = WrittenHello.records(
                WrittenHello.plain().serverName("a.test").padding(300).message(), 50);
        int asked = 0;
        int length = 0;
        while (read(Arrays.copyOf(bytes, length)) instanceof ClientHello.Incomplete(int wanted)) {
            assertThat(wanted).isGreaterThan(length).isLessThanOrEqualTo(bytes.length);
            length = wanted;
            asked++;
        }

        assertThat(read(Arrays.copyOf(bytes, length))).isEqualTo(A_TEST);
        assertThat(asked).isLessThanOrEqualTo(2 * (bytes.length / 55 + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {16_000, 16_384, 30_000, 60_000})
    void B074_a_large_hello_is_read(int padding) {
        assertThat(read(WrittenHello.plain()
                        .padding(padding)
                        .serverName("a.test")
                        .bytes()))
                .isEqualTo(A_TEST);
    }

    @Test
    void a_hello_is_bounded() {
        var message = WrittenHello.message(new byte[70_000]);
        assertThat(problem(Arrays.copyOf(WrittenHello.records(message, 16_384), 100)))
                .isEqualTo("a hello of 70000 bytes");
        assertThat(problem(WrittenHello.records(WrittenHello.message(new byte[65_527]), 16_384)))
                .isEqualTo("a hello of more than 65536 bytes");
        assertThat(problem(WrittenHello.records(
                        WrittenHello.plain().serverName("a.test").message(), 1)))
                .isEqualTo("a hello in more than 64 records");
        assertThat(problem(new byte[] {0x16, 3, 1, 0x40, 1})).isEqualTo("a record of 16385 bytes");
        assertThat(problem(new byte[] {0x16, 3, 1, 0, 0})).isEqualTo("a record of 0 bytes");
    }

    @Test
    void reading_consumes_nothing_and_starts_where_the_buffer_is_read() {
        var bytes = WrittenHello.plain().serverName("a.test").bytes();
        var buffer = Unpooled.buffer().writeBytes(new byte[] {1, 2, 3}).writeBytes(bytes);
        buffer.skipBytes(3);

        assertThat(ClientHello.read(buffer)).isEqualTo(A_TEST);
        assertThat(buffer.readerIndex()).isEqualTo(3);
        assertThat(buffer.readableBytes()).isEqualTo(bytes.length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "\u0080.\u0001\u0003\u0001",
                "\u0015\u0003\u0001\u0000\u0002\u0002(",
                "\u0016\u0002\u0001\u0000\u0005",
                "\u0000",
            })
    void another_protocol_is_no_tls(String bytes) {
        assertThat(read(bytes.getBytes(StandardCharsets.ISO_8859_1))).isEqualTo(new ClientHello.NotTls());
    }

    @Test
    void protocols_come_in_the_clients_order_without_grease() {
        assertThat(read(WrittenHello.plain()
                        .alpn("zz", "h2", "\u00ff", "http/1.1")
                        .bytes()))
                .isEqualTo(new ClientHello.Hello(
                        Optional.empty(), List.of("h2", "\u00ff", "http/1.1"), EncryptedHello.ABSENT));
    }

    @Test
    void B057_an_encrypted_hello_is_told_whether_real_or_made_up() {
        assertThat(read(WrittenHello.plain()
                        .serverName("a.test")
                        .extension(0xfe0d, 0, 0, 1, 0, 1, 7, 0, 0, 0, 0)
                        .bytes()))
                .isEqualTo(
                        new ClientHello.Hello(Optional.of(new HostName("a.test")), List.of(), EncryptedHello.OFFERED));
    }

    @Test
    void a_hello_without_extensions_is_an_old_clients() {
        var body = WrittenHello.plain().body();
        int fixed = 2 + 32 + 33 + 6 + 2;

        assertThat(read(WrittenHello.records(WrittenHello.message(Arrays.copyOf(body, fixed)), 16_384)))
                .isEqualTo(new ClientHello.Hello(Optional.empty(), List.of(), EncryptedHello.ABSENT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.test", "A.TEST", "a_b.test", "xn--bcher-kva.test", "localhost", "1.test"})
    void a_server_name_is_a_dns_name(String name) {
        assertThat(read(WrittenHello.plain().serverName(name).bytes()))
                .isEqualTo(new ClientHello.Hello(Optional.of(new HostName(name)), List.of(), EncryptedHello.ABSENT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "a.test.",
                "a..test",
                ".a.test",
                "127.0.0.1",
                "2130706433",
                "0X7f.1",
                "::1",
                "[::1]",
                "a.test:443",
                "a.test\u0000.evil.test",
                "a test",
                "a.test\n",
                "b\u00fccher.test",
                "b\u00c3\u00bccher.test",
                "a%2etest",
                "*.a.test",
            })
    void B058_what_is_no_dns_name_is_no_server_name(String name) {
        assertThat(problem(WrittenHello.plain().serverName(name).bytes()))
                .isEqualTo("a server name that is no DNS name");
        assertThat(problem(WrittenHello.plain()
                        .serverName("a".repeat(64) + ".test")
                        .bytes()))
                .isEqualTo("a server name that is no DNS name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0000|a server name list of another length",
                "0|0003 000000|a server name that is no DNS name",
                "0|0009 0000076162632e6465|a hello that ends too early",
                "0|0004 00000161 00|a server name list of another length",
                "0|0004 01000161|a server name that is no host name",
                "0|0008 00000161 00000162|more than one server name",
                "0||a hello that ends too early",
                "16|0000|a protocol list of another length",
                "16|0001 00|a protocol without a name",
                "16|0002 0568|a hello that ends too early",
                "16|0003 026832 00|a protocol list of another length",
            })
    void an_extension_that_does_not_fit_is_malformed(int type, String data, String why) {
        var hex = data == null ? "" : data.replace(" ", "");
        assertThat(problem(WrittenHello.plain()
                        .extension(type, HexFormat.of().parseHex(hex))
                        .bytes()))
                .isEqualTo(why);
    }

    @Test
    void a_name_twice_is_refused_whichever_comes_first() {
        assertThat(problem(WrittenHello.plain()
                        .serverName("a.test")
                        .serverName("b.test")
                        .bytes()))
                .isEqualTo("extension 0 twice");
        assertThat(problem(
                        WrittenHello.plain().extension(0x3a3a).extension(0x3a3a).bytes()))
                .isEqualTo("extension 14906 twice");
    }

    @Test
    void every_length_has_to_fit() {
        var body = WrittenHello.plain().serverName("a.test").body();
        for (int length = 0; length < body.length; length++) {
            int fixed = 2 + 32 + 33 + 6 + 2;
            var answer = read(WrittenHello.records(WrittenHello.message(Arrays.copyOf(body, length)), 16_384));
            if (length != fixed) {
                assertThat(answer).as("cut at " + length).isInstanceOf(ClientHello.Malformed.class);
            }
        }
        assertThat(problem(WrittenHello.records(WrittenHello.message(Arrays.copyOf(body, body.length + 1)), 16_384)))
                .isEqualTo("bytes behind the extensions");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 2, a version that no TLS client has",
        "34, 33, a session id of 33 bytes",
        "68, 3, cipher suites of odd length",
    })
    void a_field_of_another_shape_is_malformed(int at, int value, String why) {
        var body = WrittenHello.plain().serverName("a.test").body();
        body[at] = (byte) value;

        assertThat(problem(WrittenHello.records(WrittenHello.message(body), 16_384)))
                .startsWith(why);
    }

    @Test
    void a_record_of_another_kind_within_the_hello_is_malformed() {
        var bytes =
                WrittenHello.records(WrittenHello.plain().serverName("a.test").message(), 50);
        bytes[55] = 0x17;
        assertThat(problem(bytes)).isEqualTo("another record within the hello");

        bytes[55] = 0x16;
        bytes[56] = 2;
        assertThat(problem(bytes)).isEqualTo("a record of another version");

        bytes[56] = 3;
        bytes[5] = 2;
        assertThat(problem(bytes)).isEqualTo("handshake message 2 (expected: 1, a ClientHello)");
    }
}
