package dev.cagewright.cli.policy;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.DenialText;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.Explanation;
import dev.cagewright.policy.layers.Destination;
import dev.cagewright.sandbox.environment.CallerEnvironment;
import dev.cagewright.supervisor.journal.ActionText;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.registries.Registries;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `cagewright check-net`: what one request of a cage would get, and whom it would reach.
@Command(
        name = "check-net",
        description = {
            "Says what a request would get, by the code that enforces, and how its host would be reached.",
            "Nothing is sent and no name is looked up.",
            "For example: check-net --policy P --host api.github.com --method GET --path /repos/acme/app"
        },
        mixinStandardHelpOptions = true)
public final class CheckNetCommand implements Callable<Integer> {
    private final Console console;
    private final PolicyFiles files;

    @Option(names = "--policy", required = true, paramLabel = "FILE|NAME", description = "The cage's policy.")
    private String policy = "";

    @Option(names = "--host", required = true, paramLabel = "HOST", description = "The host, or NAME.internal.")
    private String host = "";

    @Option(names = "--port", paramLabel = "PORT", description = "Its port; ${DEFAULT-VALUE} by default.")
    private int port = 443;

    @Option(names = "--method", paramLabel = "METHOD", description = "The method; ${DEFAULT-VALUE} by default.")
    private String method = "GET";

    @Option(names = "--path", paramLabel = "PATH", description = "The path; ${DEFAULT-VALUE} by default.")
    private String path = "/";

    @Option(names = "--tcp", description = "A connection that is not HTTP; without method and path.")
    private boolean tcp;

    @Mixin
    private final PhaseOption phase = new PhaseOption();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public CheckNetCommand(Console console, StateFolders folders) {
        this.console = console;
        this.files = PolicyFiles.of(folders);
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException {
        var inForce = phase.of(PolicyInForce.of(
                files.layersOver(Optional.of(files.find(policy))),
                IsolationWish.CAGE,
                Registries.ofHost(CallerEnvironment.read(), List.of())));
        var action = action();
        var decision = inForce.effective().judge(action);
        var destination = inForce.effective().destination(new HostName(host), port);
        if (json) {
            console.out().println(json(inForce, action, decision, destination).write());
        } else {
            tell(inForce, action, decision, destination);
        }
        return ExitCode.of(decision).code();
    }

    private Action action() {
        var name = new HostName(host);
        return tcp ? new Action.NetConnect(name, port) : new Action.HttpRequest(method, name, port, path);
    }

    private void tell(PolicyInForce inForce, Action action, Decision decision, Destination destination) {
        switch (decision) {
            case Decision.Deny deny -> new DenialText(console).show("would be denied", inForce.report(action, deny));
            case Decision.Allow _ -> tell(console.palette().good("allowed"), inForce, action, destination);
            case Decision.Ask _ -> tell("needs approval", inForce, action, destination);
        }
    }

    private void tell(String word, PolicyInForce inForce, Action action, Destination destination) {
        console.out().println(word + ": " + ActionText.of(action));
        rules(inForce, action).forEach(rule -> line("rule", rule));
        inForce.effective().budgets(action).forEach(budget -> line("budget", budget.toString()));
        line("upstream", address(destination));
        line("inspect", inspected(destination));
        line(
                "trust",
                destination
                        .ca()
                        .map(file -> "only " + file)
                        .orElse("the roots of this machine"
                                + inForce.effective()
                                        .upstreamRoots()
                                        .map(file -> " and " + file)
                                        .orElse("")));
    }

    private void line(String label, String text) {
        console.out().println("  " + label + " ".repeat(Math.max(1, 10 - label.length())) + Visible.text(text));
    }

    private static List<String> rules(PolicyInForce inForce, Action action) {
        return inForce.effective().explain(action).explanation().rules().stream()
                .map(Explanation.Line::toString)
                .toList();
    }

    private static String address(Destination destination) {
        var dialled = destination.host() + ":" + destination.port();
        return dialled + destination.proxy().map(proxy -> " by way of " + proxy).orElse("") + ", "
                + addresses(destination);
    }

    private static String addresses(Destination destination) {
        boolean isRegistry =
                destination.rules().stream().anyMatch(each -> each.named().isOfRegistry());
        return destination.addresses().isEmpty()
                ? "at a public address" + (isRegistry ? ", or where it leads when a run begins" : "")
                : destination.addresses().stream()
                        .map(list -> "at one of " + String.join(", ", list))
                        .collect(Collectors.joining(" and "));
    }

    private static String inspected(Destination destination) {
        return isOpened(destination) ? "yes, TLS is opened" : "no, TLS passes unopened";
    }

    private static boolean isOpened(Destination destination) {
        return destination.inspection() == HostRule.Inspection.OPENED;
    }

    private static JsonObject json(PolicyInForce inForce, Action action, Decision decision, Destination destination) {
        return switch (decision) {
            case Decision.Deny deny -> inForce.report(action, deny).toJson();
            case Decision.Allow _ -> settled("allow", inForce, action, destination);
            case Decision.Ask _ -> settled("ask", inForce, action, destination);
        };
    }

    private static JsonObject settled(String word, PolicyInForce inForce, Action action, Destination destination) {
        var json = Json.object()
                .put("decision", word)
                .put("what", ActionText.of(action))
                .put(
                        "rules",
                        inForce.effective().judge(action).because().stream()
                                .map(rule -> rule.value())
                                .toList())
                .put(
                        "at",
                        ByteString.of(String.join(", ", rules(inForce, action))).printable())
                .put("upstream", destination.host() + ":" + destination.port())
                .put("inspect", isOpened(destination));
        if (!destination.addresses().isEmpty()) {
            json.put(
                    "addresses",
                    destination.addresses().stream()
                            .flatMap(List::stream)
                            .distinct()
                            .toList());
        }
        var budgets = inForce.effective().budgets(action);
        if (!budgets.isEmpty()) {
            json.put(
                    "budgets",
                    budgets.stream()
                            .map(budget -> ByteString.of(budget.toString()).printable())
                            .toList());
        }
        destination.ca().ifPresent(file -> json.put("upstream_ca", file));
        destination.proxy().ifPresent(proxy -> json.put("upstream_proxy", proxy.toString()));
        return json.build();
    }
}
