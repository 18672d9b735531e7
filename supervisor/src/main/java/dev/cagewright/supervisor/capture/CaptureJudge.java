package dev.cagewright.supervisor.capture;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.gate.Judge;

/// Lets no request go that could not be kept, where the policy asks for a capture. Safe for all threads.
public final class CaptureJudge implements Judge {
    private static final RuleId UNAVAILABLE = new RuleId("capture:unavailable");

    private final Judge others;
    private final SessionCapture capture;

    /// @param others answers everything that the capture is no obstacle to
    public CaptureJudge(Judge others, SessionCapture capture) {
        this.others = others;
        this.capture = capture;
    }

    @Override
    public Decision judge(Action action) {
        if (!(action instanceof Action.HttpRequest)) {
            return others.judge(action);
        }
        return capture.obstacle()
                .<Decision>map(why -> new Decision.Deny(
                        UNAVAILABLE, DenyCode.FORBIDDEN, "the policy asks for a capture, and there is none: " + why))
                .orElseGet(() -> others.judge(action));
    }
}
