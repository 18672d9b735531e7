package dev.cagewright.supervisor.resident.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.Json;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Frames over a real socket.
@SuppressWarnings("NullAway") // set before each test
class LineTest {
    private static final Executor THREADS = Thread::startVirtualThread;

    private SocketChannel here;
    private SocketChannel there;

    @BeforeEach
    void connect(@TempDir Path folder) throws IOException {
        var address = UnixDomainSocketAddress.of(folder.resolve("socket"));
        try (var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listening.bind(address);
            here = SocketChannel.open(address);
            there = listening.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        here.close();
        there.close();
    }

    @Test
    void what_one_side_writes_the_other_reads() throws IOException {
        var one = new Line(here);
        var other = new Line(there);

        one.write(Frame.of(Frame.Kind.ASK, Json.object().put("ask", "state").build()));
        one.write(Frame.of(Frame.Kind.SIZE, (33 << 16) | 99));
        one.write(Frame.of(Frame.Kind.INPUT_END, new byte[0]));
        one.finish();

        assertThat(other.read().orElseThrow().json().text("ask")).contains("state");
        assertThat(other.read().orElseThrow().number()).isEqualTo((33 << 16) | 99);
        assertThat(other.read().orElseThrow().kind()).isEqualTo(Frame.Kind.INPUT_END);
        assertThat(other.read()).isEmpty();
    }

    private void raw(byte... bytes) throws IOException {
        here.write(ByteBuffer.wrap(bytes));
        here.shutdownOutput();
    }

    @Test
    void a_frame_of_no_known_kind_is_refused() throws IOException {
        raw((byte) '?', (byte) 0, (byte) 0, (byte) 0, (byte) 0);

        assertThatThrownBy(() -> new Line(there).read())
                .isInstanceOf(IOException.class)
                .hasMessage("a frame of no known kind");
    }

    @Test
    void a_length_beyond_the_kinds_bound_is_refused_before_anything_is_made_for_it() throws IOException {
        raw((byte) 'I', (byte) 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff);

        assertThatThrownBy(() -> new Line(there).read())
                .isInstanceOf(IOException.class)
                .hasMessage("a frame INPUT of 2147483647 bytes (expected: at most 65536)");
    }

    @Test
    void a_negative_length_is_refused() throws IOException {
        raw((byte) 'Q', (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff);

        assertThatThrownBy(() -> new Line(there).read()).hasMessageContaining("4294967295 bytes");
    }

    @Test
    void a_frame_that_is_cut_is_no_end() throws IOException {
        raw((byte) 'O', (byte) 0, (byte) 0, (byte) 0, (byte) 9, (byte) 'x');

        assertThatThrownBy(() -> new Line(there).read()).isInstanceOf(EOFException.class);
    }

    @Test
    void words_that_are_no_JSON_object_are_refused() {
        assertThatThrownBy(() -> Frame.of(Frame.Kind.ASK, "[1]".getBytes(StandardCharsets.US_ASCII))
                        .json())
                .hasMessage("a frame ASK that is no JSON object");
        assertThatThrownBy(() -> Frame.of(Frame.Kind.ASK, "[".repeat(100_000).getBytes(StandardCharsets.US_ASCII))
                        .json())
                .isInstanceOf(IOException.class);
    }

    @Test
    void whoever_sends_more_input_than_there_is_room_for_is_refused() throws IOException {
        try (var incoming = new Incoming(new Line(here))) {
            for (int i = 0; i < Incoming.ROOM / Frame.MOST_BYTES; i++) {
                incoming.take(new byte[Frame.MOST_BYTES]);
            }

            assertThatThrownBy(() -> incoming.take(new byte[1])).hasMessage("more input than there was room for");
        }
    }

    /// One side reads as fast as it can, the other waits for room: every byte comes, in order, and no more are held
    /// than
    /// there is room for.
    @Test
    void input_flows_as_there_is_room_for_it()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var sent = new byte[3 << 20];
        new Random(7).nextBytes(sent);
        var room = new Room();
        var writer = new Line(here);
        var sending = CompletableFuture.runAsync(() -> send(sent, room, writer), THREADS);
        var giving = CompletableFuture.runAsync(() -> listen(room, new Line(here)), THREADS);
        var reader = new Line(there);
        var incoming = new Incoming(reader);
        var taking = CompletableFuture.runAsync(() -> take(reader, incoming), THREADS);

        assertThat(incoming.readAllBytes()).isEqualTo(sent);

        sending.get(60, TimeUnit.SECONDS);
        taking.get(60, TimeUnit.SECONDS);
        there.close();
        giving.get(60, TimeUnit.SECONDS);
    }

    private static void send(byte[] bytes, Room room, Line line) {
        try {
            for (int at = 0; at < bytes.length; ) {
                int now = room.take(Math.min(Frame.MOST_BYTES, bytes.length - at));
                line.write(Frame.of(Frame.Kind.INPUT, Arrays.copyOfRange(bytes, at, at + now)));
                at += now;
            }
            line.write(Frame.of(Frame.Kind.INPUT_END, new byte[0]));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void listen(Room room, Line line) {
        try {
            for (var frame = line.read(); frame.isPresent(); frame = line.read()) {
                room.give(frame.get().number());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void take(Line line, Incoming incoming) {
        try {
            for (var frame = line.read().orElseThrow();
                    frame.kind() == Frame.Kind.INPUT;
                    frame = line.read().orElseThrow()) {
                incoming.take(frame.bytes());
            }
            incoming.end();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
