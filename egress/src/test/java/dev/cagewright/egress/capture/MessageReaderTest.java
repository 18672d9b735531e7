package dev.cagewright.egress.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Frames of RFC 6455, in pieces of every size.
class MessageReaderTest {
    private static final byte[] MASK = {1, 2, 3, 4};

    private final List<String> heard = new ArrayList<>();

    private MessageReader reader(long limit) {
        return new MessageReader(
                limit,
                message -> heard.add(message.opcode() + " " + message.form() + " " + message.whole() + " "
                        + StandardCharsets.ISO_8859_1.decode(message.bytes().duplicate())));
    }

    private static ByteBuf frame(int first, String payload) {
        var bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
        var out = Unpooled.buffer().writeByte(first);
        if (bytes.length < 126) {
            out.writeByte(bytes.length);
        } else if (bytes.length < 65_536) {
            out.writeByte(126).writeShort(bytes.length);
        } else {
            out.writeByte(127).writeLong(bytes.length);
        }
        return out.writeBytes(bytes);
    }

    private static ByteBuf masked(int first, String payload) {
        var bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
        var out = Unpooled.buffer()
                .writeByte(first)
                .writeByte(0x80 | bytes.length)
                .writeBytes(MASK);
        for (int i = 0; i < bytes.length; i++) {
            out.writeByte(bytes[i] ^ MASK[i & 3]);
        }
        return out;
    }

    @Test
    void messages_are_the_same_in_pieces_of_every_size() {
        var bytes = Unpooled.wrappedBuffer(
                masked(0x81, "hello"),
                frame(0x01, "frag"),
                frame(0x89, "ping"),
                frame(0x80, "ment"),
                frame(0xc2, "deflated"),
                frame(0x82, ""),
                frame(0x81, "x".repeat(200)),
                frame(0x82, "y".repeat(70_000)),
                frame(0x88, ""));
        var whole = List.of(
                "1 PLAIN 5 hello",
                "9 PLAIN 4 ping",
                "1 PLAIN 8 fragment",
                "2 DEFLATED 8 deflated",
                "2 PLAIN 0 ",
                "1 PLAIN 200 " + "x".repeat(200),
                "2 PLAIN 70000 " + "y".repeat(70_000),
                "8 PLAIN 0 ");
        for (int size : List.of(1, 2, 3, 7, 125, 4096, 200_000)) {
            heard.clear();
            var reader = reader(100_000);
            for (int at = 0; at < bytes.writerIndex(); at += size) {
                reader.look(bytes.slice(at, Math.min(size, bytes.writerIndex() - at)));
            }
            assertThat(heard).as("pieces of %s", size).isEqualTo(whole);
        }
    }

    @Test
    void of_a_message_beyond_the_limit_its_begin_is_kept_and_its_size_told() {
        var reader = reader(6);
        reader.look(frame(0x01, "abcd"));
        reader.look(frame(0x80, "efgh"));
        reader.look(frame(0x81, "after"));
        assertThat(heard).containsExactly("1 PLAIN 8 abcdef", "1 PLAIN 5 after");
    }

    @Test
    void what_is_no_frame_ends_the_reading() {
        var reader = reader(100);
        reader.look(frame(0x09, "a ping in pieces"));
        reader.look(frame(0x81, "never heard"));
        assertThat(heard).isEmpty();
        var longPing = reader(1000);
        longPing.look(frame(0x89, "p".repeat(126)));
        longPing.look(frame(0x81, "never heard"));
        assertThat(heard).isEmpty();
        var negative = reader(1000);
        negative.look(Unpooled.buffer().writeByte(0x82).writeByte(127).writeLong(-1));
        negative.look(frame(0x81, "never heard"));
        assertThat(heard).isEmpty();
    }

    @Test
    void bytes_that_were_looked_at_are_still_there_to_be_passed_on() {
        var bytes = masked(0x81, "hello");
        int before = bytes.readableBytes();
        reader(100).look(bytes);
        assertThat(bytes.readableBytes()).isEqualTo(before);
        assertThat(bytes.refCnt()).isOne();
    }
}
