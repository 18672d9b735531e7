package dev.cagewright.cli.policy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.PolicyDiff;
import dev.cagewright.policy.engine.Terms;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.observed.PastDecision;
import dev.cagewright.supervisor.observed.ProposedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySchema;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.PolicyTemplates;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionStore;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright policy ...`.
@Command(
        name = "policy",
        description = "Checks, explains, compares and starts policy files.",
        mixinStandardHelpOptions = true)
public final class PolicyCommands {
    private final Console console;
    private final StateFolders folders;
    private final PolicyFiles files;

    public PolicyCommands(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
        this.files = PolicyFiles.of(folders);
    }

    @Command(
            name = "validate",
            description = "Says everything that is wrong with a policy file; ends with 1 when something is.",
            mixinStandardHelpOptions = true)
    int validate(
            @Parameters(paramLabel = "FILE|NAME", description = "The policy.") String policy,
            @Option(names = "--json", description = "Print one JSON object.") boolean json)
            throws IOException {
        var problems = new ArrayList<String>();
        var registries = new ArrayList<String>();
        var notes = new ArrayList<String>();
        check(policy, problems, registries, notes);
        if (json) {
            console.out()
                    .println(Json.object()
                            .put("valid", problems.isEmpty())
                            .put("problems", problems)
                            .put("registries", registries)
                            .put("notes", notes)
                            .build()
                            .write());
        } else if (problems.isEmpty()) {
            console.out()
                    .println(console.palette().good("ok") + ": "
                            + ByteString.of(policy).printable());
            registries.stream().map(Visible::text).forEach(console.out()::println);
            notes.stream().map(note -> "note: " + Visible.text(note)).forEach(console.out()::println);
        } else {
            problems.stream().map(Visible::text).forEach(console.out()::println);
        }
        return (problems.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }

    private void check(String policy, List<String> problems, List<String> registries, List<String> notes)
            throws IOException {
        try {
            var inForce = PolicyInForce.of(
                    files.layersOver(Optional.of(files.find(policy))),
                    IsolationWish.CAGE,
                    Registries.ofHost(CallerEnvironment.read(), List.of()));
            inForce.effective().lines().stream()
                    .filter(line -> line.field().contains("net.registries["))
                    .map(line -> line.field() + ": " + line.value())
                    .forEach(registries::add);
            notes.addAll(inForce.notes());
        } catch (PolicySyntaxException e) {
            String.valueOf(e.getMessage()).lines().forEach(problems::add);
        } catch (BadPolicyException e) {
            e.problems().stream().map(BadPolicyException.Problem::toString).forEach(problems::add);
        }
    }

    @Command(name = "schema", description = "Prints the JSON Schema of policy files.", mixinStandardHelpOptions = true)
    int schema() {
        console.out().print(PolicySchema.text());
        return ExitCode.OK.code();
    }

    @Command(
            name = "init",
            description = "Writes a policy that grants nothing, with every section as a comment;"
                    + " or one that allows what a session was seen to do.",
            mixinStandardHelpOptions = true)
    int init(
            @Parameters(paramLabel = "NAME", description = "The cage's name.") String name,
            @Option(
                            names = {"-o", "--out"},
                            paramLabel = "FILE",
                            description = "Where to; by default NAME.yaml here.")
                    Optional<Path> out,
            @Option(
                            names = "--from-session",
                            paramLabel = "SESSION",
                            description = "Allow what that session did in the network under net.mode: observe.")
                    Optional<String> session)
            throws IOException {
        var file = out.orElse(Path.of(name + ".yaml"));
        var cage = new CageName(name);
        var text = session.isPresent() ? proposed(cage, new SessionId(session.get())) : PolicyTemplates.commented(cage);
        Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        console.out().println(Visible.text(file.toString()));
        return ExitCode.OK.code();
    }

    private String proposed(CageName cage, SessionId session) throws IOException {
        var record = new SessionStore(folders)
                .find(session)
                .orElseThrow(() -> new IOException(
                        "there is no session " + session + " (expected: one that `cagewright ls` shows)"));
        return ProposedPolicy.text(cage, session, PastDecision.of(record));
    }

    @Command(
            name = "diff",
            description = "Lists what AFTER newly allows (+) and newly denies (-); ends with 1 when anything changes.",
            mixinStandardHelpOptions = true)
    int diff(
            @Parameters(paramLabel = "BEFORE", description = "A policy.") String before,
            @Parameters(paramLabel = "AFTER", description = "Another.") String after,
            @Option(names = "--json", description = "Print one JSON array.") boolean json)
            throws IOException, PolicySyntaxException, BadPolicyException {
        var changes = PolicyDiff.between(
                files.find(before).document(), files.find(after).document(), Terms.ALONE);
        if (json) {
            console.out()
                    .println(Json.of(changes.stream().map(PolicyCommands::json).toList())
                            .write());
        } else {
            changes.forEach(change -> console.out().println(ByteString.of(change.toString())));
        }
        return (changes.isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED).code();
    }

    private static JsonObject json(PolicyDiff.Change change) {
        return Json.object()
                .put("effect", change.effect() == PolicyDiff.Effect.NEWLY_ALLOWED ? "allowed" : "denied")
                .put("field", change.field())
                .put("subject", change.subject())
                .build();
    }
}
