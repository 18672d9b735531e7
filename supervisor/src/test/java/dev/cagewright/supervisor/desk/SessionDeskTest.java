package dev.cagewright.supervisor.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.log.AuditLog;
import dev.cagewright.egress.desk.DeskReply;
import dev.cagewright.egress.desk.DeskRequest;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.gate.Approvals;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.grant.Grant;
import dev.cagewright.supervisor.grant.GrantDesk;
import dev.cagewright.supervisor.grant.GrantRequest;
import dev.cagewright.supervisor.grant.GrantState;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionDeskTest {
    private static final String SESSION = "abcdefghij";

    @TempDir
    private Path folder;

    private final Ledger ledger = new Ledger();

    @SuppressWarnings("NullAway") // set before each test
    private AuditLog log;

    @SuppressWarnings("NullAway") // set before each test
    private AuditJournal journal;

    @SuppressWarnings("NullAway") // set before each test
    private Gate gate;

    @SuppressWarnings("NullAway") // set before each test
    private SessionDesk desk;

    /// Grants what is for `a.test`, asks about `later.test`, denies everything else.
    private final class Ledger implements GrantDesk {
        private final List<GrantState> states = new ArrayList<>();

        @Override
        public GrantState ask(GrantRequest request) {
            var until = InstantSource.system().instant().plus(request.time());
            var opening = request.opening();
            var state = switch (opening.host().value()) {
                case "a.test" ->
                    new GrantState(
                            journal.nextId(), opening, GrantState.Standing.GRANTED, "by rule", Optional.of(until));
                case "later.test" ->
                    new GrantState(journal.nextId(), opening, GrantState.Standing.PENDING, "asked", Optional.of(until));
                default ->
                    new GrantState(
                            journal.nextId(), opening, GrantState.Standing.DENIED, "nobody may", Optional.empty());
            };
            states.add(state);
            return state;
        }

        @Override
        public Optional<GrantState> find(DecisionId id) {
            return states.stream().filter(state -> state.id().equals(id)).findFirst();
        }

        @Override
        public List<Grant> live() {
            return states.stream()
                    .filter(state -> state.standing() == GrantState.Standing.GRANTED)
                    .map(state -> new Grant(
                            state.id(),
                            state.opening(),
                            List.of(),
                            state.until().orElseThrow()))
                    .toList();
        }
    }

    @BeforeEach
    void open() throws Exception {
        open("");
    }

    /// @param organisation the text of its file
    private void open(String organisation) throws Exception {
        var above = Files.writeString(folder.resolve("organisation.yaml"), organisation);
        var file = Files.writeString(folder.resolve("policy.yaml"), """
                tool: desk
                net:
                  hosts:
                    - host: api.example.com
                      methods: [GET, POST]
                      paths: ["/v1/**"]
                      budget: {requests: 500/day}
                    - {host: "*.wide.test"}
                    - {host: db.test, port: 5432, protocol: tcp}
                    - {alias: github, methods: [GET]}
                  may_grant: [{hosts: ["*.docs.test"], methods: [GET], paths: ["/open/**"], for: 20m}]
                approval:
                  require_for: [http.request: {methods: [POST], hosts: [api.example.com]}]
                """);
        var files = new PolicyFiles(
                organisation.isEmpty() ? folder.resolve("none") : above,
                folder.resolve("none"),
                folder.resolve("none"));
        var policy = PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
        log = AuditLog.open(folder.resolve("audit.jsonl"), InstantSource.system());
        journal = new AuditJournal(log, SESSION, "desk", policy::reasons);
        var recall = new Recall(journal);
        gate = new Gate(policy.terms().judges(), Approvals.NOBODY, recall);
        var subject = new Allowlist.Subject(policy.terms().net().policy(), gate, RunSecrets.NONE, List::of);
        desk = new SessionDesk(subject, recall, ledger, journal, SessionDesk.Asking.POSSIBLE);
    }

    @AfterEach
    void close() throws IOException {
        log.close();
    }

    private DeskReply say(String method, String path, Optional<String> type, String body) {
        return desk.answer(new DeskRequest(method, path, Optional.empty(), type, ByteString.of(body)));
    }

    private DeskReply get(String path) {
        return say("GET", path, Optional.empty(), "");
    }

    private DeskReply post(String body) {
        return say("POST", "/v1/allowlist/requests", Optional.of("application/json"), body);
    }

    private static JsonObject json(DeskReply reply) throws JsonSyntaxException {
        return (JsonObject) Json.parse(reply.json());
    }

    private String noted() throws IOException {
        return Files.readString(folder.resolve("audit.jsonl"));
    }

    @Test
    void the_help_names_what_there_is() {
        for (String path : List.of("/v1/", "/v1")) {
            var reply = get(path);
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.json())
                    .contains(
                            "\"session\":\"abcdefghij\"",
                            "https://cagewright.internal/v1/",
                            "GET /v1/allowlist",
                            "GET /v1/decisions/ID",
                            "POST /v1/allowlist/requests",
                            "GET /v1/requests/ID",
                            "\"ask_with\":{\"host\":\"HOST\"");
        }
    }

    @Test
    void the_allowlist_says_what_may_be_reached() {
        assertThat(get("/v1/allowlist").json())
                .contains(
                        "{\"host\":\"api.example.com\",\"ports\":[443,80],\"methods\":[\"GET\",\"POST\"],"
                                + "\"paths\":[\"/v1/**\"],\"rule\":\"net.hosts[0]\"}",
                        "{\"host\":\"*.wide.test\",\"ports\":[443,80],\"methods\":[\"*\"],\"paths\":[\"/**\"],",
                        "{\"host\":\"db.test\",\"ports\":[5432],\"protocol\":\"tcp\",",
                        "{\"host\":\"api.github.com\",\"ports\":[443,80],\"methods\":[\"GET\"]",
                        "\"needs_approval\":[{\"action\":\"http.request\",\"methods\":[\"POST\"],"
                                + "\"hosts\":[\"api.example.com\"]}]",
                        "\"granted_when_asked\":[{\"hosts\":[\"*.docs.test\"],\"ports\":[443,80],\"methods\":[\"GET\"],"
                                + "\"paths\":[\"/open/**\"],\"for\":\"20m\"}]",
                        "\"asking\":\"POST /v1/allowlist/requests\"")
                .contains("\"rule\":\"what is not listed is denied\"")
                .doesNotContain("bounds", folder.toString());
    }

    @Test
    void what_a_higher_layer_refuses_is_left_out_and_its_own_bounds_are_told() throws Exception {
        log.close();
        open("net: {hosts: [{host: api.example.com, methods: [GET]}, {host: db.test, port: 5432, protocol: tcp}]}\n");
        var told = json(get("/v1/allowlist"));
        assertThat(told.member("hosts").orElseThrow().write())
                .contains("api.example.com", "*.wide.test", "db.test")
                .doesNotContain("api.github.com");
        assertThat(told.member("bounds").orElseThrow().write())
                .isEqualTo("[{\"layer\":\"organisation\",\"hosts\":[{\"host\":\"api.example.com\",\"ports\":[443,80],"
                        + "\"methods\":[\"GET\"],\"paths\":[\"/**\"],\"rule\":\"net.hosts[0]\"},"
                        + "{\"host\":\"db.test\",\"ports\":[5432],\"protocol\":\"tcp\",\"rule\":\"net.hosts[1]\"}]}]");
    }

    @Test
    void a_denial_is_told_by_its_id_with_rule_fix_and_how_to_ask() throws JsonSyntaxException {
        var request = new Action.HttpRequest("PUT", new HostName("other.test"), 443, "/x");
        assertThatThrownBy(() -> gate.pass(request)).isInstanceOf(DeniedException.class);
        var told = get("/v1/decisions/" + SESSION + "-1");
        assertThat(told.status()).isEqualTo(200);
        assertThat(json(told).text("outcome")).contains("denied");
        assertThat(told.json())
                .contains(
                        "\"what\":\"http.request PUT other.test:443/x\"",
                        "\"rules\":[\"default:deny\"]",
                        "\"code\":\"NO_RULE\"",
                        "\"why\":\"no rule of net.hosts names this host\"",
                        "host: other.test",
                        "\"ask_with\":{\"host\":\"other.test\",\"ports\":[443],\"methods\":[\"PUT\"],\"paths\":[\"/x\"]")
                .doesNotContain("policy.yaml");
    }

    @Test
    void an_allowed_action_is_told_too_and_nothing_of_another_session_is() throws Exception {
        gate.pass(new Action.HttpRequest("GET", new HostName("api.example.com"), 443, "/v1/a"))
                .spend();
        assertThat(get("/v1/decisions/" + SESSION + "-1").json())
                .contains("\"outcome\":\"allowed\"", "\"rules\":[\"net.hosts[0]\",")
                .doesNotContain("\"fix\"");
        for (String id :
                List.of(SESSION + "-2", "zyxwvutsrq-1", "..", "%00", "a/b", SESSION + "-1 ", "x".repeat(9999))) {
            var reply = get("/v1/decisions/" + id);
            assertThat(reply.status()).as(id).isEqualTo(404);
            assertThat(reply.json()).hasSizeLessThan(600).contains("\"status\":404");
        }
    }

    @Test
    void what_is_granted_at_once_is_201_and_stands_in_the_allowlist() throws JsonSyntaxException {
        var reply = post("{\"host\":\"a.test\",\"paths\":[\"/ok\"],\"why\":\"to see\",\"for\":\"10m\"}");
        assertThat(reply.status()).isEqualTo(201);
        var id = json(reply).text("id").orElseThrow();
        assertThat(reply.fields()).containsEntry("Location", "/v1/requests/" + id);
        assertThat(reply.json())
                .contains(
                        "\"state\":\"granted\",\"reason\":\"by rule\",\"host\":\"a.test\",\"ports\":[80,443],"
                                + "\"methods\":[\"GET\",\"HEAD\"],\"paths\":[\"/ok\"]",
                        "\"status_url\":\"https://cagewright.internal/v1/requests/" + id + "\"");
        assertThat(reply.json()).containsPattern("\"seconds_left\":(600|59[0-9])");
        assertThat(get("/v1/requests/" + id).json()).contains("\"state\":\"granted\"");
        assertThat(get("/v1/decisions/" + id).json()).contains("\"state\":\"granted\"");
        assertThat(get("/v1/allowlist").json()).contains("\"granted\":[{\"id\":\"" + id + "\",\"host\":\"a.test\"");
    }

    @Test
    void what_a_person_is_asked_about_is_202_and_what_nobody_grants_is_403() throws JsonSyntaxException {
        var pending = post("{\"host\":\"later.test\",\"why\":\"to see\"}");
        assertThat(pending.status()).isEqualTo(202);
        assertThat(pending.fields()).containsEntry("Retry-After", "2");
        assertThat(json(pending).text("state")).contains("pending");

        var denied = post("{\"host\":\"b.test\",\"why\":\"to see\"}");
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.form()).isEqualTo(DeskReply.Form.PROBLEM);
        assertThat(denied.json())
                .contains(
                        "\"type\":\"urn:cagewright:problem:denied\"",
                        "\"detail\":\"nobody may\"",
                        "\"state\":\"denied\"",
                        "\"reason\":\"nobody may\"");
        assertThat(get("/v1/requests/" + json(denied).text("id").orElseThrow()).json())
                .contains("\"state\":\"denied\"");
    }

    @Test
    void a_body_that_is_no_request_is_400_with_its_place_and_nobody_is_asked() {
        var reply = post("{\"host\":\"a.test\",\"why\":\"x\",\"methods\":[7]}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.json())
                .contains(
                        "\"at\":\"/methods/0\"",
                        "\"detail\":\"/methods/0: no text (expected: text in double quotes)\"");
        assertThat(post("{\"host\"").json()).contains("\"at\":\"byte 7\"");
        assertThat(ledger.states).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, 404, ",
        "GET, /v2/, 404, ",
        "GET, /v1/allowlist/, 404, ",
        "GET, /v1/Allowlist, 404, ",
        "GET, /v1/decisions, 404, ",
        "GET, /v1/decisions/, 404, ",
        "GET, /v1/decisions/a/b, 404, ",
        "GET, /v1/requests/, 404, ",
        "POST, /v1/elsewhere, 404, ",
        "HEAD, /v1/, 405, GET",
        "OPTIONS, /v1/allowlist, 405, GET",
        "POST, /v1/allowlist, 405, GET",
        "DELETE, /v1/requests/abcdefghij-1, 405, GET",
        "GET, /v1/allowlist/requests, 405, POST",
        "HEAD, /v1/allowlist/requests, 405, POST",
        "OPTIONS, /v1/allowlist/requests, 405, POST",
        "BREW, /v1/allowlist/requests, 405, POST",
    })
    void other_paths_are_404_and_other_methods_405_with_those_that_are_taken(
            String method, String path, int status, String allowed) {
        var reply = say(method, path, Optional.empty(), "");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.form()).isEqualTo(DeskReply.Form.PROBLEM);
        assertThat(reply.fields().get("Allow")).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, 201",
        "Application/JSON; Charset=utf-8, 201",
        "text/plain, 415",
        "application/x-www-form-urlencoded, 415",
        "application/json; charset=latin1, 415",
        "application/jsonp, 415",
        ", 415",
    })
    void a_body_has_to_say_that_it_is_json(String type, int status) {
        var body = "{\"host\":\"a.test\",\"why\":\"x\"}";
        assertThat(say("POST", "/v1/allowlist/requests", Optional.ofNullable(type), body)
                        .status())
                .isEqualTo(status);
    }

    @Test
    void a_query_is_not_taken() {
        var asked = new DeskRequest("GET", "/v1/allowlist", Optional.of("x=1"), Optional.empty(), ByteString.of(""));
        assertThat(desk.answer(asked).status()).isEqualTo(400);
    }

    @Test
    void every_answer_is_on_record_and_without_a_log_there_is_none() throws IOException {
        get("/v1/allowlist");
        get("/v1/" + "\u001b[31m".repeat(200));
        assertThat(noted())
                .contains("\"name\":\"net.desk\"", "\"method\":\"GET\",\"path\":\"/v1/allowlist\",\"status\":200")
                .contains("\"status\":404")
                .doesNotContain("\u001b");
        log.close();
        var reply = get("/v1/allowlist");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.json()).contains("the audit log cannot be written").doesNotContain("api.example.com");
    }
}
