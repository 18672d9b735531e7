package dev.cagewright.supervisor.observed;

import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.engine.Remedy;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.state.SessionId;

/// A policy for a person to read and narrow, with a rule for everything that a session did in the network under
/// `net.mode: observe`.
public final class ProposedPolicy {
    private ProposedPolicy() {}

    /// The policy's text, which is valid, and ends in a line feed.
    public static String text(CageName name, SessionId session, ObservedNetwork observed) {
        var text = new StringBuilder("# What session " + session + " asked for under net.mode: observe, as rules.\n"
                + "# Read each line before this policy is used: it allows whatever that run did.\n");
        if (observed.leftOut() > 0) {
            text.append("# ").append(observed.leftOut()).append(" more hosts were asked and are not here.\n");
        }
        text.append("tool: \"").append(name).append("\"\n");
        text.append("fs:\n  mounts:\n    - {path: /workspace, mode: rw}\n");
        text.append("net:\n  mode: allowlist\n");
        text.append(observed.rules().isEmpty() ? "  hosts: []\n" : "  hosts:\n");
        for (var rule : observed.rules()) {
            var lines = new Remedy.AddHost(rule).yaml().lines().toList();
            text.append(lines.getLast()).append('\n');
        }
        return checked(text.toString());
    }

    private static String checked(String text) {
        try {
            var _ = new PolicyWriter("proposal", text);
            return text;
        } catch (PolicySyntaxException e) {
            throw new IllegalStateException("a proposal that is no policy", e);
        }
    }
}
