package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.argv.ArgvReader;
import dev.cagewright.policy.argv.ArgvReading;
import dev.cagewright.policy.argv.ExecAllowlist;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.ApprovalSection;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Origin;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.match.PathPattern;
import dev.cagewright.policy.mcp.McpRules;
import dev.cagewright.policy.mcp.NamePattern;
import java.util.List;
import java.util.Optional;

/// A decision, with where its rules stand and what would change it.
///
/// @param decision what the policy answers; the very decision that the gate gets
/// @param rules the decision's rules with their lines, most specific first
/// @param remedy the narrowest change that would allow the action; absent when it is allowed or asked about
public record Explanation(Action action, Decision decision, List<Line> rules, Optional<Remedy> remedy) {

    /// A rule and its line; built-in rules have none.
    public record Line(RuleId rule, Optional<Origin> origin) {
        /// E.g. `net.hosts[2] (cage.yaml:14:7)`, `deny:shell (built in)`.
        @Override
        public String toString() {
            return rule + " (" + origin.map(Origin::toString).orElse("built in") + ")";
        }
    }

    public Explanation {
        rules = List.copyOf(rules);
    }

    /// Explains `decision`, which `document` gave to `action`.
    public static Explanation of(PolicyDocument document, Action action, Decision decision) {
        var lines = decision.because().stream()
                .map(rule -> new Line(rule, document.origins().of(rule)))
                .toList();
        var remedy = decision instanceof Decision.Deny deny ? remedy(document, action, deny) : Optional.<Remedy>empty();
        return new Explanation(action, decision, lines, remedy);
    }

    private static Optional<Remedy> remedy(PolicyDocument document, Action action, Decision.Deny deny) {
        var rule = deny.because().getFirst();
        if (rule.equals(Rules.METADATA)) {
            return Remedy.none("metadata end points hand out the machine's own credentials");
        }
        if (rule.equals(Rules.ADDRESS)) {
            return Remedy.none("write the address in its usual form");
        }
        return switch (action) {
            case Action.HttpRequest request ->
                network(deny, hostRule(request.host(), request.port(), Optional.of(request)));
            case Action.NetConnect connect -> network(deny, hostRule(connect.host(), connect.port(), Optional.empty()));
            case Action.DnsLookup lookup -> network(deny, hostRule(lookup.host(), 443, Optional.empty()));
            case Action.SecretUse(String secret, HostName host) ->
                Optional.of(
                        deny.code() == DenyCode.NO_RULE
                                ? new Remedy.AddCredential(secret, host.value())
                                : new Remedy.AddDestination(secret, host.value()));
            case Action.FsRead(var path) ->
                Optional.of(files(deny, new Remedy.AddMount(path, Remedy.AddMount.Access.READ)));
            case Action.FsWrite(var path) ->
                Optional.of(files(deny, new Remedy.AddMount(path, Remedy.AddMount.Access.WRITE)));
            case Action.ProcExec exec -> program(document, exec, deny);
            case Action.NetPublish(int port) ->
                Remedy.none("have net.publish name the port " + port + " in every file that has net.publish");
            case Action.McpCall(String server, String tool) -> Optional.of(tool(document, deny, server, tool));
            case Action.RunControl _ -> Remedy.none("policies have no rules about it");
        };
    }

    private static Optional<Remedy> network(Decision.Deny deny, HostRule rule) {
        var add = new Remedy.AddHost(rule);
        return Optional.of(deny.because().getFirst().equals(Rules.NET_MODE) ? new Remedy.OpenNetwork(add) : add);
    }

    private static HostRule hostRule(HostName host, int port, Optional<Action.HttpRequest> request) {
        boolean isWeb = port == 443 || port == 80;
        return new HostRule(
                new HostRule.Target.Host(host.value()),
                request.map(some -> List.of(some.method())),
                request.map(some -> List.of(PathPattern.meaningOnly(some.path()))),
                isWeb ? Optional.empty() : Optional.of(List.of(port)),
                isWeb || request.isPresent() ? HostRule.Protocol.HTTP : HostRule.Protocol.TCP,
                Optional.empty(),
                HostRule.Inspection.OPENED,
                Optional.empty(),
                Budget.UNLIMITED);
    }

    /// An entry with the tool's own name goes before every pattern.
    private static Remedy tool(PolicyDocument document, Decision.Deny deny, String server, String tool) {
        var rule = deny.because().getFirst().value();
        boolean isExact = McpRules.of(document.mcp(), deny, ApprovalSection.USUAL_TIMEOUT)
                .entryFor(server, tool)
                .filter(entry -> entry.rule().tool().kind() == NamePattern.Kind.EXACT)
                .isPresent();
        if (isExact && rule.startsWith("mcp.tools[")) {
            return new Remedy.RemoveLine(rule);
        }
        return NamePattern.isNameable(server) && NamePattern.isNameable(tool)
                ? new Remedy.AddTool(server, tool)
                : new Remedy.None("no entry of mcp.tools can name a tool whose name cannot be seen as it is");
    }

    private static Remedy files(Decision.Deny deny, Remedy.AddMount add) {
        var rule = deny.because().getFirst();
        if (rule.value().startsWith("fs.mounts")) {
            return new Remedy.MakeWritable(rule.value());
        }
        return rule.value().startsWith("fs.hide") ? new Remedy.RemoveLine(rule.value()) : add;
    }

    private static Optional<Remedy> program(PolicyDocument document, Action.ProcExec exec, Decision.Deny deny) {
        var rule = deny.because().getFirst();
        if (rule.equals(Rules.SHELL)) {
            return Remedy.none("put the code into a file, give the interpreter the file's name, and let exec.allowlist"
                    + " name the interpreter; a shell's script can be started as a program of its own");
        }
        var reading = ArgvReader.read(exec.argv());
        if (rule.equals(Rules.PROGRAM_NAME)) {
            return Optional.of(spelledOut(exec, reading, deny));
        }
        var listed = document.exec().flatMap(ExecSection::allowlist).map(ExecAllowlist::new);
        return listed.flatMap(list -> list.firstMissing(reading.programs()))
                .map(missing -> nameable(exec.argv().get(missing.at())));
    }

    private static Remedy spelledOut(Action.ProcExec exec, ArgvReading reading, Decision.Deny deny) {
        var argument = reading.programs().stream()
                .map(started -> exec.argv().get(started.at()))
                .filter(name -> deny.detail().contains(": " + name + " "))
                .findFirst()
                .orElse(exec.argv().getFirst());
        return nameable(argument);
    }

    private static Remedy nameable(ByteString name) {
        var text = name.utf8().orElse("");
        try {
            return new Remedy.AddProgram(ExecSection.program("exec.allowlist", text));
        } catch (IllegalArgumentException _) {
            return new Remedy.None("give the program's plain name, or its absolute path");
        }
    }
}
