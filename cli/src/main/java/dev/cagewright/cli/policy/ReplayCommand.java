package dev.cagewright.cli.policy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.observed.Replay;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright policy replay POLICY --session S...`: which past decisions a policy would turn around.
@Command(
        name = "replay",
        description = {
            "Judges what sessions did by another policy and shows what would come out otherwise; ends with 1 if"
                    + " anything does. Reads the log; does nothing again.",
            "Policies only: approvals, budgets, tokens and inspectors are not played."
        },
        mixinStandardHelpOptions = true)
public final class ReplayCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "POLICY", description = "A policy: a path or a name.")
    private String policy = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--session",
            required = true,
            arity = "1..*",
            paramLabel = "SESSION",
            description = SessionWord.HELP)
    private List<String> sessions = new ArrayList<>();

    @Mixin
    private final PhaseOption phase = new PhaseOption();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public ReplayCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException {
        var inForce = phase.of(PastSessions.policy(folders, policy));
        var decisions = PastSessions.read(console, folders, sessions);
        if (decisions.isEmpty()) {
            return ExitCode.CHECK_FAILED.code();
        }
        var replay = Replay.of(decisions.get(), inForce.effective());
        tell(replay);
        return (replay.flips().isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }

    private void tell(Replay replay) {
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("looked", replay.looked())
                            .put(
                                    "flips",
                                    replay.flips().stream()
                                            .map(Replay.Flip::toJson)
                                            .toList())
                            .build()
                            .write());
            return;
        }
        for (Replay.Flip flip : replay.flips()) {
            console.out()
                    .println(flip.before().word() + " -> " + flip.after().word() + "  " + Visible.text(flip.what())
                            + (flip.count() > 1 ? "  (" + flip.count() + " times)" : ""));
            console.item(flip.id() + ": "
                    + Visible.text(String.join(", ", flip.before().rules())) + "; now "
                    + Visible.text(String.join(", ", flip.after().rules())));
        }
        console.say(replay.flips().size() + " of " + replay.looked() + " decisions come out otherwise, each kind once");
    }
}
