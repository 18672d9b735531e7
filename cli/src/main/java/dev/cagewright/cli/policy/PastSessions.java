package dev.cagewright.cli.policy;

import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.observed.PastDecision;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What sessions decided that a person names.
final class PastSessions {
    private PastSessions() {}

    /// Their decisions, a session after the other; empty, and told, if there is no such session.
    static Optional<List<PastDecision>> read(Console console, StateFolders folders, List<String> words)
            throws IOException {
        var decisions = new ArrayList<PastDecision>();
        for (String word : words) {
            var record = SessionWord.find(folders, word);
            if (record.isEmpty()) {
                console.say("no session " + Visible.text(word));
                return Optional.empty();
            }
            decisions.addAll(PastDecision.of(record.get()));
        }
        return Optional.of(decisions);
    }

    /// A policy with the layers above it, as this machine has them.
    static PolicyInForce policy(StateFolders folders, String policy)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var files = PolicyFiles.of(folders);
        return PolicyInForce.of(
                files.layersOver(Optional.of(files.find(policy))),
                IsolationWish.CAGE,
                Registries.ofHost(CallerEnvironment.read(), List.of()));
    }
}
