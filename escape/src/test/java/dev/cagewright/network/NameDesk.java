package dev.cagewright.network;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// A name server of the host, at an address of this process, that remembers each question. Answers are good for no time
/// at all.
final class NameDesk implements AutoCloseable {
    static final String ADDRESS = address(ProcessHandle.current().pid());
    private static final int HEAD = 12;
    private static final int A = 1;

    private final DatagramSocket socket;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Function<String, String> addresses;

    private static String address(long number) {
        return "127." + (10 + number / 62_500 % 200) + "." + (1 + number / 250 % 250) + "." + (1 + number % 250);
    }

    /// @param addresses the IPv4 address of a name
    NameDesk(Function<String, String> addresses) throws IOException {
        this.addresses = addresses;
        this.socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(ADDRESS), 53));
        Thread.ofVirtual().start(this::serve);
    }

    /// The names, without their last dot, as often as they were asked for.
    List<String> asked() {
        return List.copyOf(asked);
    }

    private void serve() {
        var buffer = new byte[4096];
        while (!socket.isClosed()) {
            try {
                var packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                var answer = answer(Arrays.copyOf(buffer, packet.getLength()));
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (IOException _) {
                return;
            }
        }
    }

    private byte[] answer(byte[] query) {
        var name = new StringBuilder();
        int at = HEAD;
        while (query[at] != 0) {
            name.append(name.isEmpty() ? "" : ".")
                    .append(new String(query, at + 1, query[at], StandardCharsets.US_ASCII));
            at += query[at] + 1;
        }
        asked.add(name.toString());
        int end = at + 5;
        boolean isV4 = query[at + 2] == A;
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {query[0], query[1], (byte) 0x81, (byte) 0x80, 0, 1, 0, (byte) (isV4 ? 1 : 0)});
        out.writeBytes(new byte[4]);
        out.write(query, HEAD, end - HEAD);
        if (isV4) {
            out.writeBytes(new byte[] {(byte) 0xc0, HEAD, 0, A, 0, 1, 0, 0, 0, 0, 0, 4});
            out.writeBytes(
                    InetAddress.ofLiteral(addresses.apply(name.toString())).getAddress());
        }
        return out.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
