package dev.cagewright.policy.token;

import static dev.cagewright.policy.token.Bench.NOW;
import static dev.cagewright.policy.token.Bench.link;
import static dev.cagewright.policy.token.Bench.payload;
import static dev.cagewright.policy.token.Bench.rights;
import static dev.cagewright.policy.token.Bench.usual;
import static dev.cagewright.policy.token.Bench.withPayload;
import static dev.cagewright.policy.token.Bench.withTag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TokenVerifierTest {
    private final Bench host = new Bench();

    @Test
    void a_minted_token_and_what_was_delegated_from_it_hold() throws RefusedTokenException {
        var root = host.mint().mint(link("root", usual()));
        var child = host.mint().attenuate(root, link("child", usual()));

        assertThat(host.holds(root)).isTrue();
        assertThat(host.holds(child)).isTrue();
        assertThat(host.verifier().verify(child))
                .isInstanceOfSatisfying(
                        Verification.Genuine.class,
                        genuine -> assertThat(genuine.token().lineage())
                                .containsExactly(new RevId("root"), new RevId("child")));
    }

    @Test
    void a_token_of_another_key_is_forged() {
        assertThat(host.fault(new Bench(8).three())).isEqualTo(TokenFault.FORGED);
        assertThat(host.why(new Bench(8).three()))
                .isEqualTo("the token is not genuine: it is signed with another key than " + host.key.id());
    }

    @Test
    void each_single_changed_byte_of_the_payload_is_seen() {
        var text = host.three();
        var payload = payload(text);
        for (int i = 0; i < payload.length(); i++) {
            var changed = new StringBuilder(payload);
            changed.setCharAt(i, (char) (payload.charAt(i) ^ 1));
            assertThat(host.holds(withPayload(text, changed.toString())))
                    .as("byte %d", i)
                    .isFalse();
        }
    }

    @Test
    void each_kind_of_tampering_has_its_own_name() {
        var text = host.three();
        var payload = payload(text);
        var middle = payload.substring(payload.indexOf("link 2\n"), payload.indexOf("link 3\n"));
        var leaf = payload.substring(payload.indexOf("link 3\n"));

        assertThat(host.fault(withPayload(text, payload.replace("hosts a.test", "hosts b.test"))))
                .isEqualTo(TokenFault.EDITED);
        assertThat(host.fault(withPayload(text, payload.replace(middle, "")))).isEqualTo(TokenFault.STRIPPED);
        assertThat(host.fault(withPayload(text, payload.replace(leaf, "")))).isEqualTo(TokenFault.STRIPPED);
        assertThat(host.fault(withPayload(text, payload + leaf.replace("link 3", "link 4"))))
                .isEqualTo(TokenFault.PADDED);
        assertThat(host.fault(withPayload(text, payload + leaf))).isEqualTo(TokenFault.PADDED);
        assertThat(host.fault(withPayload(text, payload.replace(middle, "") + middle)))
                .isEqualTo(TokenFault.REORDERED);
    }

    @Test
    void a_holder_cannot_turn_a_child_into_its_parent() {
        var child = host.signed(List.of(link("root", usual()), link("child", rights("ACTIONS http.request"))));
        var payload = payload(child);
        var parent = payload.substring(0, payload.indexOf("link 2\n")).replace("links 2", "links 1");

        assertThat(host.fault(withPayload(child, parent))).isEqualTo(TokenFault.EDITED);
    }

    @Test
    void B181_B182_a_tag_that_is_not_32_bytes_is_refused_by_its_length_and_zeros_are_no_tag() {
        var text = host.three();
        var tag = TokenText.split(text).orElseThrow().tag();

        for (int length : new int[] {0, 1, 8, 31, 33, 64}) {
            assertThat(host.fault(withTag(text, Arrays.copyOf(tag, length)))).isEqualTo(TokenFault.MALFORMED);
            assertThat(host.why(withTag(text, Arrays.copyOf(tag, length))))
                    .isEqualTo("the token's tag has " + length + " bytes (expected: 32)");
        }
        assertThat(host.fault(withTag(text, new byte[32]))).isEqualTo(TokenFault.EDITED);
        assertThat(host.fault(withTag(text, new byte[64]))).isEqualTo(TokenFault.MALFORMED);
        assertThat(host.fault(withTag(text, Base64.getDecoder().decode("MAYCAQACAQA="))))
                .isEqualTo(TokenFault.MALFORMED);
        for (int i = 0; i < tag.length; i++) {
            var flipped = tag.clone();
            flipped[i] ^= 1;
            assertThat(host.fault(withTag(text, flipped)))
                    .as("byte %d of the tag", i)
                    .isEqualTo(TokenFault.EDITED);
        }
    }

    @Test
    void B182_nothing_in_a_token_chooses_an_algorithm() {
        var text = new String(host.three(), StandardCharsets.US_ASCII).strip();
        var signed = text.substring(0, text.lastIndexOf('.'));
        for (String spelling : List.of(
                signed,
                signed + ".",
                signed + ".none",
                text + ".",
                text + ".AAAA",
                "." + text,
                text.substring(5),
                text.replace("cwt1.", "cwt2."),
                text.replace("cwt1.", "none."),
                "eyJhbGciOiJub25lIn0." + text.substring(5),
                "eyJhbGciOiJub25lIn0.e30.",
                text.replace('.', ':'),
                text + "=",
                text + "\n\n",
                text + "\r\n",
                " " + text)) {
            assertThat(host.fault(spelling.getBytes(StandardCharsets.ISO_8859_1)))
                    .as(spelling)
                    .isEqualTo(TokenFault.MALFORMED);
        }
        for (String word : List.of("alg none", "alg None", "alg NONE", "alg HS256")) {
            assertThat(host.fault(host.signed(payload(host.three()).replaceFirst("\n", "\n" + word + "\n"))))
                    .isEqualTo(TokenFault.MALFORMED);
        }
    }

    @Test
    void one_spelling_of_base64_is_accepted() {
        var text = new String(host.three(), StandardCharsets.US_ASCII).strip();
        var last = text.charAt(text.length() - 1);
        var alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        int others = 0;
        for (int i = 0; i < alphabet.length(); i++) {
            char c = alphabet.charAt(i);
            if (c != last) {
                var changed = text.substring(0, text.length() - 1) + c;
                assertThat(host.holds(changed.getBytes(StandardCharsets.US_ASCII)))
                        .isFalse();
                others++;
            }
        }
        assertThat(others).isEqualTo(63);
        assertThat(host.holds(text.getBytes(StandardCharsets.US_ASCII))).isTrue();
    }

    @Test
    void B185_a_child_has_no_field_of_the_roots_and_nobody_has_unknown_ones() {
        var good = host.payload(List.of(link("root", usual()), link("child", usual())));
        assertThat(host.holds(host.signed(good))).isTrue();
        assertThat(host.holds(host.signed(good.replaceFirst("rev root\n", "rev root\nissuer alice\n"))))
                .isTrue();

        for (String field : List.of(
                "issuer alice",
                "tenant x",
                "key " + host.key.id(),
                "links 2",
                "lineage root",
                "admin true",
                "parent root",
                "link 1",
                "rev root",
                "x y")) {
            assertThat(host.fault(host.signed(good.replaceFirst("rev child\n", "rev child\n" + field + "\n"))))
                    .as(field)
                    .isEqualTo(TokenFault.MALFORMED);
            assertThat(host.fault(host.signed(good + field + "\n")))
                    .as("%s at the end", field)
                    .isEqualTo(TokenFault.MALFORMED);
        }
        for (String field : List.of("tenant x", "admin true", "rev other", "issued 0")) {
            assertThat(host.fault(host.signed(good.replaceFirst("rev root\n", "rev root\n" + field + "\n"))))
                    .as("%s in the root", field)
                    .isEqualTo(TokenFault.MALFORMED);
        }
    }

    @Test
    void what_was_signed_has_one_spelling() {
        var good = host.payload(List.of(link("root", usual())));
        for (String other : List.of(
                good + "\n",
                good + "x",
                good.substring(0, good.length() - 1),
                good.replace("\n", "\r\n"),
                good.replace("methods GET POST", "methods POST GET"),
                good.replace("methods GET POST", "methods GET GET POST"),
                good.replace("methods GET POST", "methods GET  POST"),
                good.replace("methods GET POST", "methods get POST"),
                good.replace("methods GET POST\n", "methods GET POST\nmethods GET POST\n"),
                good.replace("methods GET POST\n", "methods \n"),
                good.replace("hosts a.test", "hosts A.test"),
                good.replace("hosts a.test", "hosts a.test."),
                good.replace("links 1", "links 01"),
                good.replace("links 1", "links +1"),
                good.replace("actions http.request", "actions http.request x.y"),
                good.replace("rev root", "rev Root"))) {
            assertThat(host.fault(host.signed(other))).as(other).isEqualTo(TokenFault.MALFORMED);
        }
        assertThat(host.holds(host.signed(good))).isTrue();
    }

    @Test
    void B187_size_and_number_of_links_are_bounded_and_nothing_is_unpacked()
            throws ExecutionException, InterruptedException {
        var hundred = new byte[100_000];
        var million = new byte[10_000_000];
        Arrays.fill(hundred, (byte) 'A');
        Arrays.fill(million, (byte) 'A');
        assertThat(host.fault(hundred)).isEqualTo(TokenFault.TOO_LARGE);
        assertThat(host.fault(million)).isEqualTo(TokenFault.TOO_LARGE);
        assertThat(host.fault("eyJ6aXAiOiJERUYifQ.e30.".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(TokenFault.MALFORMED);
        assertThat(host.fault(host.signed(payload(host.three()).replaceFirst("\n", "\nzip DEF\n"))))
                .isEqualTo(TokenFault.MALFORMED);

        var many = new StringBuilder("cagewright-token 1\nkey " + host.key.id() + "\nlinks 1000\n");
        for (int i = 1; i <= 1000; i++) {
            many.append("link ").append(i).append("\nrev r").append(i).append("\nissued 1\nexpires 2\n");
        }
        assertThat(host.fault(host.signed(many.toString()))).isEqualTo(TokenFault.MALFORMED);
        assertThat(host.why(host.signed(many.toString())))
                .isEqualTo("what was signed is no token: links: 1000 (expected: 1 to 32)");

        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<TokenFault>>();
            for (int i = 0; i < 100; i++) {
                answers.add(pool.submit(() -> host.fault(million)));
            }
            for (var answer : answers) {
                assertThat(answer.get()).isEqualTo(TokenFault.TOO_LARGE);
            }
        }
    }

    @Test
    void a_chain_has_at_most_32_links() throws RefusedTokenException {
        var text = host.mint().mint(link("r0", usual()));
        for (int i = 1; i < Token.MOST_LINKS; i++) {
            text = host.mint().attenuate(text, link("r" + i, usual()));
        }
        assertThat(host.holds(text)).isTrue();
        var full = text;
        assertThatThrownBy(() -> host.mint().attenuate(full, link("r32", usual())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("links: 32 already (expected: fewer)");
    }

    @Test
    void B192_expiry_is_whole_seconds_it_is_there_and_it_is_looked_at() {
        var good = host.payload(List.of(link("root", usual())));
        var expires = "expires " + (NOW + 7200) + "\n";
        for (String other : List.of(
                "",
                "expires \n",
                "expires -1\n",
                "expires " + (NOW + 7200) + "000\n",
                "expires \"" + NOW + "\"\n",
                "expires 1e12\n",
                "expires 9223372036854775808\n",
                "expires 18446744073709551616\n",
                "expires 0x7fffffff\n",
                "expires " + NOW + "\n",
                expires + expires)) {
            assertThat(host.fault(host.signed(good.replace(expires, other))))
                    .as(other)
                    .isEqualTo(TokenFault.MALFORMED);
        }

        var text = host.signed(good);
        host.now = NOW + 7200 + TokenVerifier.SKEW - 1;
        assertThat(host.holds(text)).isTrue();
        host.now = NOW + 7200 + TokenVerifier.SKEW;
        assertThat(host.fault(text)).isEqualTo(TokenFault.EXPIRED);
        assertThat(host.why(text)).isEqualTo("the token root expired 30 s ago");
    }

    @Test
    void B192_a_token_from_the_future_or_a_clock_set_back_a_day_is_refused() {
        var text = host.signed(List.of(link("root", usual())));
        host.now = NOW - TokenVerifier.SKEW;
        assertThat(host.holds(text)).isTrue();
        host.now = NOW - TokenVerifier.SKEW - 1;
        assertThat(host.fault(text)).isEqualTo(TokenFault.NOT_YET);
        host.now = NOW - 86_400;
        assertThat(host.fault(text)).isEqualTo(TokenFault.NOT_YET);
    }

    @Test
    void a_chain_is_over_when_its_first_link_is() {
        var brief = new Link(new RevId("root"), Optional.empty(), NOW, NOW + 60, usual());
        var text = host.signed(List.of(brief, link("child", usual())));
        assertThat(host.holds(text)).isTrue();
        host.now = NOW + 60 + TokenVerifier.SKEW;
        assertThat(host.fault(text)).isEqualTo(TokenFault.EXPIRED);
    }

    @Test
    void revoking_a_link_kills_what_came_from_it_and_nothing_else() {
        var root = host.signed(List.of(link("root", usual())));
        var sibling = host.signed(List.of(link("root", usual()), link("sibling", usual())));
        var text = host.three();
        host.revoked.add(new RevId("middle"));

        assertThat(host.fault(text)).isEqualTo(TokenFault.REVOKED_ANCESTOR);
        assertThat(host.why(text)).isEqualTo("the token leaf was delegated from middle, which is revoked");
        assertThat(host.fault(host.signed(List.of(link("root", usual()), link("middle", usual())))))
                .isEqualTo(TokenFault.REVOKED);
        assertThat(host.holds(root)).isTrue();
        assertThat(host.holds(sibling)).isTrue();
    }

    @Test
    void B188_what_cannot_be_known_to_be_revoked_or_not_is_refused() {
        var verifier = new TokenVerifier(
                host.key,
                _ -> {
                    throw new UnknownRevocationsException("the list is gone");
                },
                () -> NOW);
        assertThat(verifier.verify(host.three()))
                .isEqualTo(new Verification.Refused(
                        TokenFault.REVOCATIONS_UNKNOWN,
                        "it cannot be known whether the token is revoked: the list is gone"));
    }

    @Test
    void B189_nothing_is_delegated_from_a_revoked_token() {
        var text = host.three();
        host.revoked.add(new RevId("root"));
        assertThatThrownBy(() -> host.mint().attenuate(text, link("late", usual())))
                .isInstanceOf(RefusedTokenException.class)
                .hasMessage("the token leaf was delegated from root, which is revoked (rule token:revoked-ancestor)");
    }

    @Test
    void nothing_of_a_token_or_key_can_be_printed() {
        var text = new String(host.three(), StandardCharsets.US_ASCII).strip();
        var secret = text.substring(text.lastIndexOf('.') + 1);
        var split = TokenText.split(host.three()).orElseThrow();

        assertThat(host.key.toString()).isEqualTo("token key " + host.key.id()).doesNotContain("0707");
        assertThat(split.toString()).isEqualTo("the text of a token");
        assertThat(host.verifier().verify(host.three()).toString()).doesNotContain(secret);
        assertThat(host.why(new Bench(8).three())).doesNotContain(secret);
    }

    @Test
    void a_tag_for_a_list_is_no_tag_for_a_token() {
        var payload = host.payload(List.of(link("root", usual()))).getBytes(StandardCharsets.US_ASCII);
        var text = new TokenText(payload, host.key.tag(TokenKey.Purpose.REVOCATIONS, payload)).joined();
        assertThat(host.fault(text)).isEqualTo(TokenFault.EDITED);
    }

    @Test
    void a_key_is_64_digits_and_nothing_else() {
        var digits = host.key.digits();
        assertThat(TokenKey.ofHex(digits).id()).isEqualTo(host.key.id());
        for (String other :
                List.of("", "07", "07".repeat(31), "07".repeat(33), "0g".repeat(32), "07".repeat(32) + "\n\n")) {
            assertThatThrownBy(() -> TokenKey.ofHex(other.getBytes(StandardCharsets.US_ASCII)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "key: " + other.length()
                                    + " bytes of something else (expected: 64 hexadecimal digits, as token keygen writes them)");
        }
    }
}
