package dev.cagewright.supervisor.desk;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.desk.DeskReply;
import dev.cagewright.egress.desk.DeskRequest;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.supervisor.grant.GrantDesk;
import dev.cagewright.supervisor.grant.GrantState;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/// The desk of one session: what its cage may reach, what was decided, and asking for more. Every answer is on record
/// as a `net.desk` note before it is given; without a log there is none. Safe for all threads.
public final class SessionDesk implements PolicyDesk {
    private static final String ROOT = "/v1/";
    private static final String ALLOWLIST = ROOT + "allowlist";
    private static final String REQUESTS = ALLOWLIST + "/requests";
    private static final String ONE_REQUEST = ROOT + "requests/";
    private static final String DECISIONS = ROOT + "decisions/";
    private static final String NOTE = "net.desk";
    private static final int LONGEST_NOTED = 200;

    private final Allowlist allowlist;
    private final PastDecisions decisions;
    private final GrantDesk grants;
    private final AuditJournal journal;
    private final Asking asking;

    /// Can anything come of asking?
    public enum Asking {
        /// The policy grants something by itself, or somebody can be asked.
        POSSIBLE,
        /// Every request is denied.
        HOPELESS
    }

    /// @param subject what is told of
    /// @param recall what was decided
    /// @param grants where more is asked for
    /// @param journal of the session
    public SessionDesk(
            Allowlist.Subject subject, Recall recall, GrantDesk grants, AuditJournal journal, Asking asking) {
        this.allowlist = new Allowlist(subject, grants, asking);
        this.decisions = new PastDecisions(recall, grants, journal, asking);
        this.grants = grants;
        this.journal = journal;
        this.asking = asking;
    }

    @Override
    public boolean takesRequests() {
        return asking == Asking.POSSIBLE;
    }

    @Override
    public DeskReply answer(DeskRequest request) {
        var reply = answered(request);
        try {
            journal.note(NOTE, noted(request, reply));
            return reply;
        } catch (IOException _) {
            return DeskProblem.unrecorded();
        }
    }

    private static JsonObject noted(DeskRequest request, DeskReply reply) {
        var path = ByteString.of(request.path()).printable();
        return Json.object()
                .put("method", request.method())
                .put("path", path.substring(0, Math.min(LONGEST_NOTED, path.length())))
                .put("status", reply.status())
                .build();
    }

    private DeskReply answered(DeskRequest request) {
        var path = request.path();
        if (request.query().isPresent()) {
            return DeskProblem.malformed("a query is not taken here");
        }
        if (path.equals(REQUESTS)) {
            return request.method().equals("POST") ? asked(request) : DeskProblem.otherMethod(path, "POST");
        }
        if (!isKnown(path)) {
            return DeskProblem.notFound(
                    "nothing is called " + shown(path) + " here; GET " + ROOT + " says what there is");
        }
        return request.method().equals("GET") ? told(path) : DeskProblem.otherMethod(shown(path), "GET");
    }

    private static boolean isKnown(String path) {
        return path.equals(ROOT)
                || path.equals("/v1")
                || path.equals(ALLOWLIST)
                || idIn(path, DECISIONS).isPresent()
                || idIn(path, ONE_REQUEST).isPresent();
    }

    private static Optional<String> idIn(String path, String before) {
        return path.startsWith(before) && path.length() > before.length() && path.indexOf('/', before.length()) < 0
                ? Optional.of(path.substring(before.length()))
                : Optional.empty();
    }

    private DeskReply told(String path) {
        if (path.equals(ALLOWLIST)) {
            return result(200, allowlist.toJson());
        }
        var decision = idIn(path, DECISIONS);
        if (decision.isPresent()) {
            return id(decision.get())
                    .flatMap(decisions::find)
                    .map(json -> result(200, json))
                    .orElseGet(() -> DeskProblem.notFound(
                            "no decision of this session that is remembered is called " + shown(decision.get())));
        }
        var request = idIn(path, ONE_REQUEST);
        if (request.isPresent()) {
            return id(request.get())
                    .flatMap(grants::find)
                    .map(state -> result(200, GrantJson.of(state)))
                    .orElseGet(() -> DeskProblem.notFound(
                            "no request of this session that is remembered is called " + shown(request.get())));
        }
        return result(200, Help.of(journal.session(), asking));
    }

    private static Optional<DecisionId> id(String text) {
        try {
            return Optional.of(new DecisionId(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private DeskReply asked(DeskRequest request) {
        if (!isJson(request)) {
            return DeskProblem.otherType();
        }
        try {
            return stated(grants.ask(GrantBody.parse(request.body())));
        } catch (BadBodyException e) {
            return DeskProblem.malformed(e);
        }
    }

    private static boolean isJson(DeskRequest request) {
        var type = request.type().orElse("").toLowerCase(Locale.ROOT).replace(" ", "");
        return type.equals("application/json") || type.equals("application/json;charset=utf-8");
    }

    private static DeskReply stated(GrantState state) {
        var reply = switch (state.standing()) {
            case GRANTED -> result(201, GrantJson.of(state));
            case PENDING -> result(202, GrantJson.of(state)).with("Retry-After", "2");
            case DENIED, EXPIRED, REVOKED ->
                DeskReply.problem(403, GrantJson.problem(state).write() + "\n");
        };
        return reply.with("Location", ONE_REQUEST + state.id());
    }

    private static DeskReply result(int status, JsonObject json) {
        return DeskReply.result(status, json.write() + "\n");
    }

    private static String shown(String text) {
        var printable = ByteString.of(text).printable();
        return printable.substring(0, Math.min(LONGEST_NOTED, printable.length()));
    }
}
