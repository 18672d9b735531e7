package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.here.HostClient;
import dev.cagewright.egress.here.HostRequest;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.supervisor.fetch.HostFetch;
import dev.cagewright.supervisor.fetch.Problem;
import dev.cagewright.supervisor.journal.ActionText;
import dev.cagewright.supervisor.net.HostDoor;
import dev.cagewright.supervisor.session.DenialReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/// `http_fetch`: one request by the way that a cage's requests go, with a secret of the policy's by its name. Follows
/// no
/// redirect: where one leads is another request, to be judged as such.
record HttpFetch(ToolGround ground, CallCage cage, ClientAsker asker) implements Tool {
    private static final int MOST_BODY = 3 << 20;
    private static final int MOST_ANSWER = 4 << 20;
    private static final int USUAL_ANSWER = 256 << 10;
    private static final int LONGEST_URL = 16 << 10;
    private static final int MOST_HEADERS = 100;
    private static final int NO_ANSWER = 125;

    private static final JsonObject DEFINITION = Tool.definition("""
            {"name": "http_fetch", "title": "Make an HTTP request",
             "description": "Makes one request through the gateway: judged by the policy, recorded, verified, counted. credential names a secret of the policy, whose value is put in outside and never shown. No redirect is followed: its Location comes back.",
             "inputSchema": {"type": "object", "additionalProperties": false, "required": ["url"], "properties": {
               "url": {"type": "string", "description": "https:// or http://, without user and fragment."},
               "method": {"type": "string", "default": "GET"},
               "headers": {"type": "object", "additionalProperties": {"type": "string"}},
               "body": {"type": "string", "description": "At most 3 MiB."},
               "body_encoding": {"enum": ["utf-8", "base64"], "default": "utf-8"},
               "credential": {"type": "string", "description": "The name of a secret; https only."},
               "credential_header": {"type": "string", "description": "The field that is the secret; Authorization: Bearer has it by default."},
               "timeout": {"type": "integer", "minimum": 1, "maximum": 600, "description": "Seconds for the whole of it; 120 by default."},
               "max_bytes": {"type": "integer", "minimum": 0, "maximum": 4194304, "description": "The most of the answer's body; 262144 by default."}}},
             "outputSchema": {"type": "object", "required": ["status", "headers", "body", "body_encoding", "body_bytes"], "properties": {
               "status": {"type": "integer"},
               "headers": {"type": "array", "items": {"type": "object", "required": ["name", "value"], "properties": {"name": {"type": "string"}, "value": {"type": "string"}}}},
               "body": {"type": "string"}, "body_encoding": {"enum": ["utf-8", "base64"]}, "body_bytes": {"type": "integer"},
               "cut": {"type": "string", "description": "Why body is not all of it."}}},
             "annotations": {"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true}}
            """);

    @Override
    public String name() {
        return "http_fetch";
    }

    @Override
    public JsonObject definition() {
        return DEFINITION;
    }

    @Override
    public Set<String> arguments() {
        return Set.of(
                "url",
                "method",
                "headers",
                "body",
                "body_encoding",
                "credential",
                "credential_header",
                "timeout",
                "max_bytes");
    }

    /// A request, and what it is to a policy.
    private record Wish(Action.HttpRequest action, HostRequest request) {}

    @Override
    public ToolAnswer call(Arguments arguments, Call call)
            throws DeniedException, ConfinementException, IOException, InterruptedException {
        var wish = wish(arguments);
        var limits = new HostClient.Limits(
                arguments.whole("max_bytes", 0, MOST_ANSWER).orElse(USUAL_ANSWER),
                Duration.ofSeconds(arguments.whole("timeout", 1, 600).orElse(120)));
        var body = new ByteArrayOutputStream();
        try (var _ = asker.beside(call.caller())) {
            var fetch = new HostFetch(ground.session(), limits, this::door);
            var ended = call.asking(() -> fetch.fetch(wish.action(), wish.request(), body));
            return ended.refusal()
                    .map(problem -> refused(wish.action(), problem))
                    .orElseGet(() -> answered(ended, body));
        }
    }

    /// The gateway is the cage's, with all that it counts and keeps.
    private HostDoor door(LocalDoor at, BiConsumer<DecisionId, Action> hearer)
            throws ConfinementException, InterruptedException {
        var part = cage.take();
        try {
            return new CallDoor(part, part.cage().doorHere(at, hearer));
        } catch (ConfinementException | RuntimeException e) {
            part.close();
            throw e;
        }
    }

    private record CallDoor(CallCage.Part part, HostDoor door) implements HostDoor {
        @Override
        public void revise() {
            door.revise();
        }

        @Override
        public void close() {
            try (part) {
                door.close();
            }
        }
    }

