package dev.cagewright.egress.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/// Two clients that share no code with the server, over real sockets.
class SocketsTest {
    private final CageNames names = new CageNames("a.test");
    private final NameServer server = new NameServer(names);
    private final ExecutorService answering = Executors.newVirtualThreadPerTaskExecutor();
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private Channel tcp;
    private DatagramSocket udp;

    @BeforeEach
    void open() throws IOException {
        tcp = listening();
        var datagrams = datagramsAt(tcp.localAddress());
        while (datagrams.isEmpty()) {
            tcp.close().syncUninterruptibly();
            tcp = listening();
            datagrams = datagramsAt(tcp.localAddress());
        }
        udp = datagrams.get();
        answering.execute(this::serveDatagrams);
    }

    private Channel listening() {
        return new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new TcpNames(server, answering))
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    /// Empty where another program has the datagrams of the same number.
    private static Optional<DatagramSocket> datagramsAt(SocketAddress address) throws IOException {
        try {
            return Optional.of(new DatagramSocket(address));
        } catch (BindException _) {
            return Optional.empty();
        }
    }

    private void serveDatagrams() {
        var packet = new DatagramPacket(new byte[4096], 4096);
        try {
            while (true) {
                packet.setLength(4096);
                udp.receive(packet);
                var answer = server.answer(Arrays.copyOf(packet.getData(), packet.getLength()), Transport.UDP);
                if (answer.isPresent()) {
                    udp.send(new DatagramPacket(answer.get(), answer.get().length, packet.getSocketAddress()));
                }
            }
        } catch (SocketException _) {
            // closed
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        udp.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        answering.close();
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) tcp.localAddress();
    }

    private static Message query(String name) throws IOException {
        return Message.newQuery(Record.newRecord(Name.fromString(name + "."), Type.A, DClass.IN));
    }

    private static String only(Message answer) {
        assertThat(answer.getSection(Section.ANSWER)).hasSize(1);
        return answer.getSection(Section.ANSWER).getFirst().rdataToString();
    }

    @Test
    void dnsjava_asks_by_udp_and_by_tcp() throws IOException {
        askTwice();
    }

    private void askTwice() throws IOException {
        var resolver = new SimpleResolver(address());
        resolver.setTimeout(Duration.ofSeconds(20));

        assertThat(only(resolver.send(query("a.test")))).isEqualTo("11.84.0.1");
        assertThat(only(resolver.send(query("evil.test")))).isEqualTo("198.51.100.1");
        resolver.setTCP(true);
        assertThat(only(resolver.send(query("a.test")))).isEqualTo("11.84.0.1");
    }

    @Test
    void netty_asks_for_both_families_and_finds_the_one_address() {
        try (var resolver = new DnsNameResolverBuilder(loop.next())
                .datagramChannelType(NioDatagramChannel.class)
                .nameServerProvider(new SingletonDnsServerAddressStreamProvider(address()))
                .queryTimeoutMillis(20_000)
                .build()) {
            assertThat(resolver.resolveAll("a.test").syncUninterruptibly().getNow())
                    .extracting(InetAddress::getHostAddress)
                    .containsExactly("11.84.0.1");
        }
    }

    @Test
    void queries_on_one_connection_are_answered_in_order_however_they_are_cut() throws IOException {
        try (var socket = new Socket(address().getAddress(), address().getPort())) {
            socket.setSoTimeout(20_000);
            socket.setTcpNoDelay(true);
            var out = new DataOutputStream(socket.getOutputStream());
            var in = new DataInputStream(socket.getInputStream());
            for (int i = 0; i < 20; i++) {
                var query = query(i % 2 == 0 ? "a.test" : "evil.test").toWire();
                out.writeByte(query.length >> 8);
                out.flush();
                out.writeByte(query.length);
                out.write(query, 0, 20);
                out.flush();
                out.write(query, 20, query.length - 20);
            }
            for (int i = 0; i < 20; i++) {
                var answer = new byte[in.readUnsignedShort()];
                in.readFully(answer);
                assertThat(only(new Message(answer))).isEqualTo(i % 2 == 0 ? "11.84.0.1" : "198.51.100.1");
            }
        }
    }

    @Test
    void noise_and_lengths_beyond_all_queries_close_the_connection_and_no_other() throws IOException {
        for (byte[] noise : new byte[][] {{0, 3, 1, 2, 3}, {(byte) 0xff, (byte) 0xff, 0}, {0, 0}}) {
            try (var socket = new Socket(address().getAddress(), address().getPort())) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write(noise);
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
        }
        askTwice();
    }
}
