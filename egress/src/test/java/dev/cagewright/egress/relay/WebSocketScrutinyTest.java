package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.document.InspectSection.Reaction;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of WebSockets and trailers that are looked at on their way, over raw sockets.
class WebSocketScrutinyTest {
    private static final String TOKEN = ScrutinyTest.TOKEN;
    private static final String NEARLY = ScrutinyTest.NEARLY;
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FIN = 0x80;

    /// What the origin got: opcodes and payloads of whole messages.
    private final BlockingQueue<String> got = new LinkedBlockingQueue<>();

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws Exception {
        origin = Origin.clear(this::echo);
        bench = bench(Reaction.BLOCK);
    }

    private Bench bench(Reaction secrets) throws Exception {
        return new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(Bench.lookingForSecrets(secrets)));
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    /// Agrees, and answers each message with itself.
    private void echo(Origin.Talk talk) throws IOException {
        var head = talk.head();
        if (!head.toLowerCase(Locale.ROOT).contains("upgrade: websocket")) {
            talk.socket().getInputStream().transferTo(OutputStream.nullOutputStream());
            return;
        }
        var lying = head.contains("X-Lie") ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : "";
        talk.say("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n" + lying + "\r\n");
        var whole = new ByteArrayOutputStream();
        int opcode = 0;
        while (true) {
            var frame = Received.next(talk.in());
            if (frame.first() < 0) {
                got.add("end");
                return;
            }
            if (frame.opcode() >= CLOSE) {
                got.add(frame.opcode() + " " + frame.text());
                talk.socket().getOutputStream().write(frame(FIN | PONG, frame.payload(), 0));
                continue;
            }
            opcode = frame.opcode() == 0 ? opcode : frame.opcode();
            whole.writeBytes(frame.payload());
            if ((frame.first() & FIN) != 0) {
                got.add(opcode + " " + whole.toString(StandardCharsets.UTF_8));
                talk.socket().getOutputStream().write(frame(FIN | opcode, whole.toByteArray(), 0));
                whole.reset();
            }
        }
    }

    /// A frame as it comes.
    private record Received(int first, String text) {
        int opcode() {
            return first & 0xf;
        }

        byte[] payload() {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }

