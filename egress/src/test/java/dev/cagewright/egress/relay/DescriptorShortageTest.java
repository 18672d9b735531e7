package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A gateway in a process that may have 256 descriptors.
class DescriptorShortageTest {
    private static final int LIMIT = 256;

    @SuppressWarnings("NullAway") // set when a test begins
    private Process process;

    @SuppressWarnings("NullAway") // set when a test begins
    private BufferedReader told;

    private int port;

    @BeforeEach
    void start() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        var words = new ArrayList<>(List.of("prlimit", "--nofile=" + LIMIT + ":" + LIMIT, java));
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m"));
        words.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", modules() + path, Starved.class.getName()));
        process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        told = process.inputReader(StandardCharsets.US_ASCII);
        port = Integer.parseInt(line().replace("port ", ""));
    }

    /// Where the tests run as modules, those are found there.
    private static String modules() {
        var path = System.getProperty("jdk.module.path", "");
        return path.isEmpty() ? "" : path + File.pathSeparator;
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    private String line() throws IOException {
        var line = told.readLine();
        assertThat(line).as("the other process").isNotNull();
        return String.valueOf(line);
    }

    private int tell(String word) throws IOException {
        OutputStream out = process.getOutputStream();
        out.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return Integer.parseInt(line().replace("held ", ""));
    }

    private Socket connect() throws IOException {
        var socket = new Socket();
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(Bench.ALLOWED, port), 30_000);
        return socket;
    }

    private String request(String more) {
        return "GET /ok HTTP/1.1\r\nHost: a.test:" + port + "\r\n" + more + "\r\n";
    }

    private String ask() throws IOException {
        try (var socket = connect()) {
            socket.getOutputStream().write(request("Connection: close\r\n").getBytes(StandardCharsets.US_ASCII));
            return Bench.readAll(socket);
        }
    }

    @Test
    void B018_accepting_goes_on_when_there_are_descriptors_again() throws IOException {
        assertThat(ask()).endsWith("hello");
        try (var standing = connect()) {
            standing.getOutputStream().write("GET /no HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(tell("fill")).isPositive();
            try (var waiting = connect()) {
                waiting.getOutputStream().write(request("Connection: close\r\n").getBytes(StandardCharsets.US_ASCII));
                waiting.setSoTimeout(1500);
                assertThat(silence(waiting)).isTrue();

                standing.getOutputStream()
                        .write(("Host: a.test:" + port + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(standing.getInputStream().readNBytes(13), StandardCharsets.US_ASCII))
                        .as("one that stands is served")
                        .isEqualTo("HTTP/1.1 403 ");

                assertThat(tell("free")).isZero();
                waiting.setSoTimeout(30_000);
                assertThat(Bench.readAll(waiting)).as("the one that waited").endsWith("hello");
            }
        }
        assertThat(ask()).endsWith("hello");
    }

    private static boolean silence(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < -1;
        } catch (SocketTimeoutException _) {
            return true;
        }
    }

    @Test
    void B018_idle_connections_beyond_a_cages_share_make_room_for_one_that_asks() throws IOException {
        var idle = new ArrayList<Socket>();
        try {
            for (int i = 0; i < LIMIT / 4; i++) {
                idle.add(connect());
            }
            assertThat(ask()).endsWith("hello");
            assertThat(isOver(idle.getFirst())).isTrue();
        } finally {
            for (var socket : idle) {
                socket.close();
            }
        }
        assertThat(ask()).endsWith("hello");
    }

    private static boolean isOver(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException _) {
            return true;
        }
    }
}
