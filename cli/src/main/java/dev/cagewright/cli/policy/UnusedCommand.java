package dev.cagewright.cli.policy;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.observed.Unused;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright policy unused SESSION... --policy POLICY`: which rules nothing needed. Writes nothing.
@Command(
        name = "unused",
        description = {
            "Shows the rules of a policy that sessions never needed: hosts, their methods and paths, registries, secrets,"
                    + " tools of MCP servers, questions.",
            "Programs and files within a cage are not on record, so their rules are not looked at. What was not needed"
                    + " yet may be needed some day."
        },
        mixinStandardHelpOptions = true)
public final class UnusedCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", arity = "1..*", description = SessionWord.HELP)
    private List<String> sessions = new ArrayList<>();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--policy", required = true, paramLabel = "POLICY", description = "A policy: a path or a name.")
    private String policy = "";

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public UnusedCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException {
        var inForce = PastSessions.policy(folders, policy);
        var decisions = PastSessions.read(console, folders, sessions);
        if (decisions.isEmpty()) {
            return ExitCode.CHECK_FAILED.code();
        }
        var unused = Unused.of(decisions.get(), inForce);
        if (json) {
            console.out().println(unused.toJson().write());
        } else {
            unused.rules()
                    .forEach(rule ->
                            console.out().println(Visible.text(rule.place()) + ": " + Visible.text(rule.what())));
            console.say(unused.rules().size() + " not needed by " + unused.looked() + " allowed decisions");
        }
        return ExitCode.OK.code();
    }
}