        static Received next(InputStream in) throws IOException {
            var data = new DataInputStream(in);
            int first = in.read();
            if (first < 0) {
                return new Received(-1, "");
            }
            int code = data.readUnsignedByte();
            int length = (code & 0x7f) < 126
                    ? code & 0x7f
                    : (code & 0x7f) == 126 ? data.readUnsignedShort() : (int) data.readLong();
            var mask = (code & 0x80) != 0 ? data.readNBytes(4) : new byte[4];
            var payload = data.readNBytes(length);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= mask[i & 3];
            }
            return new Received(first, new String(payload, StandardCharsets.ISO_8859_1));
        }
    }

    /// @param mask 0 for none
    private static byte[] frame(int first, byte[] payload, int mask) {
        var out = new ByteArrayOutputStream();
        out.write(first);
        int mark = mask == 0 ? 0 : 0x80;
        if (payload.length < 126) {
            out.write(mark | payload.length);
        } else if (payload.length < 65536) {
            out.writeBytes(new byte[] {(byte) (mark | 126), (byte) (payload.length >> 8), (byte) payload.length});
        } else {
            out.writeBytes(new byte[] {(byte) (mark | 127), 0, 0, 0, 0});
            out.writeBytes(bytes(payload.length));
        }
        var key = bytes(mask);
        if (mask != 0) {
            out.writeBytes(key);
        }
        for (int i = 0; i < payload.length; i++) {
            out.write(payload[i] ^ key[i & 3]);
        }
        return out.toByteArray();
    }

    private static byte[] bytes(int number) {
        return new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number};
    }

    private static byte[] said(int first, String text) {
        return frame(first, text.getBytes(StandardCharsets.UTF_8), 0x12a4f7c9);
    }

    /// Asks for a WebSocket and reads the head that agrees.
    private Socket socket(String more) throws IOException {
        var socket = bench.connect(Bench.ALLOWED);
        socket.getOutputStream()
                .write(("GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + more + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = socket.getInputStream().read();
            assertThat(b).as("after " + head).isNotNegative();
            head.append((char) b);
        }
        assertThat(head).startsWith("HTTP/1.1 101 ").doesNotContainIgnoringCase("extensions");
        return socket;
    }

    private String atTheOrigin() throws InterruptedException {
        return String.valueOf(got.poll(20, TimeUnit.SECONDS));
    }

    private static void assertStopped(Socket socket) throws IOException {
        var last = Received.next(socket.getInputStream());
        assertThat(last.opcode()).isEqualTo(CLOSE);
        assertThat(Arrays.copyOf(last.payload(), 2)).isEqualTo(new byte[] {(byte) (1008 >> 8), (byte) 1008});
        assertThat(last.text()).endsWith("secrets.github_token").doesNotContain("zQWBu");
        socket.getOutputStream().write(frame(FIN | CLOSE, last.payload(), 1));
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void a_message_with_a_credential_closes_the_websocket_with_1008_and_reaches_nobody() throws Exception {
        try (var socket = socket("")) {
            socket.getOutputStream().write(said(FIN | TEXT, "{\"token\":\"" + TOKEN + "\"}"));
            assertStopped(socket);
        }
        assertThat(bench.nextEnd()).isEqualTo("101 Stopped[kind=secrets.github_token] sent 0 received 0");
        assertThat(got).noneMatch(one -> one.contains("token"));
        bench.close();
        assertThat(bench.firstFound()).hasSize(1).allMatch(one -> one.contains("BLOCK") && !one.contains("zQWBu"));
    }

    @Test
    void the_same_message_without_a_credential_passes_and_so_does_its_answer()
            throws IOException, InterruptedException {
        try (var socket = socket("Sec-WebSocket-Extensions: permessage-deflate\r\n")) {
            socket.getOutputStream().write(said(FIN | TEXT, "{\"token\":\"" + NEARLY + "\"}"));
            assertThat(atTheOrigin()).isEqualTo("1 {\"token\":\"" + NEARLY + "\"}");
            assertThat(Received.next(socket.getInputStream()).text()).contains(NEARLY);
        }
        assertThat(origin.heads.getFirst()).doesNotContainIgnoringCase("extensions");
        assertThat(bench.nextEnd()).startsWith("101 Complete[] sent ");
        bench.close();
        assertThat(bench.found).isEmpty();
    }

    @Test
    void a_credential_over_fragments_with_a_ping_between_is_found() throws Exception {
        try (var socket = socket("")) {
            var out = socket.getOutputStream();
            out.write(said(TEXT, "x " + TOKEN.substring(0, 11)));
            out.write(said(FIN | PING, "still here"));
            assertThat(Received.next(socket.getInputStream()).opcode()).isEqualTo(PONG);
            out.write(said(FIN, TOKEN.substring(11) + " y"));
            assertStopped(socket);
        }
        assertThat(bench.nextEnd()).startsWith("101 Stopped[kind=secrets.github_token]");
        assertThat(got).contains("9 still here").noneMatch(one -> one.contains("zQWBu"));
    }

    @Test
    void fragments_without_a_credential_are_one_message_still() throws IOException, InterruptedException {
        try (var socket = socket("")) {
            var out = socket.getOutputStream();
            out.write(said(TEXT, "x " + NEARLY.substring(0, 11)));
            out.write(said(FIN | PING, "still here"));
            out.write(said(0, NEARLY.substring(11)));
            out.write(said(FIN, " y"));
            out.write(said(FIN | TEXT, ""));
            assertThat(atTheOrigin()).isEqualTo("9 still here");
            assertThat(atTheOrigin()).isEqualTo("1 x " + NEARLY + " y");
            assertThat(atTheOrigin()).isEqualTo("1 ");
        }
        assertThat(bench.nextEnd()).startsWith("101 Complete[]");
    }

    @Test
    void the_words_of_a_ping_are_looked_at_as_well() throws Exception {
        try (var socket = socket("")) {
            socket.getOutputStream().write(said(FIN | PING, TOKEN));
            assertStopped(socket);
        }
    }

    @Test
    void a_long_message_passes_whole_and_one_with_a_credential_in_it_does_not()
            throws IOException, InterruptedException {
        var fill = "x ".repeat(300_000);
        try (var socket = socket("")) {
            var sending = Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(said(FIN | TEXT, fill + NEARLY + " " + fill));
                    socket.getOutputStream().write(said(FIN | TEXT, fill + TOKEN + " " + fill));
                } catch (IOException _) {
                    // closed meanwhile, as it has to be
                    return;
                }
            });
            assertThat(atTheOrigin()).isEqualTo("1 " + fill + NEARLY + " " + fill);
            long length = 0;
            Received piece;
            do {
                piece = Received.next(socket.getInputStream());
                length += piece.payload().length;
            } while ((piece.first() & FIN) == 0);
            assertThat(length).isEqualTo(2L * fill.length() + NEARLY.length() + 1);
            assertThat(Received.next(socket.getInputStream()).text()).endsWith("secrets.github_token");
            sending.join();
        }
        assertThat(bench.nextEnd()).startsWith("101 Stopped[kind=secrets.github_token]");
        assertThat(got).noneMatch(one -> one.contains("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"));
    }

    @Test
    void thousands_of_small_messages_in_one_piece_pass_in_order() throws IOException, InterruptedException {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < 5_000; i++) {
            all.writeBytes(said(FIN | TEXT, Integer.toString(i)));
        }
        try (var socket = socket("")) {
            var reading = Thread.ofVirtual().start(() -> {
                try {
                    socket.getInputStream().skipNBytes(10_000);
                } catch (IOException _) {
                    return;
                }
            });
            socket.getOutputStream().write(all.toByteArray());
            for (int i = 0; i < 5_000; i++) {
                assertThat(atTheOrigin()).isEqualTo("1 " + i);
            }
            reading.join();
        }
    }

    @Test
    void what_a_client_says_last_before_it_hangs_up_arrives() throws IOException, InterruptedException {
        try (var socket = socket("")) {
            socket.getOutputStream().write(said(FIN | TEXT, "the last word"));
            socket.shutdownOutput();
            assertThat(atTheOrigin()).isEqualTo("1 the last word");
            assertThat(atTheOrigin()).isEqualTo("end");
        }
    }

    @Test
    void what_is_only_flagged_passes_and_is_on_record_once() throws Exception {
        bench.close();
        bench = bench(Reaction.FLAG);
        try (var socket = socket("")) {
            socket.getOutputStream().write(said(FIN | TEXT, TOKEN));
            socket.getOutputStream().write(said(FIN | TEXT, TOKEN));
            assertThat(atTheOrigin()).isEqualTo("1 " + TOKEN);
            assertThat(atTheOrigin()).isEqualTo("1 " + TOKEN);
        }
        assertThat(bench.nextEnd()).startsWith("101 Complete[]");
        bench.close();
        assertThat(bench.firstFound()).hasSize(1).allMatch(one -> one.contains("FLAG"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"compressed", "unmasked", "of no kind", "goes on without one", "endless"})
    void what_cannot_be_read_closes_with_1002_and_reaches_nobody(String what) throws Exception {
        var text = "hello".getBytes(StandardCharsets.US_ASCII);
        var bytes = switch (what) {
            case "compressed" -> frame(FIN | 0x40 | TEXT, text, 7);
            case "unmasked" -> frame(FIN | TEXT, text, 0);
            case "of no kind" -> frame(FIN | 3, text, 7);
            case "goes on without one" -> frame(FIN, text, 7);
            default -> new byte[] {(byte) (FIN | TEXT), (byte) 0xff, -1, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4};
        };
        try (var socket = socket("")) {
            socket.getOutputStream().write(bytes);
            var last = Received.next(socket.getInputStream());
            assertThat(last.opcode()).isEqualTo(CLOSE);
            assertThat(Arrays.copyOf(last.payload(), 2)).isEqualTo(new byte[] {(byte) (1002 >> 8), (byte) 1002});
        }
        assertThat(bench.nextEnd()).startsWith("101 Truncated[why=").endsWith("sent 0 received 0");
        assertThat(got).allMatch(one -> one.equals("end"));
    }

    @Test
    void an_origin_that_agrees_to_an_extension_that_was_not_offered_is_a_502() throws Exception {
        assertThat(bench.ask(
                        Bench.ALLOWED,
                        "GET /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                                + "\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nX-Lie: 1\r\n"
                                + "Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Key: k\r\n\r\n"))
                .startsWith("HTTP/1.1 502 ")
                .contains("an extension of WebSocket that was not offered");
    }

    private String chunked(String trailer) {
        return "POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port
                + "\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n" + trailer
                + "\r\n\r\n";
    }

    @Test
    void a_credential_in_a_trailer_is_a_403_that_names_the_kind() throws Exception {
        assertThat(bench.ask(Bench.ALLOWED, chunked("X-Checksum: " + TOKEN)))
                .startsWith("HTTP/1.1 403 Forbidden")
                .contains("secrets.github_token");
        assertThat(bench.nextEnd()).startsWith("403 Stopped[kind=secrets.github_token]");
        bench.close();
        assertThat(bench.firstFound()).hasSize(1).allMatch(one -> one.contains("TRAILERS"));
    }

    @Test
    void a_trailer_without_one_passes() throws Exception {
        origin.close();
        var last = new LinkedBlockingQueue<String>();
        origin = Origin.clear(talk -> {
            talk.head();
            last.add(talk.head());
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        });
        bench.close();
        bench = bench(Reaction.BLOCK);
        assertThat(bench.ask(Bench.ALLOWED, chunked("X-Checksum: " + NEARLY))).startsWith("HTTP/1.1 200 OK");
        assertThat(last.poll(20, TimeUnit.SECONDS)).containsIgnoringCase("X-Checksum: " + NEARLY);
    }
}