    private Wish wish(Arguments arguments) {
        var url = url(arguments.text("url"));
        boolean isPlain = url.getScheme().equalsIgnoreCase("http");
        var method = arguments.optionalText("method").orElse("GET").toUpperCase(Locale.ROOT);
        int port = url.getPort() >= 0 ? url.getPort() : isPlain ? 80 : 443;
        var path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        var target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        var body = arguments.content("body", "body_encoding", MOST_BODY).map(ByteString::toByteArray);
        var headers = headers(arguments);
        credential(arguments, isPlain).ifPresent(headers::add);
        return new Wish(
                new Action.HttpRequest(method, new HostName(host(url)), port, path),
                new HostRequest(
                        isPlain ? HostRequest.Scheme.HTTP : HostRequest.Scheme.HTTPS, method, target, headers, body));
    }

    private static String host(URI url) {
        var host = url.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static URI url(String text) {
        var expected = "url: (expected: https://HOST/PATH, visible ASCII, other characters percent-encoded, no user and"
                + " no fragment)";
        if (text.length() > LONGEST_URL || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(expected);
        }
        try {
            var url = new URI(text);
            boolean isWeb = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            if (!isWeb || url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
                throw new IllegalArgumentException(expected);
            }
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(expected, e);
        }
    }

    private static List<HostRequest.Header> headers(Arguments arguments) {
        var headers = new ArrayList<HostRequest.Header>();
        arguments.named("headers").forEach((name, value) -> {
            if (!HostRequest.Header.isFree(name) || value.chars().anyMatch(c -> c < ' ' || c > 0xff || c == 0x7f)) {
                throw new IllegalArgumentException(
                        "headers: \"" + ByteString.of(name).printable()
                                + "\" (expected: a name that the connection does not need for itself, and a value without"
                                + " control characters)");
            }
            headers.add(new HostRequest.Header(name, value));
        });
        if (headers.size() > MOST_HEADERS) {
            throw new IllegalArgumentException("headers: (expected: at most " + MOST_HEADERS + ")");
        }
        return headers;
    }

    private Optional<HostRequest.Header> credential(Arguments arguments, boolean isPlain) {
        var name = arguments.optionalText("credential");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        if (isPlain) {
            throw new IllegalArgumentException("credential: no secret goes without TLS (expected: https://)");
        }
        var held = ground.secrets().held().stream()
                .filter(secret -> secret.name().equals(name.get()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("credential: no secret of that name is lent (expected: "
                        + ground.secrets().held().stream().map(HeldSecret::name).toList() + ")"));
        var field = arguments.optionalText("credential_header");
        return Optional.of(
                field.isPresent()
                        ? HostRequest.Header.parse(field.get() + ": " + held.decoyText())
                        : new HostRequest.Header("Authorization", "Bearer " + held.decoyText()));
    }

    private static ToolAnswer answered(HostFetch.Ended ended, ByteArrayOutputStream body) {
        var answer = ended.answer();
        var told = Told.of(ByteString.copyOf(body.toByteArray()));
        var headers = answer.headers().stream()
                .<JsonValue>map(header -> Json.object()
                        .put("name", header.name())
                        .put("value", header.value())
                        .build())
                .toList();
        var json = Json.object()
                .put("status", answer.status())
                .put("headers", new JsonArray(headers))
                .put("body", told.text())
                .put("body_encoding", told.encoding())
                .put("body_bytes", answer.bytes());
        answer.cut().ifPresent(why -> json.put("cut", why));
        var text = "HTTP " + answer.status()
                + answer.contentType().map(type -> ", " + type).orElse("")
                + answer.cut().map(why -> " [cut: " + why + "]").orElse("")
                + ended.decision().map(id -> "; decision " + id).orElse("") + "\n\n" + told.text();
        return ToolAnswer.done(text, json.build(), ToolAnswer.allowed(ended.decision(), 0));
    }

    /// What the gateway refused it has put on record.
    private ToolAnswer refused(Action action, Problem problem) {
        var id = problem.decision().map(DecisionId::new);
        if (!problem.isDenial()) {
            return ToolAnswer.failed(
                    "no answer: " + problem.detail()
                            + id.map(known -> "\ndecision " + known).orElse(""),
                    Optional.empty(),
                    ToolAnswer.allowed(id, NO_ANSWER));
        }
        var code = code(action, problem).name();
        return ToolAnswer.denied(new DenialReport(
                id,
                ActionText.of(action),
                problem.rule().map(List::of).orElse(List.of()),
                code,
                problem.detail(),
                Optional.empty(),
                problem.fix()));
    }

    private DenyCode code(Action action, Problem problem) {
        return switch (ground.session().gate().judge(action)) {
            case Decision.Deny deny -> deny.code();
            case Decision.Ask ask when isAbout(ask, problem) -> DenyCode.NOT_APPROVED;
            case Decision.Ask _, Decision.Allow _ -> DenyCode.FORBIDDEN;
        };
    }

    /// Was it for want of an agreement, and not for what an agreement leaves to others?
    private static boolean isAbout(Decision.Ask ask, Problem problem) {
        return ask.because().stream().map(RuleId::value).anyMatch(problem.rule().orElse("")::equals);
    }
}
