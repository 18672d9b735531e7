package dev.cagewright.egress.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.InspectSection.Reaction;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The chain at whole messages: what each inspector finds and what it lets alone.
class ExaminationTest {
    private static final String TOKEN = "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";
    private static final InspectSection NONE = InspectSection.SILENT;

    private static InspectSection blocking(String key) {
        var block = Optional.of(Reaction.BLOCK);
        return new InspectSection(
                key.equals("secrets") ? block : Optional.of(Reaction.OFF),
                key.equals("encoded") ? block : NONE.encoded(),
                key.equals("auth") ? block : Optional.of(Reaction.OFF),
                key.equals("entropy")
                        ? Optional.of(new InspectSection.Entropy(new BigDecimal("7.2"), new Count(512), Reaction.BLOCK))
                        : NONE.entropy(),
                key.equals("types") ? block : NONE.types(),
                key.equals("bombs") ? block : NONE.bombs(),
                key.equals("dns") ? block : NONE.dns(),
                key.equals("fetch_tools") ? block : Optional.of(Reaction.OFF),
                key.equals("body") ? Optional.of(new ByteSize(1000)) : NONE.bodyMax(),
                NONE.custom(),
                Optional.empty());
    }

    private static Inspection inspection(InspectSection section, Inspector... own) {
        return Inspection.of(section, List.of(own), name -> name.value().startsWith("spelt."));
    }

    private static Message post(String target, String... fields) {
        var list = new ArrayList<Map.Entry<String, String>>();
        for (int i = 0; i < fields.length; i += 2) {
            list.add(Map.entry(fields[i], fields[i + 1]));
        }
        return new Message(Message.Direction.REQUEST, "POST", "a.test", 443, target, list);
    }

    private static List<String> kinds(Inspection inspection, Message message, byte[] body) {
        return kinds(inspection, message, body, body.length);
    }

    /// Everything that is found when the body comes in pieces of `size`.
    private static List<String> kinds(Inspection inspection, Message message, byte[] body, int size) {
        var findings = new ArrayList<Finding>();
        try (var examination = inspection.examine(message)) {
            findings.addAll(examination.head());
            for (int at = 0; at < body.length && findings.stream().noneMatch(Finding::blocks); at += size) {
                var piece = Arrays.copyOfRange(body, at, Math.min(body.length, at + size));
                findings.addAll(examination.next(piece, 0, piece.length));
                assertThat(examination.clearedTo()).isBetween(0L, (long) at + piece.length);
            }
            if (findings.stream().noneMatch(Finding::blocks)) {
                findings.addAll(examination.end());
            }
        }
        return findings.stream()
                .map(finding -> (finding.blocks() ? "block " : "flag ") + finding.kind())
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] noise(int length) {
        var bytes = new byte[length];
        new Random(3).nextBytes(bytes);
        return bytes;
    }

    private interface Packing {
        OutputStream around(OutputStream out) throws IOException;
    }

