package dev.cagewright.supervisor.receipt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceiptFormTest {
    private final Path folder;
    private final Samples.Keys keys;

    ReceiptFormTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.keys = Samples.Keys.in(folder);
    }

    private SignedReceipt signed() {
        return SignedReceipt.sign(Samples.receipt(), keys.secret(), keys.open());
    }

    /// A receipt that is signed and says `statement`.
    private byte[] signed(String statement) {
        return Envelope.sign(statement.getBytes(UTF_8), keys.secret(), keys.open())
                .bytes();
    }

    private static String statement() {
        return new String(Samples.receipt().statement(), UTF_8);
    }

    @Test
    void a_set_up_is_part_of_the_run_and_read_again() throws Exception {
        var receipt = Samples.receiptOfTwoPhases();
        assertThat(Receipt.parse(receipt.statement())).isEqualTo(receipt);
        assertThat(new String(receipt.statement(), UTF_8))
                .contains("\"setup\":{\"argv\":", "\"cause\":\"setup_failed\"");
        assertThat(new String(Samples.receipt().statement(), UTF_8)).doesNotContain("\"setup\"");
    }

    @Test
    void a_receipt_is_read_as_it_was_written() throws ReceiptSyntaxException {
        var read = SignedReceipt.parse(signed().bytes());

        assertThat(read.receipt()).isEqualTo(Samples.receipt());
        assertThat(read.envelope().isSignedBy(keys.open())).isTrue();
        assertThat(read.sha256()).isEqualTo(Sha256.of(signed().bytes()));
    }

    @Test
    void what_is_signed_is_the_encoding_of_the_dsse_protocol() {
        assertThat(new String(Envelope.authenticated("hello world".getBytes(US_ASCII)), US_ASCII))
                .isEqualTo("DSSEv1 28 application/vnd.in-toto+json 11 hello world");
    }

    @Test
    void a_statement_is_one_of_in_toto() {
        assertThat(statement())
                .startsWith(
                        "{\"_type\":\"https://in-toto.io/Statement/v1\",\"subject\":[{\"name\":\"session:abcdefghij\","
                                + "\"digest\":{\"sha256\":\"" + Samples.DIGEST
                                + "\"}}],\"predicateType\":\"tag:cagewright.dev,2026:receipt/v1\",\"predicate\":{\"run\":");
    }

    @Test
    void the_digest_of_arguments_is_that_of_their_words_with_a_nul_behind_each()
            throws IOException, InterruptedException {
        var argv = Argv.of(List.of(ByteString.of("git"), ByteString.of("status")));

        assertThat(run("printf 'git\\0status\\0' | sha256sum").out()).startsWith(argv.sha256());
    }

    private record Ended(int exit, String out) {}

    private Ended run(String script) throws IOException, InterruptedException {
        var process = new ProcessBuilder("sh", "-c", script)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        var out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Ended(process.waitFor(), out);
    }

    private static final String OPENSSL =
            "openssl pkeyutl -verify -pubin -keyform DER -inkey pub.der -rawin" + " -in signed -sigfile signature";

    /// Takes the envelope apart with nothing of the product's.
    private void takenApart(byte[] file) throws IOException, InterruptedException {
        Files.write(folder.resolve("receipt.json"), file);
        Files.write(
                folder.resolve("pub.der"),
                HexFormat.of().parseHex("302a300506032b6570032100" + keys.open().hex()));
        assertThat(run("""
                        python3 - <<'END'
                        import base64, json
                        envelope = json.load(open('receipt.json', 'rb'))
                        payload = base64.b64decode(envelope['payload'], validate=True)
                        kind = envelope['payloadType'].encode()
                        pae = b'DSSEv1 %d %s %d %s' % (len(kind), kind, len(payload), payload)
                        open('signed', 'wb').write(pae)
                        [one] = envelope['signatures']
                        open('signature', 'wb').write(base64.b64decode(one['sig'], validate=True))
                        print(json.loads(payload)['_type'])
                        END
                        """).out()).isEqualTo("https://in-toto.io/Statement/v1\n");
    }

    @Test
    void openssl_finds_the_signature_right() throws IOException, InterruptedException {
        takenApart(signed().bytes());

        assertThat(run(OPENSSL).out()).contains("Signature Verified Successfully");
    }

    @Test
    void openssl_finds_a_changed_statement_wrong() throws IOException, InterruptedException, ReceiptSyntaxException {
        var other = new Envelope(
                ByteString.of(statement().replace("\"exited\"", "\"killed\"")),
                signed().envelope().keyId(),
                signed().envelope().signature());
        takenApart(other.bytes());

        assertThat(run(OPENSSL).exit()).isNotZero();
        assertThat(SignedReceipt.parse(other.bytes()).envelope().isSignedBy(keys.open()))
                .isFalse();
    }

    @Test
    void every_flipped_bit_of_a_receipt_is_found() {
        var whole = signed().bytes();
        for (int at = 0; at < whole.length; at++) {
            var flipped = whole.clone();
            flipped[at] ^= 1;
            try {
                assertThat(SignedReceipt.parse(flipped).envelope())
                        .as("byte " + at)
                        .satisfiesAnyOf(
                                envelope -> assertThat(envelope.isSignedBy(keys.open()))
                                        .isFalse(),
                                envelope -> assertThat(envelope.keyId()).isNotEqualTo(Envelope.keyId(keys.open())));
            } catch (ReceiptSyntaxException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void halves_of_two_keys_sign_nothing() throws IOException {
        var other = Samples.Keys.in(Files.createDirectory(folder.resolve("other")));

        assertThatThrownBy(() -> SignedReceipt.sign(Samples.receipt(), keys.secret(), other.open()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("(expected: the secret key's own)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "cause":"exited"            | "cause":3                    | receipt.end.cause: is no text
            "cause":"exited",           | ``                           | receipt.end: has no member "cause"
            "cause":"exited"            | "cause":"exited","x":1       | receipt.end: has the unknown member "x"
            "status":3                  | "status":-3                  | receipt.end.status: is no whole number from 0 on
            "status":3                  | "status":3.0                 | receipt.end.status: is no whole number of 63 bits
            "helper_sha256":"b          | "helper_sha256":"B           | receipt.product.helper_sha256: is neither empty nor a SHA-256 of 64 lower-case digits
            "stated":true               | "stated":"yes"               | receipt.changes.stated: is neither true nor false
            "stated":true               | "stated":false               | statement: is spelled in another way than receipts are, or its subject is not its run
            session:abcdefghij          | session:abcdefghik           | statement: is spelled in another way than receipts are, or its subject is not its run
            "status":3                  | "status": 3                  | statement: is spelled in another way than receipts are, or its subject is not its run
            Statement/v1                | Statement/v2                 | statement._type: is not https://in-toto.io/Statement/v1
            receipt/v1                  | receipt/v9                   | statement.predicateType: is not tag:cagewright.dev,2026:receipt/v1
            :05.678901234Z              | :65.678901234Z               | receipt.run.phases[0].at: is no UTC time
            {"base64":"/wo="}           | {"base64":"/wo=","y":0}      | receipt.run.argv.words[1]: has the unknown member "y"
            "HOME","PATH"               | "HOME",7                     | receipt.run.environment[1]: is no text
            "enforced":[                | "enforced":[[],              | receipt.cage.enforced[0]: is no object
            """)
    void a_statement_of_another_form_is_refused_with_its_place(String from, String to, String message) {
        var changed = statement().replaceFirst(Pattern.quote(from), Matcher.quoteReplacement(to));

        assertThat(changed).isNotEqualTo(statement());
        assertThatThrownBy(() -> SignedReceipt.parse(signed(changed)))
                .isInstanceOf(ReceiptSyntaxException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "payloadType":"application/vnd.in-toto+json" | "payloadType":"text/plain"  | envelope.payloadType: is not application/vnd.in-toto+json
            "payloadType"       | "payloadtype"           | envelope: has no member "payloadType"
            "signatures":[      | "signatures":[{},       | envelope.signatures: are 2 (expected: one)
            {"payload"          | {"a":1,"payload"        | envelope: has the unknown member "a"
            {"payload"          | { "payload"             | envelope: is spelled in another way than receipts are
            "keyid":"           | "keyid":"0              | envelope.signatures[0].keyid: is no SHA-256 of 64 lower-case digits
            "sig":"             | "sig":"AAAA             | envelope.signatures[0].sig: has 67 bytes, not 64
            "sig":"             | "sig":"*                | envelope.signatures[0].sig: is not base64
            {"payload":"        | {"payload":"-           | envelope.payload: is not base64
            """)
    void an_envelope_of_another_form_is_refused_with_its_place(String from, String to, String message) {
        var file = new String(signed().bytes(), US_ASCII);
        var changed = file.replace(from, to);

        assertThat(changed).isNotEqualTo(file);
        assertThatThrownBy(() -> SignedReceipt.parse(changed.getBytes(US_ASCII)))
                .isInstanceOf(ReceiptSyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void a_file_that_is_too_large_is_not_even_read() {
        assertThatThrownBy(() -> SignedReceipt.parse(new byte[Envelope.MAX_BYTES + 1]))
                .hasMessage("envelope: 8388609 bytes (at most 8388608)");
    }

    @Test
    void long_arguments_are_counted_and_not_shown() {
        var argv = Argv.of(List.of(ByteString.of("x".repeat(70_000)), ByteString.of("y")));

        assertThat(argv.words()).isEmpty();
        assertThat(argv.count()).isEqualTo(2);
    }

    @Test
    void lists_that_are_too_long_tell_how_much_is_left_out() {
        assertThat(Bounded.sentences(Collections.nCopies(1_500, "x")))
                .hasSize(1_001)
                .endsWith("[cut] 500 more");
        assertThat(Bounded.sentences(List.of("a", "b".repeat(300_000), "c"))).containsExactly("a", "[cut] 2 more");
        assertThat(Bounded.sentences(Collections.nCopies(1_000, "x"))).hasSize(1_000);
    }

    @Test
    void a_payload_that_is_no_base64_of_its_own_is_no_receipt() {
        var file = new String(signed().bytes(), US_ASCII);
        var payload = Base64.getEncoder().encodeToString(Samples.receipt().statement());

        assertThat(file).contains(payload);
        assertThatThrownBy(() -> SignedReceipt.parse(
                        file.replace(payload, payload.substring(4)).getBytes(US_ASCII)))
                .hasMessageStartingWith("statement: ");
    }
}
