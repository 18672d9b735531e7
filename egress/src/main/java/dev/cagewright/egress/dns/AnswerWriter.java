package dev.cagewright.egress.dns;

import dev.cagewright.policy.action.HostName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes answers. None of them needs more than 512 bytes, so none is ever marked as cut; only the text of a remark is
/// shorter by UDP.
final class AnswerWriter {
    /// What every client takes by UDP (RFC 1035 section 4.2.1).
    private static final int MAX_BYTES_BY_UDP = 512;

    /// What this side takes, which avoids fragments (DNS flag day 2020); by TCP also what it sends.
    private static final int OWN_SIZE = 1232;

    /// The synthetic address of a name stays; how long a client may rely on that.
    private static final int TTL_SECONDS = 60;

    /// A name that is refused may be granted.
    private static final int TTL_OF_REFUSAL_SECONDS = 1;

    private static final int POINTER_TO_QUESTION = 0xc000 | Header.BYTES;
    private static final int OPT_HEAD = 11;
    private static final int EXTENDED_ERROR = 15;
    private static final int EXTENDED_ERROR_HEAD = 6;

    private AnswerWriter() {}

    /// A message that has nothing but a code.
    static byte[] write(Query.Malformed query) {
        return ByteBuffer.allocate(Header.BYTES)
                .putShort((short) query.header().id())
                .putShort((short) query.header().answerFlags(query.code()))
                .array();
    }

    static byte[] write(Query.Asked query, Answer answer, Transport transport) {
        var to = ByteBuffer.allocate(transport == Transport.UDP ? MAX_BYTES_BY_UDP : OWN_SIZE);
        boolean isNegative = answer.record().isEmpty()
                && (answer.code() == ResponseCode.NOERROR || answer.code() == ResponseCode.NXDOMAIN);
        to.putShort((short) query.header().id());
        to.putShort((short) query.header().answerFlags(answer.code()));
        putCounts(
                to,
                answer.record().isPresent() ? 1 : 0,
                isNegative ? 1 : 0,
                query.edns().isPresent() ? 1 : 0);
        to.put(query.question().bytes().toByteArray());
        answer.record().ifPresent(data -> putRecord(to, data, answer));
        if (isNegative) {
            putStart(to);
        }
        query.edns().ifPresent(edns -> putOpt(to, edns, answer));
        return Arrays.copyOf(to.array(), to.position());
    }

    private static void putCounts(ByteBuffer to, int answers, int authorities, int additionals) {
        to.putShort((short) 1)
                .putShort((short) answers)
                .putShort((short) authorities)
                .putShort((short) additionals);
    }

    private static void putRecord(ByteBuffer to, Answer.Data data, Answer answer) {
        int ttl = answer.remark().isPresent() ? TTL_OF_REFUSAL_SECONDS : TTL_SECONDS;
        switch (data) {
            case Answer.Data.Address(var address) ->
                putRecord(to, address.isV4() ? Type.A : Type.AAAA, ttl, address.toByteArray());
            case Answer.Data.Name(var name) -> putRecord(to, Type.PTR, ttl, wire(name));
        }
    }

    private static void putRecord(ByteBuffer to, int type, int ttl, byte[] data) {
        to.putShort((short) POINTER_TO_QUESTION).putShort((short) type).putShort((short) Type.CLASS_IN);
        to.putInt(ttl).putShort((short) data.length).put(data);
    }

    private static byte[] wire(HostName name) {
        var to = ByteBuffer.allocate(name.value().length() + 2);
        for (String label : name.value().split("\\.", -1)) {
            to.put((byte) label.length()).put(label.getBytes(StandardCharsets.US_ASCII));
        }
        return to.put((byte) 0).array();
    }

    /// The SOA record of the root, whose last number is how long the absence may be remembered (RFC 2308 section 5).
    private static void putStart(ByteBuffer to) {
        to.put((byte) 0).putShort((short) Type.SOA).putShort((short) Type.CLASS_IN);
        to.putInt(TTL_SECONDS).putShort((short) 22);
        to.put((byte) 0).put((byte) 0);
        to.putInt(1).putInt(TTL_SECONDS).putInt(TTL_SECONDS).putInt(TTL_SECONDS).putInt(TTL_SECONDS);
    }

    private static void putOpt(ByteBuffer to, Edns edns, Answer answer) {
        int room = to.remaining() - OPT_HEAD - EXTENDED_ERROR_HEAD;
        to.put((byte) 0).putShort((short) Type.OPT).putShort((short) OWN_SIZE);
        to.put((byte) answer.code().highBits()).put((byte) 0).putShort((short) (edns.flags() & Edns.DNSSEC_OK));
        if (answer.remark().isEmpty() || room < 0) {
            to.putShort((short) 0);
            return;
        }
        var remark = answer.remark().get();
        var text = utf8(remark.text(), room);
        to.putShort((short) (EXTENDED_ERROR_HEAD + text.length));
        to.putShort((short) EXTENDED_ERROR).putShort((short) (2 + text.length)).putShort((short) remark.code());
        to.put(text);
    }

    /// As many whole characters as fit, control characters left out.
    private static byte[] utf8(String text, int most) {
        var bytes = text.replaceAll("\\p{Cntrl}", " ").getBytes(StandardCharsets.UTF_8);
        int end = Math.min(bytes.length, most);
        while (end > 0 && end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }
}
