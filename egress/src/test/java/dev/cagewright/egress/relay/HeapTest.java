package dev.cagewright.egress.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.credential.Binding;
import dev.cagewright.egress.credential.Bound;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.credential.Place;
import dev.cagewright.egress.credential.Scheme;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.match.HostPattern;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Values in the gateway's heap, in a dump of what lives there: where a session holds them they are, and no exchange
/// leaves another one behind, while its connections stay open. The value is random, and the test itself holds it only
/// under a pad.
class HeapTest {
    private static final String DECOY = "sk-live-DecoyDecoyDecoy1";
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int PIECE = 1 << 20;

    @TempDir
    private Path folder;

    private final byte[] padded = new byte[DECOY.length()];
    private final byte[] pad = new byte[padded.length];

    private Credentials credentials(int port) {
        var random = new SecureRandom();
        var value = new byte[padded.length];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) LETTERS.charAt(random.nextInt(LETTERS.length()));
        }
        random.nextBytes(pad);
        for (int i = 0; i < value.length; i++) {
            padded[i] = (byte) (value[i] ^ pad[i]);
        }
        var secret = new HeldSecret("KEY", DECOY.getBytes(StandardCharsets.US_ASCII), SecretValue.copyOf(value));
        Arrays.fill(value, (byte) 0);
        var bindings =
                List.of(new Place.Header(Optional.empty()), new Place.Query(), new Place.Path(), new Place.Body())
                        .stream()
                        .map(place -> new Binding(Scheme.HTTP, HostPattern.parse("host", "a.test"), port, place))
                        .toList();
        return Credentials.of(List.of(new Bound(secret, bindings)), (_, _) -> {});
    }

    /// Answers each request with what it has got, and keeps nothing of it.
    private static void echo(Origin.Talk talk) throws IOException {
        var in = talk.socket().getInputStream();
        var bytes = new byte[4096];
        for (int count = in.read(bytes); count > 0; count = in.read(bytes)) {
            talk.socket()
                    .getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + count + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            talk.socket().getOutputStream().write(bytes, 0, count);
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Test
    void I2_no_exchange_leaves_a_value_behind_wherever_it_stood()
            throws BadPolicyException, IOException, InterruptedException {
        try (var origin = Origin.clear(HeapTest::echo);
                var bench =
                        new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(credentials(origin.port())));
                var socket = bench.connect(Bench.ALLOWED)) {
            var answers = new BufferedInputStream(socket.getInputStream());
            ask(bench, socket.getOutputStream(), answers, "/ok", "X-Note: none", "");
            int before = found("before");
            assertThat(before).as("where a session holds it").isPositive();
            var pair = Base64.getEncoder().encodeToString(("user:" + DECOY).getBytes(StandardCharsets.US_ASCII));
            for (int round = 0; round < 20; round++) {
                ask(bench, socket.getOutputStream(), answers, "/ok", "Authorization: Bearer " + DECOY, "");
                ask(bench, socket.getOutputStream(), answers, "/ok", "Authorization: Basic " + pair, "");
                ask(bench, socket.getOutputStream(), answers, "/ok?key=" + DECOY, "X-Note: none", "");
                ask(bench, socket.getOutputStream(), answers, "/ok/" + DECOY + "/x", "X-Note: none", "");
                ask(bench, socket.getOutputStream(), answers, "/ok", "X-Note: none", "{\"k\":\"" + DECOY + "\"}");
            }
            assertThat(found("after")).isEqualTo(before);
        }
    }

    private static void ask(
            Bench bench, OutputStream to, BufferedInputStream from, String target, String field, String body)
            throws IOException {
        var head = (body.isEmpty() ? "GET " : "POST ") + target + " HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\n"
                + field + "\r\n"
                + (body.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n")
                + "\r\n" + body;
        to.write(head.getBytes(StandardCharsets.US_ASCII));
        to.flush();
        var said = new StringBuilder();
        while (said.indexOf("\r\n\r\n") < 0) {
            said.append((char) from.read());
        }
        assertThat(said).startsWith("HTTP/1.1 200");
        int length = Integer.parseInt(said.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1"));
        assertThat(from.readNBytes(length)).hasSize(length);
    }

    /// How often the value is in what lives, in letters of one byte or of two.
    private int found(String name) throws IOException, InterruptedException {
        var dump = folder.resolve(name + ".hprof");
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var words = List.of(jcmd, "" + ProcessHandle.current().pid(), "GC.heap_dump", dump.toString());
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        int count = 0;
        for (int width = 1; width <= 2; width++) {
            count += count(dump, width);
        }
        Files.delete(dump);
        return count;
    }

    private int count(Path dump, int width) throws IOException {
        int length = padded.length * width;
        int count = 0;
        var window = new byte[PIECE + length];
        int kept = 0;
        try (var in = Files.newInputStream(dump)) {
            for (int read = in.readNBytes(window, kept, PIECE); read > 0; read = in.readNBytes(window, kept, PIECE)) {
                int end = kept + read;
                for (int at = 0; at + length <= end; at++) {
                    count += stands(window, at, width) ? 1 : 0;
                }
                kept = Math.min(length - 1, end);
                System.arraycopy(window, end - kept, window, 0, kept);
            }
        }
        Arrays.fill(window, (byte) 0);
        return count;
    }

    private boolean stands(byte[] window, int at, int width) {
        for (int i = 0; i < padded.length; i++) {
            if (window[at + i * width] != (byte) (padded[i] ^ pad[i])) {
                return false;
            }
        }
        return true;
    }
}
