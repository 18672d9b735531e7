package dev.cagewright.supervisor.observed;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.state.SessionId;
import java.util.List;
import java.util.stream.Collectors;

/// A policy for a person to read and narrow, with a rule for everything that a session did in the network under
/// `net.mode: observe`, and for the tools that it was let call to be learned.
public final class ProposedPolicy {
    private ProposedPolicy() {}

    /// The policy's text, which is valid, and ends in a line feed.
    ///
    /// @param decisions of `session`
    public static String text(CageName name, SessionId session, List<PastDecision> decisions) {
        var text = new StringBuilder("# What session " + session + " asked for under net.mode: observe, as rules.\n"
                + "# Read each line before this policy is used: it allows whatever that run did.\n");
        var seen = Suggestion.of(
                decisions.stream().filter(PastDecision::isObserved).toList());
        seen.never()
                .forEach(each -> text.append("# not here: ")
                        .append(ByteString.of(each.what()).printable())
                        .append('\n'));
        text.append("tool: \"").append(name).append("\"\n");
        text.append("fs:\n  mounts:\n    - {path: /workspace, mode: rw}\n");
        text.append("net:\n  mode: allowlist\n");
        var hosts = items(seen, "net:");
        text.append(hosts.isEmpty() ? "  hosts: []\n" : "  hosts:\n" + hosts);
        var tools = items(seen, "mcp:");
        text.append(tools.isEmpty() ? "" : "mcp:\n  tools:\n" + tools);
        return checked(text.toString());
    }

    private static String items(Suggestion seen, String section) {
        return seen.lines().stream()
                .filter(line -> line.section().getFirst().equals(section))
                .map(line -> line.item() + "\n")
                .collect(Collectors.joining());
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