    private static byte[] packed(byte[] body, Packing packing) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var packer = packing.around(out)) {
            packer.write(body);
        }
        return out.toByteArray();
    }

    @Test
    void without_a_policy_credentials_are_flagged_and_nothing_is_blocked() {
        var usual = inspection(NONE);
        assertThat(kinds(usual, post("/"), bytes(TOKEN))).containsExactly("flag secrets.github_token");
        assertThat(kinds(usual, post("/", "Authorization", "Bearer " + TOKEN), new byte[0]))
                .containsExactly("flag auth.github_token");
        assertThat(kinds(usual, post("/", "Content-Encoding", "br"), noise(100)))
                .containsExactly("flag body.coding");
        assertThat(kinds(usual, post("/"), noise(100_000))).isEmpty();
    }

    @Test
    void a_credential_where_one_belongs_is_blocked_only_if_that_is_said() {
        var message = post("/", "X-Api-Key", TOKEN);
        assertThat(kinds(inspection(blocking("secrets")), message, new byte[0])).isEmpty();
        assertThat(kinds(inspection(blocking("auth")), message, new byte[0]))
                .containsExactly("block auth.github_token");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100, 100_000})
    void a_credential_is_found_in_packed_bodies_in_pieces_of_any_size(int size) throws IOException {
        var body = bytes("{\"a\":\"" + "x y ".repeat(3000) + TOKEN + "\"}");
        var near = bytes("{\"a\":\"" + "x y ".repeat(3000) + TOKEN.replace("17", "18") + "\"}");
        var secrets = inspection(blocking("secrets"));
        for (var packing : Map.<String, Packing>of(
                        "gzip", GZIPOutputStream::new,
                        "x-gzip", GZIPOutputStream::new,
                        "deflate", DeflaterOutputStream::new)
                .entrySet()) {
            var message = post("/", "Content-Encoding", packing.getKey());
            assertThat(kinds(secrets, message, packed(body, packing.getValue()), size))
                    .containsExactly("block secrets.github_token");
            assertThat(kinds(secrets, message, packed(near, packing.getValue()), size))
                    .isEmpty();
        }
    }

    @Test
    void two_members_of_gzip_are_one_body() throws IOException {
        var two = new ByteArrayOutputStream();
        two.write(packed(bytes("k " + TOKEN.substring(0, 20)), GZIPOutputStream::new));
        two.write(packed(bytes(TOKEN.substring(20) + " "), GZIPOutputStream::new));
        assertThat(kinds(inspection(blocking("secrets")), post("/", "Content-Encoding", "gzip"), two.toByteArray()))
                .containsExactly("block secrets.github_token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "zstd", "compress", "gzip, gzip", "gzip,br", "x"})
    void a_coding_that_nobody_reads_is_blocked_where_anything_blocks(String coding) {
        var message = post("/", "Content-Encoding", coding);
        assertThat(kinds(inspection(blocking("secrets")), message, noise(64))).containsExactly("block body.coding");
        assertThat(kinds(inspection(NONE), message, noise(64))).containsExactly("flag body.coding");
        assertThat(kinds(inspection(blocking("secrets")), post("/", "Content-Encoding", "identity"), noise(64)))
                .isEmpty();
    }

    @Test
    void what_is_not_what_its_coding_says_or_is_cut_short_is_not_let_through() throws IOException {
        var message = post("/", "Content-Encoding", "gzip");
        var secrets = inspection(blocking("secrets"));
        var whole = packed(bytes("hello ".repeat(100)), GZIPOutputStream::new);
        assertThat(kinds(secrets, message, whole)).isEmpty();
        assertThat(kinds(secrets, message, bytes("hello"))).containsExactly("block body.coding");
        assertThat(kinds(secrets, message, Arrays.copyOf(whole, whole.length - 9)))
                .containsExactly("block body.coding");
        var more = Arrays.copyOf(whole, whole.length + 5);
        assertThat(kinds(secrets, message, more)).containsExactly("block body.coding");
        assertThat(kinds(secrets, message, new byte[0])).isEmpty();
    }

    @Test
    void B036_a_bomb_is_stopped_at_a_ratio_while_the_same_amount_of_text_passes() throws IOException {
        var message = post("/", "Content-Encoding", "gzip");
        var bomb = packed(new byte[64 << 20], GZIPOutputStream::new);
        assertThat(bomb.length).isLessThan(100_000);
        assertThat(kinds(inspection(blocking("bombs")), message, bomb, 4096)).containsExactly("block bombs.ratio");
        assertThat(kinds(inspection(blocking("secrets")), message, bomb, 4096)).containsExactly("block bombs.ratio");
        assertThat(kinds(inspection(NONE), message, bomb, 4096)).containsExactly("flag bombs.ratio");
        var text = new StringBuilder();
        var random = new Random(5);
        while (text.length() < 2_000_000) {
            text.append("line ").append(random.nextInt()).append('\n');
        }
        assertThat(kinds(inspection(blocking("bombs")), message, packed(bytes(text.toString()), GZIPOutputStream::new)))
                .isEmpty();
    }

    @Test
    void a_body_is_looked_at_as_far_as_the_policy_says() {
        var most = new InspectSection(
                Optional.of(Reaction.BLOCK),
                NONE.encoded(),
                NONE.auth(),
                NONE.entropy(),
                NONE.types(),
                NONE.bombs(),
                NONE.dns(),
                NONE.fetchTools(),
                Optional.of(new ByteSize(1000)),
                NONE.custom(),
                Optional.empty());
        assertThat(kinds(inspection(most), post("/"), new byte[1000], 100)).isEmpty();
        assertThat(kinds(inspection(most), post("/"), new byte[1001], 100)).containsExactly("block body.size");
        var flagging = inspection(NONE.and(new InspectSection(
                NONE.secrets(),
                NONE.encoded(),
                NONE.auth(),
                NONE.entropy(),
                NONE.types(),
                NONE.bombs(),
                NONE.dns(),
                NONE.fetchTools(),
                Optional.of(new ByteSize(10)),
                NONE.custom(),
                Optional.empty())));
        assertThat(kinds(flagging, post("/"), bytes("0123456789" + TOKEN))).containsExactly("flag body.size");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 13, 5000, 1_000_000})
    void noise_is_found_also_behind_a_quiet_beginning(int size) {
        var entropy = inspection(blocking("entropy"));
        assertThat(kinds(entropy, post("/"), noise(4096), size)).containsExactly("block entropy");
        assertThat(kinds(entropy, post("/"), noise(511), size)).isEmpty();
        var mixed = new byte[400_000];
        Arrays.fill(mixed, 0, 200_000, (byte) 'x');
        System.arraycopy(noise(200_000), 0, mixed, 200_000, 200_000);
        assertThat(kinds(entropy, post("/"), mixed, size)).containsExactly("block entropy");
        assertThat(kinds(entropy, post("/"), bytes("The quick brown fox. ".repeat(5000)), size))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | {\"a\":1} | ",
                "application/json;charset=utf-8 |   [1] | ",
                "application/vnd.x+json | \"text\" | ",
                "application/json | PK\u0003\u0004...... | block types.not_json",
                "application/json | hello world, this is text | block types.not_json",
                "text/plain | hello | ",
                "text/plain | %PDF-1.7 and so on | block types.not_text",
                "text/csv | a,b\u0000c | block types.not_text",
                "application/x-www-form-urlencoded | a=b&c=d | ",
                "application/xml | <a/> | ",
                "application/xml | {} | block types.not_xml",
                "multipart/form-data; boundary=x | --x | ",
                "image/gif | GIF89a.......... | ",
                "image/png | GIF89a.......... | block types.not_png",
                "application/pdf | hello | block types.not_pdf",
                "application/octet-stream | PK\u0003\u0004 | ",
                "'' | anything | "
            })
    void a_body_is_what_it_says(String type, String body, String expected) {
        assertThat(kinds(
                        inspection(blocking("types")),
                        post("/", "Content-Type", type),
                        body.getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/messages | {\"tools\":[{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}]} | search",
                "/v1/messages | {\"tools\":[{\"name\":\"f\",\"type\":\"web_fetch_20250910\"}]} | page",
                "/v1/messages | {\"mcp_servers\":[{\"type\":\"url\",\"url\":\"https://x.test/sse\"}]} | mcp",
                "/v1/messages | {\"messages\":[{\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"url\",\"url\":\"https://x.test/a.png\"}}]}]} | url",
                "/v1/messages | {\"tools\":[{\"name\":\"web_search\",\"input_schema\":{\"type\":\"object\"}}]} | ",
                "/v1/messages | {\"messages\":[{\"content\":\"use web_search and https://x.test\"}]} | ",
                "/v1/messages | {\"messages\":[{\"content\":[{\"source\":{\"type\":\"base64\",\"data\":\"aaaa\"}}]}]} | ",
                "/v1/responses | {\"tools\":[{\"type\":\"web_search_preview\"}]} | search",
                "/v1/responses | {\"tools\":[{\"type\":\"mcp\"}]} | mcp",
                "/v1/responses | {\"tools\":[{\"server_url\":\"https://x.test\"}]} | mcp",
                "/v1/responses | {\"input\":[{\"content\":[{\"type\":\"input_image\",\"image_url\":\"https://x.test/a\"}]}]} | url",
                "/v1/responses | {\"input\":[{\"content\":[{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,aaaa\"}]}]} | ",
                "/v1/responses | {\"input\":[{\"content\":[{\"type\":\"input_file\",\"file_url\":\"https://x.test/a\"}]}]} | url",
                "/v1/chat/completions | {\"web_search_options\":{}} | search",
                "/v1/chat/completions | {\"messages\":[{\"content\":[{\"image_url\":{\"url\":\"HTTPS://x.test/a\"}}]}]} | url",
                "/v1/chat/completions | {\"model\":\"x/y:online\"} | search",
                "/v1/chat/completions | {\"plugins\":[{\"id\":\"web\"}]} | search",
                "/v1/chat/completions | {\"search_parameters\":{\"mode\":\"auto\"}} | search",
                "/v1/chat/completions | {\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"get\"}}]} | ",
                "/v1beta/models/g:generateContent | {\"tools\":[{\"google_search\":{}}]} | search",
                "/v1beta/models/g:streamGenerateContent | {\"tools\":[{\"urlContext\":{}}]} | page",
                "/v1beta/models/g:generateContent | {\"contents\":[{\"parts\":[{\"fileData\":{\"fileUri\":\"https://x.test/v\"}}]}]} | url",
                "/v1beta/models/g:generateContent | {\"contents\":[{\"parts\":[{\"text\":\"google_search\"}]}]} | ",
                "/v1/chat/completions | {\"\\u0074ools\":[{\"typ\\u0065\":\"w\\u0065b_search\"}]} | search",
                "/upload | {\"tools\":[{\"type\":\"web_search\"}]} | "
            })
    void a_request_that_has_the_provider_fetch_is_told_from_one_that_has_not(String path, String body, String kind) {
        var expected = kind == null ? List.<String>of() : List.of("block fetch_tools." + kind);
        for (int size : new int[] {1, 10, 10_000}) {
            assertThat(kinds(
                            inspection(blocking("fetch_tools")),
                            post(path, "Content-Type", "application/json"),
                            bytes(body),
                            size))
                    .isEqualTo(expected);
        }
    }

    @Test
    void json_of_any_depth_and_form_costs_no_more_than_its_length() {
        var fetch = inspection(blocking("fetch_tools"));
        var message = post("/v1/messages", "Content-Type", "application/json");
        assertThat(kinds(fetch, message, bytes("[".repeat(200_000) + "]".repeat(200_000)), 8192))
                .isEmpty();
        assertThat(kinds(fetch, message, bytes("{\"a\":".repeat(100_000)), 8192))
                .isEmpty();
        assertThat(kinds(fetch, message, bytes("{\"" + "k".repeat(500_000) + "\":1}"), 8192))
                .isEmpty();
        assertThat(kinds(fetch, message, bytes("}]}],,::\"\\\"\\u00".repeat(10_000)), 8192))
                .isEmpty();
        assertThat(kinds(
                        fetch,
                        message,
                        bytes("{\"x\":" + "[".repeat(1000) + "]".repeat(1000)
                                + ",\"tools\":[{\"type\":\"web_search\"}]}")))
                .containsExactly("block fetch_tools.search");
    }

    @ParameterizedTest
    @CsvSource({
        "api.example.com,",
        "my-service-prod-eu-west-1-canary.example.com,",
        "ec2-203-0-113-25.compute-1.example.com,",
        "a-very-long-but-readable-name-of-a-host.example.com,",
        "mzxw6ytboi2dknjrgq3tmnzyhe.example.com,block dns.noise",
        "4f3a9c0b7e21d8565a0ce4b1.example.com,block dns.noise",
        "x.mzxw6ytboi2dknjrgq3tmnzyhe.example.com,block dns.noise",
        "spelt.mzxw6ytboi2dknjrgq3tmnzyhe.example.com,",
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee.example.com,block dns.long"
    })
    void a_name_that_carries_data_is_told_from_one_that_is_a_name(String name, String expected) {
        assertThat(inspection(blocking("dns"))
                        .name(new HostName(name))
                        .map(finding -> (finding.blocks() ? "block " : "flag ") + finding.kind()))
                .isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void a_name_is_long_as_a_whole_too() {
        var name = "some.words.that.are.names.".repeat(5) + "example.com";
        assertThat(inspection(blocking("dns")).name(new HostName(name)).map(Finding::kind))
                .contains("dns.long");
        assertThat(inspection(NONE).name(new HostName(name)).map(Finding::blocks))
                .contains(false);
    }

    @Test
    void an_inspector_that_throws_blocks_wherever_it_does() {
        assertThat(kinds(inspection(NONE, new Failing("begin")), post("/"), bytes("x")))
                .containsExactly("block own.failed");
        assertThat(kinds(inspection(NONE, new Failing("head")), post("/"), bytes("x")))
                .containsExactly("block own.failed");
        assertThat(kinds(inspection(NONE, new Failing("next")), post("/"), bytes("x")))
                .containsExactly("block own.failed");
        assertThat(kinds(inspection(NONE, new Failing("end")), post("/"), bytes("x")))
                .containsExactly("block own.failed");
        assertThat(kinds(inspection(NONE, new Failing("never")), post("/"), bytes("x")))
                .isEmpty();
    }

    private record Failing(String where) implements Inspector {
        @Override
        public String name() {
            return "own";
        }

        private void failAt(String place) {
            if (where.equals(place)) {
                throw new IllegalStateException("as asked");
            }
        }

        @Override
        public Look begin(Message message) {
            failAt("begin");
            return new Look() {
                @Override
                public Verdict head() {
                    failAt("head");
                    return Verdict.ALLOW;
                }

                @Override
                public Verdict next(ByteBuffer piece) {
                    failAt("next");
                    return Verdict.ALLOW;
                }

                @Override
                public Verdict end() {
                    failAt("end");
                    return Verdict.ALLOW;
                }
            };
        }
    }
}
