package dev.cagewright.egress.relay;

import static dev.cagewright.egress.relay.Vault.DECOY;
import static dev.cagewright.egress.relay.Vault.VALUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.credential.Place;
import dev.cagewright.egress.credential.Scheme;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Decoys in bodies of requests that are compressed.
class PackedRequestTest {
    private static final String FILLER = "something before it, ".repeat(3_000);

    private final Vault vault = new Vault();

    @SuppressWarnings("NullAway") // set when a test begins
    private Origin origin;

    @SuppressWarnings("NullAway") // set when a test begins
    private Bench bench;

    @BeforeEach
    void open() throws IOException {
        origin = Origin.clear(PackedRequestTest::take);
    }

    private void bench(Place... places) throws Exception {
        bench(vault.key(Scheme.HTTP, origin.port(), places));
    }

    private void bench(Credentials credentials) throws Exception {
        bench = new Bench(origin.port(), Optional.empty(), Bench.Terms.USUAL.with(credentials));
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
        origin.close();
    }

    private static void take(Origin.Talk talk) throws IOException {
        var head = talk.head();
        if (!head.isEmpty()) {
            talk.bytes(Integer.parseInt(head.replaceAll("(?is).*\\|content-length: (\\d+).*", "$1")));
            talk.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        }
    }

    private static byte[] packed(String coding, String text) throws IOException {
        var out = new ByteArrayOutputStream();
        try (OutputStream packing = coding.equals("gzip") ? new GZIPOutputStream(out) : new DeflaterOutputStream(out)) {
            packing.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return out.toByteArray();
    }

    private String post(String coding, byte[] body) throws IOException, InterruptedException {
        try (var socket = bench.connect(Bench.ALLOWED)) {
            var to = socket.getOutputStream();
            to.write(("POST /ok HTTP/1.1\r\nHost: a.test:" + bench.port + "\r\nContent-Encoding: " + coding
                            + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                            + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            to.write(body);
            to.flush();
            return Bench.readAll(socket);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void one_is_a_finding_wherever_it_stands(String coding) throws Exception {
        bench(Vault.header());
        var hidden = Base64.getEncoder().encodeToString(DECOY.getBytes(StandardCharsets.US_ASCII));
        for (var text : new String[] {FILLER + DECOY, DECOY + FILLER, FILLER + hidden + FILLER}) {
            assertThat(post(coding, packed(coding, text)))
                    .doesNotContain("200 OK")
                    .contains("403", "problem:credential", "KEY");
        }
        assertThat(vault.alarms).hasSize(3);
        assertThat(bench.found).allMatch(one -> one.contains("decoys.place"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void without_one_it_passes_as_it_is(String coding) throws Exception {
        bench(Vault.header(), new Place.Body());
        var almost = DECOY.substring(0, DECOY.length() - 1) + "_";
        assertThat(post(coding, packed(coding, FILLER + almost))).contains("200 OK");
        assertThat(vault.alarms).isEmpty();
    }

    @Test
    void where_it_may_stand_in_the_body_it_cannot_be_put_into_a_compressed_one() throws Exception {
        bench(new Place.Body());
        assertThat(post("gzip", packed("gzip", "{\"k\":\"" + DECOY + "\"}")))
                .contains("403", "cannot be put into the body", "or is compressed")
                .doesNotContain(VALUE, DECOY);
    }

    @ParameterizedTest
    @CsvSource({"br, 200 OK, 403 Forbidden", "zstd, 200 OK, 403 Forbidden", "'gzip, br', 200 OK, 403 Forbidden"})
    void what_cannot_be_read_is_refused_where_a_secret_may_stand_in_it(String coding, String without, String with)
            throws Exception {
        bench(Vault.header());
        assertThat(post(coding, new byte[] {1, 2, 3})).contains(without);
        bench.close();
        bench(new Place.Body());
        assertThat(post(coding, new byte[] {1, 2, 3})).contains(with, "a coding that cannot be read here", "KEY");
    }

    @Test
    void what_is_no_gzip_or_expands_out_of_all_proportion_is_refused_there_too() throws Exception {
        bench(new Place.Body());
        var bomb = packed("gzip", "0".repeat(20_000_000));
        var whole = packed("gzip", FILLER);
        for (var body : new byte[][] {{1, 2, 3, 4}, bomb, Arrays.copyOf(whole, whole.length - 9)}) {
            assertThat(post("gzip", body)).contains("403", "a coding that cannot be read here");
        }
        bench.close();
        bench(Vault.header());
        assertThat(post("gzip", new byte[] {1, 2, 3, 4})).contains("200 OK");
        assertThat(post("gzip", bomb)).contains("200 OK");
    }
}
