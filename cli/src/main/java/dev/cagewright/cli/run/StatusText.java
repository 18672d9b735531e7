package dev.cagewright.cli.run;

import dev.cagewright.cli.approval.WaitingQuestions;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;

/// A living run in a few words: `cage claude-code: enforce, 2 denied, 1 waits`.
record StatusText(Session session, PolicyInForce policy, WaitingQuestions waiting) {
    String line() {
        var text = new StringBuilder("cage ")
                .append(session.terms().name())
                .append(": ")
                .append(policy.effective().mode().value().word());
        long denied = session.denied();
        if (denied > 0) {
            text.append(", ").append(denied).append(" denied");
        }
        int waits = waiting.count();
        if (waits > 0) {
            text.append(", ").append(waits).append(waits == 1 ? " waits" : " wait");
        }
        return Visible.text(text.toString());
    }
}
