package dev.cagewright.cli.grant;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.changes.diff.LineDiff;
import dev.cagewright.supervisor.grant.GrantOffice;
import dev.cagewright.supervisor.grant.GrantRecord;
import dev.cagewright.supervisor.grant.Promotion;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright grants promote`.
@Command(
        name = "promote",
        description = "Writes a grant into a policy file as a rule that lasts, and shows what that changes.",
        mixinStandardHelpOptions = true)
final class PromoteCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(arity = "1..2", paramLabel = "[SESSION] ID", hideParamSyntax = true, description = GrantWords.HELP)
    private List<String> words = List.of();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--policy", required = true, paramLabel = "FILE|NAME", description = "The policy that gets it.")
    private String policy = "";

    @Option(names = "--dry-run", description = "Show it and write nothing.")
    private boolean dryRun;

    PromoteCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException {
        var id = GrantWords.id(words);
        var record = new GrantOffice(folders).find(id);
        if (record.isEmpty()) {
            console.say("there is no grant " + id + " (expected: one that cagewright grants list --all shows)");
            return ExitCode.CHECK_FAILED.code();
        }
        return promoted(id, record.get());
    }

    private int promoted(DecisionId id, GrantRecord record)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var office = new GrantOffice(folders);
        var file = PolicyFiles.of(folders).find(policy);
        var promotion = Promotion.of(record, file);
        if (promotion.changes().isEmpty()) {
            console.say(Visible.text(file.name() + " allows it already; nothing was written"));
            return ExitCode.OK.code();
        }
        show(promotion);
        if (dryRun) {
            console.say("nothing was written");
            return ExitCode.OK.code();
        }
        office.requireOutsideOfWorkspaces(file.file());
        var session = new SessionStore(folders)
                .find(new SessionId(id.session()))
                .orElseThrow(() -> new IOException("session " + id.session() + " has no record"));
        office.promoted(session, id, file.file());
        promotion.write();
        console.say(Visible.text("written to " + file.name() + "; it holds for runs that begin from now on"));
        return ExitCode.OK.code();
    }

    private void show(Promotion promotion) {
        var diff = LineDiff.of(
                promotion.policy().bytes().toByteArray(), promotion.text().getBytes(StandardCharsets.UTF_8));
        for (var block : diff.blocks()) {
            console.out().println("@@ line " + (block.beforeFrom() + 1) + " @@");
            diff.before().subList(block.beforeFrom(), block.beforeTo()).forEach(line -> show("-", line.printable()));
            diff.after().subList(block.afterFrom(), block.afterTo()).forEach(line -> show("+", line.printable()));
        }
        promotion.changes().forEach(change -> console.out().println(Visible.text(change.toString())));
    }

    /// A line with its line feed as an escape.
    private void show(String sign, String line) {
        var text = line.replaceFirst("(\\\\r)?\\\\n$", "");
        console.out().println(sign + Visible.text(text));
    }
}
