package dev.cagewright.egress.resolve;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// A name server of the host's, by UDP and TCP, whose messages dnsjava reads and writes.
final class UpstreamServer implements AutoCloseable {
    /// How it behaves.
    enum Manner {
        ANSWERS,
        SILENT,
        CANNOT_ANSWER,
        /// By UDP every answer is cut.
        CUTS,
        /// Says that another server knows, at an address of its own choice.
        REFERS
    }

    final AtomicInteger queries = new AtomicInteger();
    final AtomicInteger queriesByTcp = new AtomicInteger();
    private final Map<String, List<Record>> records = new ConcurrentHashMap<>();
    private final Manner manner;
    private final ServerSocket tcp;
    private final DatagramSocket udp;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    UpstreamServer(Manner manner) throws IOException {
        this.manner = manner;
        var port = Port.open();
        tcp = port.tcp();
        udp = port.udp();
        threads.execute(this::serveDatagrams);
        threads.execute(this::serveConnections);
    }

    /// One number for both: of a port that is free for connections another program may have the datagrams.
    private record Port(ServerSocket tcp, DatagramSocket udp) {
        static Port open() throws IOException {
            while (true) {
                var tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                try {
                    return new Port(tcp, new DatagramSocket(tcp.getLocalSocketAddress()));
                } catch (BindException _) {
                    tcp.close();
                }
            }
        }
    }

    InetSocketAddress address() {
        return (InetSocketAddress) tcp.getLocalSocketAddress();
    }

    /// Answers with these, in zone file form, e.g. `a.test. 60 IN A 192.0.2.1`.
    UpstreamServer with(String... lines) throws IOException {
        for (String line : lines) {
            var record = record(line);
            records.merge(key(record.getName().toString(), record.getType()), List.of(record), UpstreamServer::both);
        }
        return this;
    }

    private static Record record(String line) throws IOException {
        var words = line.split(" ", 5);
        return Record.fromString(
                Name.fromString(words[0]),
                Type.value(words[3]),
                DClass.IN,
                Long.parseLong(words[1]),
                words[4],
                Name.root);
    }

    private static List<Record> both(List<Record> some, List<Record> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static String key(String name, int type) {
        return name + " " + type;
    }

    private Optional<Message> answer(byte[] query) throws IOException {
        queries.incrementAndGet();
        var asked = new Message(query);
        var answer = new Message(asked.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.getHeader().setFlag(Flags.RA);
        answer.addRecord(asked.getQuestion(), Section.QUESTION);
        if (manner == Manner.SILENT) {
            return Optional.empty();
        }
        if (manner == Manner.CANNOT_ANSWER) {
            answer.getHeader().setRcode(Rcode.SERVFAIL);
            return Optional.of(answer);
        }
        if (manner == Manner.REFERS) {
            answer.addRecord(record("test. 60 IN NS ns.test."), Section.AUTHORITY);
            answer.addRecord(record("ns.test. 60 IN A 127.0.0.99"), Section.ADDITIONAL);
            return Optional.of(answer);
        }
        var name = asked.getQuestion().getName().toString();
        var found = records.getOrDefault(key(name, asked.getQuestion().getType()), List.of());
        found.forEach(record -> answer.addRecord(record, Section.ANSWER));
        records.getOrDefault(key(name, Type.CNAME), List.of())
                .forEach(record -> answer.addRecord(record, Section.ANSWER));
        if (records.keySet().stream().noneMatch(key -> key.startsWith(name + " "))) {
            answer.getHeader().setRcode(Rcode.NXDOMAIN);
            answer.getHeader().setFlag(Flags.AA);
        }
        return Optional.of(answer);
    }

    private void serveDatagrams() {
        var packet = new DatagramPacket(new byte[4096], 4096);
        try {
            while (true) {
                packet.setLength(4096);
                udp.receive(packet);
                var answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()));
                if (answer.isPresent()) {
                    if (manner == Manner.CUTS) {
                        answer.get().getHeader().setFlag(Flags.TC);
                        answer.get().removeAllRecords(Section.ANSWER);
                    }
                    var wire = answer.get().toWire();
                    udp.send(new DatagramPacket(wire, wire.length, packet.getSocketAddress()));
                }
            }
        } catch (IOException _) {
            // closed
        }
    }

    private void serveConnections() {
        try {
            while (true) {
                try (var socket = tcp.accept()) {
                    var in = new DataInputStream(socket.getInputStream());
                    var query = new byte[in.readUnsignedShort()];
                    in.readFully(query);
                    queriesByTcp.incrementAndGet();
                    var wire = answer(query).orElseThrow().toWire();
                    var out = new DataOutputStream(socket.getOutputStream());
                    out.writeShort(wire.length);
                    out.write(wire);
                }
            }
        } catch (IOException _) {
            // closed
        }
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
        threads.close();
    }
}
