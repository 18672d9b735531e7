package dev.cagewright.cli.policy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.run.RunCommand;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.DenialText;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.layers.EffectiveLine;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.journal.ActionText;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright policy explain`: every rule in force and where it stands, or what one action would get.
@Command(
        name = "explain",
        description = {
            "Without an action: every rule in force, and the file and line that it comes from.",
            "With one: the answer it would get, by the code that enforces, and what would allow it.",
            "For example: policy explain --policy P -- git push, or --host api.github.com --path /x."
        },
        mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
    private final Console console;
    private final PolicyFiles files;
    private final RunCommand.Words words;

    @Option(names = "--policy", required = true, paramLabel = "FILE|NAME", description = "The cage's policy.")
    private String policy = "";

    @Option(names = "--read", paramLabel = "PATH", description = "Reading a file of the cage.")
    private Optional<String> read = Optional.empty();

    @Option(names = "--write", paramLabel = "PATH", description = "Writing one.")
    private Optional<String> write = Optional.empty();

    @Option(names = "--host", paramLabel = "HOST", description = "A request to this host.")
    private Optional<String> host = Optional.empty();

    @Option(names = "--port", paramLabel = "PORT", description = "Its port; ${DEFAULT-VALUE} by default.")
    private int port = 443;

    @Option(names = "--method", paramLabel = "METHOD", description = "Its method; ${DEFAULT-VALUE} by default.")
    private String method = "GET";

    @Option(names = "--path", paramLabel = "PATH", description = "Its path; ${DEFAULT-VALUE} by default.")
    private String path = "/";

    @Option(names = "--tool", paramLabel = "TOOL", description = "A call of this tool of an MCP server.")
    private Optional<String> tool = Optional.empty();

    @Option(names = "--server", paramLabel = "NAME", description = "Its server; ${DEFAULT-VALUE} by default.")
    private String server = "server";

    @Mixin
    private final PhaseOption phase = new PhaseOption();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "PROGRAM", description = "-- PROGRAM ARG...: starting a program.")
    private List<String> argv = new ArrayList<>();

    public ExplainCommand(Console console, StateFolders folders, RunCommand.Words words) {
        this.console = console;
        this.files = PolicyFiles.of(folders);
        this.words = words;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException {
        var inForce = phase.of(PolicyInForce.of(
                files.layersOver(Optional.of(files.find(policy))),
                IsolationWish.CAGE,
                Registries.ofHost(CallerEnvironment.read(), List.of())));
        var action = action();
        return (action.isPresent() ? answer(inForce, action.get()) : rules(inForce)).code();
    }

    private Optional<Action> action() throws IOException {
        var here = new GuestPath("/workspace");
        var asked = new ArrayList<Action>();
        read.map(GuestPath::canonical).map(Action.FsRead::new).ifPresent(asked::add);
        write.map(GuestPath::canonical).map(Action.FsWrite::new).ifPresent(asked::add);
        host.map(name -> new Action.HttpRequest(method, new HostName(name), port, path))
                .ifPresent(asked::add);
        tool.map(name -> new Action.McpCall(server, name)).ifPresent(asked::add);
        if (!argv.isEmpty()) {
            asked.add(new Action.ProcExec(words.last(argv.size()), here));
        }
        if (asked.size() > 1) {
            throw new IllegalArgumentException(
                    "two actions (expected: one of --read, --write, --host, --tool, PROGRAM)");
        }
        return asked.stream().findFirst();
    }

    private ExitCode answer(PolicyInForce inForce, Action action) {
        var decision = inForce.effective().judge(action);
        if (json) {
            console.out().println(json(inForce, action, decision).write());
            return ExitCode.of(decision);
        }
        switch (decision) {
            case Decision.Deny deny -> new DenialText(console).show("would be denied", inForce.report(action, deny));
            case Decision.Allow _ -> tell(console.palette().good("allowed"), inForce, action);
            case Decision.Ask _ -> tell("needs approval", inForce, action);
        }
        return ExitCode.of(decision);
    }

    private void tell(String word, PolicyInForce inForce, Action action) {
        console.out().println(word + ": " + ActionText.of(action));
        inForce.effective()
                .explain(action)
                .explanation()
                .rules()
                .forEach(line -> console.out().println("  rule   " + ByteString.of(line.toString())));
    }

    private static JsonObject json(PolicyInForce inForce, Action action, Decision decision) {
        return switch (decision) {
            case Decision.Deny deny -> inForce.report(action, deny).toJson();
            case Decision.Allow _ -> settled("allow", decision);
            case Decision.Ask _ -> settled("ask", decision);
        };
    }

    private static JsonObject settled(String word, Decision decision) {
        return Json.object()
                .put("decision", word)
                .put(
                        "rules",
                        decision.because().stream().map(rule -> rule.value()).toList())
                .build();
    }

    private ExitCode rules(PolicyInForce inForce) {
        var lines = inForce.effective().lines();
        if (json) {
            console.out()
                    .println(Json.of(lines.stream().map(ExplainCommand::json).toList())
                            .write());
            return ExitCode.OK;
        }
        for (var line : lines) {
            console.out().println(ByteString.of(line.field()) + ": " + ByteString.of(line.value()));
            console.out().println("    " + ByteString.of(place(line)));
        }
        inForce.effective()
                .files()
                .dropped()
                .forEach(
                        dropped -> console.out().println("not permitted by a higher layer: " + ByteString.of(dropped)));
        return ExitCode.OK;
    }

    private static String place(EffectiveLine line) {
        return line.origin().map(Object::toString).orElse("default");
    }

    private static JsonObject json(EffectiveLine line) {
        return Json.object()
                .put("field", line.field())
                .put("value", line.value())
                .put("at", place(line))
                .build();
    }
}
