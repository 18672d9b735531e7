package dev.cagewright.cli.grant;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.grant.GrantOffice;
import dev.cagewright.supervisor.grant.Promotion;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright grants sync`.
@Command(
        name = "sync",
        description = "Forgets the grants that are over, and tells which of the others a policy file has by now.",
        mixinStandardHelpOptions = true)
final class SyncCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(arity = "0..1", paramLabel = "SESSION", description = SessionWord.HELP + " By default all of them.")
    private Optional<String> session = Optional.empty();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--policy",
            paramLabel = "FILE|NAME",
            description = "The policy to look into; by default the one that the session is under.")
    private Optional<String> policy = Optional.empty();

    SyncCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        var office = new GrantOffice(folders);
        int dropped = 0;
        int kept = 0;
        for (var row : new GrantRows(console, folders).of(session, GrantRows.Which.ALL)) {
            if (row.isHolding()) {
                kept++;
                tell(row);
            } else {
                office.forget(row.record().grant().id());
                dropped++;
            }
        }
        console.out().println(dropped + " forgotten, " + kept + " hold");
        return ExitCode.OK.code();
    }

    private void tell(GrantRows.Row row) {
        var id = row.record().grant().id();
        try {
            var file = file(row);
            if (Promotion.of(row.record(), file).changes().isEmpty()) {
                console.out()
                        .println(Visible.text(id + ": " + file.name() + " allows it by now; cagewright grants revoke "
                                + id + " ends the grant"));
            }
        } catch (IOException | PolicySyntaxException | BadPolicyException | IllegalArgumentException e) {
            console.say(Visible.text(id + ": its policy cannot be looked into: " + e.getMessage()));
        }
    }

    private LoadedPolicy file(GrantRows.Row row) throws PolicySyntaxException, IOException {
        return PolicyFiles.of(folders).find(policy.orElse(row.session().policy().name()));
    }
}
