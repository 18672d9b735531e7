package dev.cagewright.sandbox.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.CageSpec.NetAccess;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.NetCell;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.cell.NameDoor;
import dev.cagewright.sandbox.conformance.Ran;
import dev.cagewright.sandbox.conformance.RuntimeConformance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The network of a cage: none, or one that ends at the supervisor's descriptors.
class NetCellTest extends RuntimeConformance {
    @Override
    protected Runtime open() throws ConfinementException {
        return NamespacesRuntime.start();
    }

    private static final String CONNECT = """
            import socket, sys
            for family, address in ((socket.AF_INET, ("203.0.113.9", 443)), (socket.AF_INET6, ("2001:db8::77", 8080))):
                s = socket.socket(family); s.settimeout(5)
                try:
                    s.connect(address); print("connected", address[0], flush=True)
                except OSError as e:
                    print(type(e).__name__, e.errno, flush=True)
            """;

    @Test
    void without_a_cell_nothing_leaves() throws ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec())) {
            assertThat(cage.netCell()).isEmpty();
            var ran = Ran.program(cage, workspace.toString(), "/usr/bin/python3", "-c", CONNECT);
            assertThat(ran.out()).isEqualTo("OSError 101\nOSError 101\n"); // ENETUNREACH
            assertThat(ok(spec(), "getent ahostsv4 localhost | head -1 | cut -d' ' -f1"))
                    .isEqualTo("127.0.0.1\n");
        }
    }

    @Test
    void two_programs_of_a_cage_talk_over_loopback() throws ConfinementException, InterruptedException {
        var script = """
                import socket, threading
                s = socket.create_server(("127.0.0.1", 80))
                c = socket.create_connection(("127.0.0.1", 80)); a, _ = s.accept()
                a.send(b"hello"); print(c.recv(5).decode())
                """;
        for (var access : NetAccess.values()) {
            try (var cage = runtime().create(spec().withNetCell(access))) {
                var ran = Ran.program(cage, workspace.toString(), "/usr/bin/python3", "-c", script);
                assertThat(ran.err()).isEmpty();
                assertThat(ran.out()).isEqualTo("hello\n");
            }
        }
    }

    @Test
    void every_connection_arrives_with_the_address_it_was_meant_for()
            throws IOException, ConfinementException, InterruptedException {
        try (var cage = runtime().create(spec().withNetCell(NetAccess.REQUESTED))) {
            var cell = cage.netCell().orElseThrow();
            var out = new ByteArrayOutputStream();
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pipes(InputStream.nullInputStream(), out, out),
                    "/usr/bin/python3",
                    "-c",
                    CONNECT);
            assertThat(run.await().status()).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo("connected 203.0.113.9\nconnected 2001:db8::77\n");
            assertThat(accepted(cell)).containsExactly("203.0.113.9:443", "[2001:db8::77]:8080");
        }
    }

    private static List<String> accepted(NetCell cell) throws IOException {
        var accepting = new AcceptedAddresses(cell.tcp().number());
        return List.of(accepting.next(), accepting.next());
    }

    @Test
    void a_question_to_any_name_server_arrives() throws IOException, ConfinementException, InterruptedException {
        var ask = """
                import socket
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"question", ("192.0.2.53", 53))
                """;
        try (var cage = runtime().create(spec().withNetCell(NetAccess.REQUESTED))) {
            var ran = Ran.program(cage, workspace.toString(), "/usr/bin/python3", "-c", ask);
            assertThat(ran.err()).isEmpty();
            var received =
                    AcceptedAddresses.read(cage.netCell().orElseThrow().dns4().number());
            assertThat(received).isEqualTo("question");
        }
    }

    @Test
    void an_answer_leaves_from_the_address_that_was_asked() throws ConfinementException, InterruptedException {
        var ask = """
                import socket
                for family, server in ((2, "192.0.2.53"), (2, "127.0.0.53"), (2, "198.18.0.1"), (10, "2001:db8::53"), (10, "::1")):
                    s = socket.socket(family, socket.SOCK_DGRAM); s.settimeout(20)
                    s.sendto(b"question", (server, 53))
                    answer, peer = s.recvfrom(100)
                    print(answer.decode(), peer[0], peer[1], flush=True)
                """;
        NameDoor.Answerer answerer = question -> Optional.of(
                (new String(question, StandardCharsets.US_ASCII) + "?").getBytes(StandardCharsets.US_ASCII));
        try (var cage = runtime().create(spec().withNetCell(NetAccess.REQUESTED));
                var _ = NameDoor.open(cage.netCell().orElseThrow(), answerer)) {
            var ran = Ran.program(cage, workspace.toString(), "/usr/bin/python3", "-c", ask);
            assertThat(ran.err()).isEmpty();
            assertThat(ran.out()).isEqualTo("""
                    question? 192.0.2.53 53
                    question? 127.0.0.53 53
                    question? 198.18.0.1 53
                    question? 2001:db8::53 53
                    question? ::1 53
                    """);
        }
    }

    @Test
    void a_cage_with_a_cell_asks_the_cell_and_one_without_asks_nobody()
            throws ConfinementException, InterruptedException {
        assertThat(ok(spec().withNetCell(NetAccess.REQUESTED), "cat /etc/resolv.conf; grep hosts /etc/nsswitch.conf"))
                .isEqualTo("nameserver 198.18.0.1\nhosts: files dns\n");
        assertThat(ok(spec(), "cat /etc/resolv.conf")).isEqualTo("nameserver 127.0.0.1\n");
    }

    @Test
    void a_cell_is_closed_with_its_cage_unless_it_was_handed_on() throws ConfinementException {
        var cage = runtime().create(spec().withNetCell(NetAccess.REQUESTED));
        var cell = cage.netCell().orElseThrow();
        int kept = cell.tcp().detach();
        cage.close();
        assertThat(AcceptedAddresses.isOpen(kept)).isTrue();
        AcceptedAddresses.close(kept);
    }
}
