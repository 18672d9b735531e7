package dev.cagewright.supervisor.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.Token;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import dev.cagewright.supervisor.hatch.HatchAnswer;
import dev.cagewright.supervisor.hatch.HatchRequest;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.RevocationFile;
import dev.cagewright.supervisor.token.TokenOffice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterClerkTest {
    private static final String SESSION = "abcdefghij";

    @TempDir
    private Path folder;

    private final TokenKey key = TokenKey.of(new byte[TokenKey.LENGTH]);
    private final List<String> noted = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private Optional<TokenOffice> made = Optional.empty();
    private byte[] root = new byte[0];
    private boolean isLogFull;

    @BeforeEach
    void session() throws IOException, RefusedTokenException {
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        var list = RevocationFile.of(folders, key, Optional.empty(), InstantSource.system());
        made = Optional.of(new TokenOffice(key, list, this::note, SESSION));
        root = office().mint(link("root-1"));
        noted.clear();
    }

    private void note(String name, JsonObject detail) throws IOException {
        if (isLogFull) {
            throw new IOException("No space left on device");
        }
        noted.add(name + " " + detail.write());
    }

    private TokenOffice office() {
        return made.orElseThrow();
    }

    private static Link link(String rev) {
        long now = InstantSource.system().instant().getEpochSecond();
        var rights = Rights.NONE
                .with(Axis.ACTIONS, List.of("http.request"))
                .with(Axis.HOSTS, List.of("*.example.com"))
                .with(Axis.METHODS, List.of("GET", "POST"))
                .with(Axis.PATHS, List.of("/repos/**"));
        return new Link(new RevId(rev), Optional.empty(), now, now + 600, rights);
    }

    private Token genuine(String text) {
        return switch (office().verifier().verify(text.getBytes(StandardCharsets.US_ASCII))) {
            case Verification.Genuine(Token token) -> token;
            case Verification.Refused refused -> throw new AssertionError(refused.why());
        };
    }

    private CounterClerk clerk() {
        var token = genuine(new String(root, StandardCharsets.US_ASCII));
        return new CounterClerk(
                new HeldToken(office(), token, root, SESSION), new Pace(nanos::get), InstantSource.system());
    }

    private static HatchAnswer ask(CounterClerk clerk, String body) {
        return clerk.answer(new HatchRequest("POST", "/v1/attenuate", Map.of(), ByteString.of(body)));
    }

    private static JsonObject json(HatchAnswer answer) {
        try {
            return (JsonObject) Json.parse(answer.body().toByteArray());
        } catch (JsonSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static String text(HatchAnswer answer, String member) {
        return json(answer).text(member).orElse("");
    }

    @Test
    void a_cage_gets_a_narrower_child_that_is_on_record_before_it_has_it() {
        var answer = ask(clerk(), "{\"name\":\"fetcher\",\"methods\":[\"GET\"],\"expires_in\":\"60s\"}");

        assertThat(answer.status()).isEqualTo(201);
        var token = genuine(text(answer, "token"));
        assertThat(token.lineage()).map(RevId::value).containsExactly("root-1", SESSION + "-1.fetcher");
        assertThat(token.head().rights().spelt(Axis.METHODS)).contains("GET");
        assertThat(token.head().rights().spelt(Axis.HOSTS)).contains("*.example.com");
        assertThat(noted)
                .singleElement()
                .asString()
                .startsWith("token.delegate {\"by\":\"" + SESSION)
                .contains("\"parent\":\"root-1\"")
                .doesNotContain(text(answer, "token"));
    }

    @Test
    void a_child_hands_on_again_and_revoking_it_ends_its_own_children_alone() throws IOException {
        var clerk = clerk();
        var child = text(ask(clerk, "{\"methods\":[\"GET\"]}"), "token");
        var grandchild = text(ask(clerk, "{\"parent\":\"" + child + "\",\"paths\":[\"/repos/acme/**\"]}"), "token");
        assertThat(genuine(grandchild).lineage())
                .map(RevId::value)
                .containsExactly("root-1", SESSION + "-1.child", SESSION + "-2.child");

        office().revoke(new RevId(SESSION + "-1.child"));
        assertThat(new TokenOffice(key, list(), this::note, "x")
                        .verifier()
                        .verify(grandchild.getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(Verification.Refused.class);
        var again = ask(fresh(), "{\"parent\":\"" + grandchild + "\"}");
        assertThat(again.status()).isEqualTo(403);
        assertThat(text(again, "code")).isEqualTo("token:revoked-ancestor");
        assertThat(ask(fresh(), "{\"name\":\"other\"}").status()).isEqualTo(201);
    }

    /// One whose list is read anew.
    private CounterClerk fresh() throws IOException {
        made = Optional.of(new TokenOffice(key, list(), this::note, SESSION));
        return clerk();
    }

    private RevocationFile list() throws IOException {
        var folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
        return RevocationFile.of(folders, key, Optional.empty(), InstantSource.system());
    }

    @Test
    void nothing_wider_is_made_on_any_axis_and_each_try_is_on_record() {
        var clerk = clerk();
        var wider = List.of(
                "{\"hosts\":[\"*\"]}",
                "{\"hosts\":[\"example.com\"]}",
                "{\"methods\":[\"*\"]}",
                "{\"paths\":[\"/**\"]}",
                "{\"actions\":[\"http.request\",\"proc.exec\"]}",
                "{\"mounts\":[\"ro:/\"]}",
                "{\"secrets\":[\"*\"]}",
                "{\"expires_in\":\"2h\"}");
        for (String wish : wider) {
            var answer = ask(clerk, wish);
            assertThat(answer.status()).as(wish).isEqualTo(403);
            assertThat(text(answer, "code")).isEqualTo("token:wider");
        }
        assertThat(noted).hasSize(wider.size()).allMatch(line -> line.startsWith("token.refused {"));
    }

    @Test
    void a_token_of_another_chain_is_not_narrowed_here() throws IOException, RefusedTokenException {
        var other = new String(office().mint(link("root-2")), StandardCharsets.US_ASCII).strip();
        var twin = office().attenuate(root, link("root-1b"));

        assertThat(text(ask(clerk(), "{\"parent\":\"" + other + "\"}"), "code")).isEqualTo("token:foreign");
        assertThat(ask(clerk(), "{\"parent\":\"" + new String(twin, StandardCharsets.US_ASCII).strip() + "\"}")
                        .status())
                .isEqualTo(201);
        var edited = other.substring(0, 20) + (other.charAt(20) == 'A' ? 'B' : 'A') + other.substring(21);
        assertThat(text(ask(clerk(), "{\"parent\":\"" + edited + "\"}"), "code"))
                .startsWith("token:");
        assertThat(ask(clerk(), "{\"parent\":\"" + edited + "\"}").status()).isEqualTo(403);
    }

    @Test
    void what_is_no_wish_is_refused_with_the_accepted_forms() {
        for (String body : List.of(
                "",
                "[]",
                "{\"hosts\":\"a.example.com\"}",
                "{\"host\":[]}",
                "{\"name\":\"../x\"}",
                "{\"name\":1}",
                "{\"methods\":[\"GET\"],\"methods\":[\"POST\"]}",
                "{\"expires_in\":\"0s\"}",
                "{\"actions\":[\"*\"]}",
                "{\"requests\":\"-1\"}")) {
            var answer = ask(clerk(), body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(text(answer, "detail")).as(body).contains(body.isEmpty() ? "no JSON" : ": ");
        }
        assertThat(noted).isEmpty();
    }

    @Test
    void a_log_that_takes_no_line_makes_no_token() {
        isLogFull = true;
        var answer = ask(clerk(), "{}");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().utf8().orElse("")).doesNotContain("cwt1.");
    }

    @Test
    void asking_is_bounded_in_pace_and_in_number() {
        var clerk = clerk();
        for (int i = 0; i < Pace.BURST; i++) {
            assertThat(ask(clerk, "{}").status()).isEqualTo(201);
        }
        assertThat(ask(clerk, "{}").status()).isEqualTo(429);
        nanos.addAndGet(100_000_000L);
        assertThat(ask(clerk, "{}").status()).isEqualTo(201);
        assertThat(ask(clerk, "{}").status()).isEqualTo(429);
        for (int i = Pace.BURST + 1; i < Pace.MOST_CHILDREN; i++) {
            nanos.addAndGet(100_000_000L);
            assertThat(ask(clerk, "{}").status()).isEqualTo(201);
        }
        nanos.addAndGet(1_000_000_000L);
        assertThat(text(ask(clerk, "{}"), "detail")).isEqualTo("this run has made 256 tokens (expected: no more)");
    }

    @Test
    void what_the_session_may_is_told_without_anything_that_could_be_used() {
        var answer = clerk().answer(new HatchRequest("GET", "/v1/token", Map.of(), ByteString.of("")));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().utf8().orElse("")).contains("*.example.com").doesNotContain("cwt1.");
        assertThat(clerk().answer(new HatchRequest("GET", "/v1/attenuate", Map.of(), ByteString.of("")))
                        .status())
                .isEqualTo(405);
        assertThat(clerk().answer(new HatchRequest("GET", "/v2", Map.of(), ByteString.of("")))
                        .status())
                .isEqualTo(404);
    }
}
