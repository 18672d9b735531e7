package dev.cagewright.cli.demo.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/// Servers of the host that keep every byte they get: one that the policy allows, which answers each request, and two
/// that no cage may reach, on TCP and UDP of the loopback, and a socket that stands for the person's ssh-agent.
/// Each conversation is kept up to 64 KiB.
final class Tap implements AutoCloseable {
    private static final int MOST = 64 << 10;
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\nConnection: close\r\n\r\nprices: 7"
                    .getBytes(StandardCharsets.US_ASCII);

    private final ServerSocketChannel partner;
    private final ServerSocketChannel tap;
    private final ServerSocketChannel agent;
    private final DatagramSocket datagrams;
    private final List<ByteArrayOutputStream> asked = new CopyOnWriteArrayList<>();
    private final List<ByteArrayOutputStream> tapped = new CopyOnWriteArrayList<>();

    /// @param agentSocket where the ssh-agent's socket is to stand
    Tap(Path agentSocket) throws IOException {
        partner = loopback();
        tap = loopback();
        datagrams = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(agentSocket));
        serve(partner, asked);
        serve(tap, tapped);
        serve(agent, tapped);
        Thread.ofVirtual().start(this::receive);
    }

    private static ServerSocketChannel loopback() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    }

    private static void serve(ServerSocketChannel server, List<ByteArrayOutputStream> kept) {
        Thread.ofVirtual().start(() -> {
            while (server.isOpen()) {
                try {
                    var peer = server.accept();
                    var bytes = new ByteArrayOutputStream();
                    kept.add(bytes);
                    Thread.ofVirtual().start(() -> converse(peer, bytes));
                } catch (IOException _) {
                    return;
                }
            }
        });
    }

    private static void converse(SocketChannel peer, ByteArrayOutputStream bytes) {
        try (peer) {
            var in = Channels.newInputStream(peer);
            for (int b = in.read(); b >= 0 && bytes.size() < MOST; b = in.read()) {
                bytes.write(b);
                if (bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                    Channels.newOutputStream(peer).write(ANSWER);
                }
            }
        } catch (IOException _) {
            // whoever it was has gone
        }
    }

    private void receive() {
        var packet = new DatagramPacket(new byte[MOST], MOST);
        while (!datagrams.isClosed()) {
            try {
                datagrams.receive(packet);
                var bytes = new ByteArrayOutputStream();
                bytes.write(packet.getData(), 0, packet.getLength());
                tapped.add(bytes);
            } catch (IOException _) {
                return;
            }
        }
    }

    int partnerPort() throws IOException {
        return port(partner);
    }

    int tapPort() throws IOException {
        return port(tap);
    }

    int datagramPort() {
        return datagrams.getLocalPort();
    }

    private static int port(ServerSocketChannel server) throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    /// The first lines of the requests that the allowed server got.
    List<String> asked() {
        return texts(asked).map(text -> text.lines().findFirst().orElse("")).toList();
    }

    /// Did `mark` come anywhere, in any spelling that the agent uses, or anybody to where nobody may?
    boolean heard(String mark) {
        return !tapped.isEmpty() || texts(asked).anyMatch(text -> text.contains(mark));
    }

    private static Stream<String> texts(List<ByteArrayOutputStream> kept) {
        return kept.stream().map(bytes -> bytes.toString(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        partner.close();
        tap.close();
        agent.close();
        datagrams.close();
    }
}
