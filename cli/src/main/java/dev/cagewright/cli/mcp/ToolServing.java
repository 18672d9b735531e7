package dev.cagewright.cli.mcp;

import dev.cagewright.cli.approval.Approving;
import dev.cagewright.cli.approval.TerminalPrompt.Keyboard;
import dev.cagewright.cli.approval.Ways;
import dev.cagewright.cli.run.CallSession;
import dev.cagewright.cli.run.RunOptions;
import dev.cagewright.cli.secret.TerminalPerson;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.tools.ToolGround;
import dev.cagewright.mcp.tools.ToolsOffer;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.approval.Asker;
import dev.cagewright.supervisor.credentials.StoredSecrets;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;

/// The product's own tools over a session of their own, for whoever calls them.
record ToolServing(Console console, StateFolders folders, RunOptions options) {
    /// What is done with the tools.
    @FunctionalInterface
    interface Use {
        /// Does it.
        ///
        /// @return the exit code
        int of(ToolsOffer tools) throws IOException, InterruptedException;
    }

    /// Opens the session, has the tools used, and takes everything down.
    ///
    /// @param keyboard whose the terminal is
    /// @return the exit code
    int serve(CallSession.What what, Keyboard keyboard, Use use)
            throws IOException, PolicySyntaxException, BadPolicyException, InterruptedException {
        var asker = new ClientAsker();
        var askers = new ArrayList<Asker>(new Ways(console, folders).of(options.approvals(), _ -> keyboard));
        if (options.approvals() != Approving.NEVER) {
            askers.add(asker);
        }
        try (var stored = new StoredSecrets(folders, new TerminalPerson(console))) {
            return new CallSession(console, folders, options, what).run(stored, askers, open -> {
                var tools = new ToolsOffer(ground(open), asker);
                int code;
                try {
                    code = use.of(tools);
                } catch (IOException | RuntimeException e) {
                    tools.end();
                    throw e;
                }
                return new CallSession.Served(code, tools.end());
            });
        }
    }

    private static ToolGround ground(CallSession.Open open) {
        return new ToolGround(
                open.session(),
                open.policy(),
                open.workspace(),
                open.caller(),
                open.secrets(),
                open.runtime(),
                open.witness());
    }
}
