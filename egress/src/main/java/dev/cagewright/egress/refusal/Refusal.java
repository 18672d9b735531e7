package dev.cagewright.egress.refusal;

import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.DeniedException;
import java.util.List;
import java.util.Optional;

/// What a client is told that does not get what it asked for.
///
/// @param status of HTTP
/// @param type the last word of the problem's type
/// @param detail one sentence
/// @param decision the decision's id; empty where nothing was judged
/// @param rule the rule that settled it; empty where nothing was judged
/// @param fix lines of a policy that would allow it, or what else to do
/// @param hope what else could change it
public record Refusal(
        int status,
        String type,
        String detail,
        Optional<String> decision,
        Optional<String> rule,
        List<String> fix,
        Hope hope) {

    /// What could change a refusal while the cage runs.
    public enum Hope {
        NONE,
        /// The policy knows no rule; a grant may fill that.
        GRANT
    }

    /// The policy says no.
    public static Refusal denied(DeniedException denied, List<String> fix) {
        return no(denied.denial(), denied.id().value(), fix);
    }

    /// What was allowed is so no longer: a budget was used up under way, or the policy was changed.
    public static Refusal stopped(Decision.Deny deny, String decision) {
        return no(deny, decision, List.of());
    }

    private static Refusal no(Decision.Deny deny, String decision, List<String> fix) {
        return new Refusal(
                403,
                deny.code() == DenyCode.BUDGET ? "budget" : "denied",
                deny.detail(),
                Optional.of(decision),
                deny.because().stream().findFirst().map(RuleId::value),
                fix,
                deny.code() == DenyCode.NO_RULE ? Hope.GRANT : Hope.NONE);
    }

    /// Was it decided so, and not only found out under way?
    boolean isDecided() {
        return decision.isPresent() && (type.equals("denied") || type.equals("budget"));
    }

    /// A message that cannot be read in one way only.
    public static Refusal malformed(int status, String why) {
        return new Refusal(status, "malformed", why, Optional.empty(), Optional.empty(), List.of(), Hope.NONE);
    }

    /// A body that no person can be shown.
    public static Refusal unapprovable(String why) {
        return new Refusal(
                413,
                "approval",
                why,
                Optional.empty(),
                Optional.empty(),
                List.of("# send less at once, or take this request out of approval.require_for"),
                Hope.NONE);
    }

    /// Messages that no person can be shown, where a person would have to see requests.
    ///
    /// @param ask what requests to there would raise
    public static Refusal unseen(Decision.Ask ask) {
        return new Refusal(
                403,
                "approval",
                "a WebSocket sends messages that nobody can be shown, and the policy has a person see what is sent there",
                Optional.empty(),
                ask.because().stream().findFirst().map(RuleId::value),
                List.of("# let the rule ask about GET too: then the opening of the WebSocket waits for a person"),
                Hope.NONE);
    }

    /// Two names for one request.
    public static Refusal misdirected(String why) {
        return new Refusal(400, "misdirected", why, Optional.empty(), Optional.empty(), List.of(), Hope.NONE);
    }

    /// An allowed name at an address that is not its own.
    public static Refusal elsewhere(String why) {
        return new Refusal(
                403,
                "address",
                why,
                Optional.empty(),
                Optional.empty(),
                List.of("# look the name up in the cage again, or allow the address by a rule of its own"),
                Hope.NONE);
    }

    /// The origin could not be had.
    public static Refusal unreached(String why, String decision) {
        return new Refusal(502, "upstream", why, Optional.of(decision), Optional.empty(), List.of(), Hope.NONE);
    }

    /// Something went wrong on our side; nothing was sent.
    public static Refusal failed(String why) {
        return new Refusal(500, "failed", why, Optional.empty(), Optional.empty(), List.of(), Hope.NONE);
    }

    /// The rules let nobody dial where the name leads.
    public static Refusal forbiddenAddress(String why, String decision) {
        return new Refusal(
                403,
                "address",
                why,
                Optional.of(decision),
                Optional.empty(),
                List.of("# if that address is meant, name it in the rule: addresses: [ADDRESS]"),
                Hope.NONE);
    }

    /// An inspector ended it.
    ///
    /// @param kind of the finding, never what was found
    /// @param key of the policy that asks for it
    public static Refusal stopped(String kind, String key, String decision) {
        return new Refusal(
                403,
                "inspection",
                "an inspector stopped this request: " + kind,
                Optional.of(decision),
                Optional.of(key),
                key.equals("inspect.custom") || key.equals("inspect.body")
                        ? List.of("# " + key + " of the policy says so")
                        : List.of("# if it may pass all the same: " + key + ": flag"),
                Hope.NONE);
    }

    /// The cage's own desk does not answer a request so.
    public static Refusal atDesk(int status, String why) {
        return new Refusal(status, "request", why, Optional.empty(), Optional.empty(), List.of(), Hope.NONE);
    }

    /// A decoy stands where its secret may not go.
    ///
    /// @param why one sentence, without the decoy
    public static Refusal misused(String why, String decision, List<String> fix) {
        return new Refusal(403, "credential", why, Optional.of(decision), Optional.of("credentials"), fix, Hope.NONE);
    }

    String title() {
        return switch (status) {
            case 403 -> "Not allowed by this cage's policy";
            case 408 -> "The request did not come in time";
            case 413 -> "The request is too long";
            case 415 -> "The request's body is of another kind";
            case 429 -> "Too many requests";
            case 500 -> "The request could not be judged";
            case 502 -> "The upstream could not be reached";
            case 503 -> "Nobody answers now";
            default -> "The request was not understood";
        };
    }
}
