package dev.cagewright.policy.token;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Judge;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.RightsJudge;
import java.util.List;
import java.util.Optional;

/// A token as a judge of the gate's: lets through what every link of it grants, as long as it holds. Time and
/// revocation are looked at anew for each action. One that was refused denies everything, with the reason of its
/// refusal. Safe for all threads.
public final class TokenJudge implements Judge {
    private static final int LONGEST_SHOWN = 200;

    private final Standing standing;

    private TokenJudge(Standing standing) {
        this.standing = standing;
    }

    /// What was presented is good for.
    private sealed interface Standing {
        record Chain(TokenVerifier verifier, Token token, List<RightsJudge> links, Decision granted)
                implements Standing {}

        record Worthless(Verification.Refused refused) implements Standing {}
    }

    /// The judge for a token as it is presented.
    public static TokenJudge of(TokenVerifier verifier, byte[] presented) {
        return switch (verifier.verify(presented)) {
            case Verification.Refused refused -> refusing(refused);
            case Verification.Genuine(Token token) ->
                new TokenJudge(new Standing.Chain(
                        verifier,
                        token,
                        token.links().stream()
                                .map(link -> new RightsJudge(link.rights()))
                                .toList(),
                        new Decision.Allow(new RuleId("token[" + token.head().rev() + "]"))));
        };
    }

    /// The judge where a token was presented and is worth nothing: it denies everything.
    public static TokenJudge refusing(Verification.Refused refused) {
        return new TokenJudge(new Standing.Worthless(refused));
    }

    /// The token; empty if what was presented was refused.
    public Optional<Token> token() {
        return standing instanceof Standing.Chain chain ? Optional.of(chain.token()) : Optional.empty();
    }

    /// What is against the token now, by time, by revocation or from the start.
    public Optional<Verification.Refused> fault() {
        return switch (standing) {
            case Standing.Worthless(var refused) -> Optional.of(refused);
            case Standing.Chain chain -> chain.verifier().fault(chain.token());
        };
    }

    @Override
    public Decision judge(Action action) {
        return fault().map(TokenJudge::denial).orElseGet(() -> granted(action));
    }

    private Decision granted(Action action) {
        return switch (standing) {
            case Standing.Worthless(var refused) -> denial(refused);
            case Standing.Chain chain -> judge(chain, action);
        };
    }

    private static Decision denial(Verification.Refused refused) {
        return new Decision.Deny(refused.fault().rule(), DenyCode.TOKEN, refused.why());
    }

    private static Decision judge(Standing.Chain chain, Action action) {
        for (int i = 0; i < chain.links().size(); i++) {
            var missing = chain.links().get(i).missing(action);
            if (missing.isPresent()) {
                return new Decision.Deny(missing.get().rule(), DenyCode.TOKEN, why(chain.token(), i, missing.get()));
            }
        }
        return chain.granted();
    }

    private static String why(Token token, int index, Axis axis) {
        var link = token.links().get(index);
        var granted = link.rights()
                .spelt(axis)
                .map(text -> "grants only " + shortened(text))
                .orElse("grants nothing");
        return "the token " + token.head().rev() + " does not carry the right: its link " + link.rev() + " ("
                + (index + 1) + " of " + token.links().size() + ") " + granted + " in " + axis.word();
    }

    private static String shortened(String text) {
        var shown = ByteString.of(text).printable();
        return shown.length() > LONGEST_SHOWN ? shown.substring(0, LONGEST_SHOWN) + "..." : shown;
    }
}
